// Sequence task: sentences of a source, learned by the network of a sentence study.
#pragma once

#include <optional>
#include <vector>

#include "core/mechanisms/transformer.h"
#include "learn/task.h"
#include "learn/trainer.h"

namespace headlight {

/// A place of a sentence, and the word that is right there.
struct PlaceTarget {
    Index place = 0, word = 0;
};

/// Words are rows of the vocabulary. Where a pronoun is read out there is one target: its place.
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
    /// Makes a batch of so many sentences of at most so many words. Throws Error if the settings
    /// make no logits.
    SequenceBatch(const StackSettings& settings, const SharedNames& vocabulary, Index n_sentences,
                  Index n_words, std::uint64_t seed);

    const TrainingPlan& plan() const { return plan_; }
    Index size() const { return n_sentences_; }

    /// Fills a shard with at most as many sentences as there is room for; the rest is padding.
    /// Throws Error if one is too long.
    Shard shard(std::span<const SequenceExample> examples) const;

  private:
    TrainingPlan plan_;
    Index n_sentences_, n_words_;
    TensorId tokens_ = 0, mask_ = 0;
    std::optional<TensorId> asked_;
    Matrix open_;  // the mask of one sentence without padding
};

/// A source of sentences, and the right answers in them.
class SequenceSource {
  public:
    virtual ~SequenceSource() = default;

    /// The first word stands for all that are unknown.
    virtual const std::vector<std::string>& vocabulary() const = 0;
    /// The most words of one sentence.
    virtual Index most_words() const = 0;
    virtual SequenceExample draw(Random& random) const = 0;
    /// Returns sentences that are never drawn, the same ones every time.
    virtual std::vector<SequenceExample> held_out() const = 0;
    /// Names the examples that are held out, by what distinguishes them from what is drawn.
    virtual const char* held_out_noun() const { return "held-out texts"; }
    /// Says in which way the answers are read.
    virtual Readout readout() const { return Readout::NextWord; }
};

class SequenceTask : public Task {
  public:
    /// Throws Error if the recipe's study is not about a sentence or makes no logits, if its
    /// answers are read in another way than the source's, or if the network could read them in the
    /// text.
    SequenceTask(std::unique_ptr<const SequenceSource> source, const Recipe& recipe,
                 int shard_size);

    const TrainingPlan& plan() const override { return batch_.plan(); }
    Document study() const override { return study_; }
    Shard draw(Random& random) const override;
    std::vector<Shard> held_out() const override;

    /// Counts words if an example has several targets.
    const char* target_noun() const override { return has_many_targets_ ? "words" : "examples"; }

    std::string tested_noun() const override {
        return (has_many_targets_ ? "words of " : "") + std::string(source_->held_out_noun());
    }

    const SequenceBatch& batch() const { return batch_; }

  private:
    std::unique_ptr<const SequenceSource> source_;
    Document study_;
    SequenceBatch batch_;
    bool has_many_targets_ = false;
};

}  // namespace headlight
