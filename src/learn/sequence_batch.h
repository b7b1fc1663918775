// Sequence batch: sentences of a vocabulary, as many at a time as a plan has room for.
#pragma once

#include <optional>
#include <vector>

#include "core/mechanisms/transformer.h"
#include "learn/trainer.h"

namespace headlight {

/// A place of a sentence, and the word that is right there.
struct PlaceTarget {
    Index place = 0, word = 0;
};

/// Words as rows of the vocabulary. Where a pronoun is read out there is one target: its place.
struct SequenceExample {
    std::vector<Index> words;
    std::vector<PlaceTarget> targets;

    bool operator==(const SequenceExample&) const = default;
};
inline bool operator==(const PlaceTarget& a, const PlaceTarget& b) {
    return a.place == b.place && a.word == b.word;
}

class SequenceBatch {
  public:
    /// For so many sentences of at most so many words. Throws Error if the settings make no logits.
    SequenceBatch(const StackSettings& settings, const SharedNames& vocabulary, Index n_sentences,
                  Index n_words, std::uint64_t seed);

    const TrainingPlan& plan() const { return plan_; }
    Index size() const { return n_sentences_; }

    /// At most as many as there is room for; what is left is padding. Throws Error if one is too
    /// long.
    Shard shard(std::span<const SequenceExample> examples) const;

  private:
    TrainingPlan plan_;
    Index n_sentences_, n_words_;
    TensorId tokens_ = 0, mask_ = 0;
    std::optional<TensorId> asked_;
    Matrix open_;  // the mask of one sentence without padding
};

}  // namespace headlight
