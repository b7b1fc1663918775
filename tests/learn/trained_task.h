// A task with the weights that come with the program, for the tests of what its card says.
#pragma once

#include <doctest/doctest.h>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/analyses/head_metrics.h"
#include "learn/sequence_task.h"
#include "learn/tasks/prompt_source.h"
#include "learn/training.h"

namespace headlight::trained_task {

/// Of the targets, and of the sequences all of whose targets are right.
struct Answers {
    Loss loss;
    long n_whole = 0, n_sequences = 0;

    double whole() const { return static_cast<double>(n_whole) / static_cast<double>(n_sequences); }
};

class TrainedTask {
  public:
    explicit TrainedTask(const char* name);

    const SequenceTask& task() const { return dynamic_cast<const SequenceTask&>(*task_); }
    Index n_numbers() const;  // of all weights together
    Index n_words() const;    // of the vocabulary, without the unknown one

    Answers score(const std::vector<Shard>& shards, const Interventions& interventions = {});
    Answers held_out(const Interventions& interventions = {}) {
        return score(task_->held_out(), interventions);
    }
    /// Examples of the task's source.
    Answers score(std::span<const SequenceExample> examples);

  private:
    const TaskEntry& entry_;
    std::unique_ptr<Task> task_;
    Trainer trainer_;
};

struct HeadPlace {
    int layer = 0, head = 0;

    /// "blocks.1.attn.heads.0.pattern"
    std::string path(const char* tensor) const;
    bool operator==(const HeadPlace&) const = default;
};

/// What these heads give out is zero.
Interventions without(std::span<const HeadPlace> heads);

/// The task's study on a text, with its heads' metrics and their chance levels.
Trace evaluate_text(const TaskEntry& entry, const std::string& text);

/// The heads that the program names for that metric, in that trace.
std::vector<HeadPlace> heads_named(const TaskEntry& entry, const Trace& trace, HeadMetric metric);
Scalar read_metric(const Trace& trace, HeadPlace head, HeadMetric metric);

/// The most likely next word after the last one, and its probability.
struct NextWord {
    std::string word;
    Scalar probability = 0;
};
NextWord next_word(const Trace& trace);
NextWord next_word(const char* task, const std::string& text);

/// As many words more as asked for, each the most likely one.
std::string continued(const char* task, std::string text, int n_words);

/// Mean weight of each head on one place, over all rows that are asked for. Rows whose place is
/// negative do not count.
struct HeadWeight {
    HeadPlace head;
    double mean = 0;
};
using FindKey = std::function<Index(const PromptedWords&, const AskedWord&)>;
std::vector<HeadWeight> weights_on(const TaskEntry& entry, std::span<const PromptedWords> sequences,
                                   const FindKey& find_key);

}  // namespace headlight::trained_task
