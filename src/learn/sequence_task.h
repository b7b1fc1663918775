// Sequence task: sentences of a source, learned by the network of a sentence study.
#pragma once

#include "learn/sequence_batch.h"
#include "learn/task.h"

namespace headlight {

/// Where sentences come from, and what is right in them.
class SequenceSource {
  public:
    virtual ~SequenceSource() = default;

    /// The first word stands for all that are unknown.
    virtual const std::vector<std::string>& vocabulary() const = 0;
    /// Of one sentence.
    virtual Index most_words() const = 0;
    virtual SequenceExample draw(Random& random) const = 0;
    /// Sentences that are never drawn. The same ones every time.
    virtual std::vector<SequenceExample> held_out() const = 0;
    /// How the answers are read.
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

    /// Words, if an example has several targets.
    const char* target_noun() const override { return has_many_targets_ ? "words" : "examples"; }

    const SequenceBatch& batch() const { return batch_; }

  private:
    std::unique_ptr<const SequenceSource> source_;
    Document study_;
    SequenceBatch batch_;
    bool has_many_targets_ = false;
};

}  // namespace headlight
