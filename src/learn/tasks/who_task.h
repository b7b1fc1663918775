// "Who is it?": which noun of a sentence its pronoun stands for.
#pragma once

#include "learn/sequence_batch.h"
#include "learn/task.h"
#include "learn/tasks/who_grammar.h"

namespace headlight {

class WhoTask : public Task {
  public:
    WhoTask(const Recipe& recipe, int shard_size, LastLayer last_layer = LastLayer::Pointing);

    const TrainingPlan& plan() const override { return batch_.plan(); }
    Shard draw(Random& random) const override;
    std::vector<Shard> held_out() const override;

    const WhoGrammar& grammar() const { return grammar_; }
    const SequenceBatch& batch() const { return batch_; }
    /// A sentence, and that noun of its vocabulary which is right.
    SequenceExample example(const std::vector<std::string>& words, const std::string& right) const;

    static StackSettings settings(LastLayer last_layer);
    static Document study(LastLayer last_layer, SharedWeights weights);

  private:
    Index row_of(const std::string& word) const;

    WhoGrammar grammar_;
    SequenceBatch batch_;
};

}  // namespace headlight
