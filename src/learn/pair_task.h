// Pair task: pairs of texts of a source, learned by the network of an alignment study.
#pragma once

#include <optional>
#include <vector>

#include "core/mechanisms/word_table.h"
#include "learn/task.h"
#include "learn/trainer.h"
#include "model/document.h"

namespace headlight {

/// Words as rows of the vocabularies; the target without <start> and <end>.
struct PairExample {
    std::vector<Index> source, target;

    bool operator==(const PairExample&) const = default;
};

/// The room of a batch.
struct PairSizes {
    Index n_pairs = 1;
    Index n_source = 1, n_target = 1;  // words of each, at most
};

class PairBatch {
  public:
    /// The target's vocabulary has <start> and <end>. Throws Error if the study's settings make no
    /// logits.
    PairBatch(const AlignmentStudy& study, const SharedNames& source, const SharedNames& target,
              const PairSizes& sizes, std::uint64_t seed);

    const TrainingPlan& plan() const { return plan_; }
    Index size() const { return sizes_.n_pairs; }
    /// Returns the rows of the output for each pair: one for each word, and one for <end>.
    Index n_steps() const { return sizes_.n_target + 1; }

    /// Fills a shard with at most as many pairs as there is room for; the rest is padding. The
    /// decoder is given the words before; each of its rows is right if it writes the next one.
    /// Throws Error if a text is too long.
    Shard shard(std::span<const PairExample> examples) const;

  private:
    void check(std::span<const PairExample> examples) const;

    TrainingPlan plan_;
    PairSizes sizes_;
    Index start_ = 0, end_ = 0;  // rows of the target's vocabulary
    TensorId source_tokens_ = 0, target_tokens_ = 0;
    std::optional<TensorId> source_mask_, cross_mask_;
};

/// A source of pairs of texts.
class PairSource {
  public:
    virtual ~PairSource() = default;

    /// The first word stands for all that are unknown. The target's has <start> and <end>.
    virtual const std::vector<std::string>& source_vocabulary() const = 0;
    virtual const std::vector<std::string>& target_vocabulary() const = 0;
    /// The most words of one pair.
    virtual Index most_source_words() const = 0;
    virtual Index most_target_words() const = 0;
    virtual PairExample draw(Random& random) const = 0;
    /// Returns pairs that are never drawn, the same ones every time.
    virtual std::vector<PairExample> held_out() const = 0;
};

class PairTask : public Task {
  public:
    /// Throws Error if the recipe's study is not about a pair of texts, or makes no logits.
    PairTask(std::unique_ptr<const PairSource> source, const Recipe& recipe, int shard_size);

    const TrainingPlan& plan() const override { return batch_.plan(); }
    Document study() const override { return study_; }
    Shard draw(Random& random) const override;
    std::vector<Shard> held_out() const override;

    /// The words are counted when the network is given the right words before each of them.
    const char* target_noun() const override { return "words"; }
    std::string tested_noun() const override { return "words of held-out sentences"; }

    const PairBatch& batch() const { return batch_; }

  private:
    std::unique_ptr<const PairSource> source_;
    Document study_;
    PairBatch batch_;
};

}  // namespace headlight
