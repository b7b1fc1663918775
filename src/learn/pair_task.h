// Pair task: pairs of texts of a source, learned by the network of an alignment study.
#pragma once

#include "learn/pair_batch.h"
#include "learn/task.h"

namespace headlight {

/// Where pairs come from.
class PairSource {
  public:
    virtual ~PairSource() = default;

    /// The first word stands for all that are unknown. The target's has <start> and <end>.
    virtual const std::vector<std::string>& source_vocabulary() const = 0;
    virtual const std::vector<std::string>& target_vocabulary() const = 0;
    /// Of one pair.
    virtual Index most_source_words() const = 0;
    virtual Index most_target_words() const = 0;
    virtual PairExample draw(Random& random) const = 0;
    /// Pairs that are never drawn. The same ones every time.
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

    /// Each given the right words before it.
    const char* target_noun() const override { return "words"; }

    const PairBatch& batch() const { return batch_; }

  private:
    std::unique_ptr<const PairSource> source_;
    Document study_;
    PairBatch batch_;
};

}  // namespace headlight
