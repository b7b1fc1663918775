// Tasks on graphs: the class of every node.
#pragma once

#include "learn/task.h"

namespace headlight {

/// Finds the groups of a graph's nodes from a few that are known: the nodes of each group with the
/// most edges [Kipf 2017, Veličković 2018]. The others with a group are held out; their groups are
/// never trained.
class NodeTask : public Task {
  public:
    /// Throws Error if the recipe's study is no graph, if a class has no group or a group no class,
    /// or if no node is left to be tested.
    explicit NodeTask(const Recipe& recipe);

    const TrainingPlan& plan() const override { return plan_; }
    Document study() const override { return study_; }
    Shard draw(Random& random) const override;
    std::vector<Shard> held_out() const override;

    const char* target_noun() const override { return "nodes"; }
    std::string note() const override;
    std::string own_title() const override;

    /// Returns, for each node, true if it is known.
    const std::vector<bool>& known() const { return known_; }

  private:
    Shard shard(bool is_known) const;

    Document study_;
    TrainingPlan plan_;
    std::vector<bool> known_;
};

/// Dictionary lookup [Brody 2022, section 4]: k keys have a value each, k queries ask for the value
/// of one key each. Every query reads every key. GAT ranks the keys alike for all queries; GATv2
/// does not need to.
class DictionaryTask : public Task {
  public:
    /// There are as many keys as the study has classes.
    DictionaryTask(const Recipe& recipe, int shard_size);

    const TrainingPlan& plan() const override { return plan_; }
    Document study() const override { return study_; }
    Shard draw(Random& random) const override;
    std::vector<Shard> held_out() const override;
    const char* target_noun() const override { return "queries"; }
    std::string tested_noun() const override { return "queries of held-out dictionaries"; }

  private:
    Document study_;
    TrainingPlan plan_;
    TensorId embed_ = 0;
    Index n_keys_, n_dictionaries_;
};

/// Makes the karate club, each node with a feature of its own.
Document karate_study(GraphMechanism mechanism);
/// Makes 60 nodes of three groups: an edge within a group has the chance 0.25, between groups 0.02.
Document partition_study(GraphMechanism mechanism);
Document dictionary_study(GraphMechanism mechanism, int n_keys);

Recipe karate_gat_recipe();
Recipe karate_gatv2_recipe();
Recipe partition_recipe();
Recipe dictionary_gatv2_recipe();
Recipe dictionary_gat_recipe();

}  // namespace headlight
