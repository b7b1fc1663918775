// Three questions: each word of a sentence asks who, in what state and doing what, and a head of
// the last layer points at each answer.
#pragma once

#include "learn/sequence_task.h"
#include "learn/tasks/questions_grammar.h"

namespace headlight {

/// The patterns of the last layer are learned themselves: a row of head q is the answer of its word
/// to question q.                                       [a pointer network, Vinyals et al. 2015]
class QuestionsTask : public Task {
  public:
    /// Throws Error if the recipe's study is not about a sentence or has another readout.
    QuestionsTask(const Recipe& recipe, int shard_size);

    const TrainingPlan& plan() const override { return plan_; }
    Document study() const override { return study_; }
    Shard draw(Random& random) const override;
    std::vector<Shard> held_out() const override;
    const char* target_noun() const override { return "answers"; }
    std::string tested_noun() const override {
        return "answers in sentences with held-out pairs of nouns";
    }

    const QuestionsGrammar& grammar() const { return grammar_; }
    Index size() const { return n_sentences_; }
    /// Fills a shard with at most as many sentences as there is room for; the rest is padding.
    Shard shard(std::span<const QuestionSentence> sentences) const;

  private:
    std::vector<Scalar> rows_of(const QuestionSentence& sentence) const;

    QuestionsGrammar grammar_;
    Document study_;
    Index n_sentences_;
    TrainingPlan plan_;
    TensorId tokens_ = 0, mask_ = 0;
};

Recipe questions_recipe();

/// Returns "not a sentence of the kind that it was trained on" where trained weights answer the
/// three questions about a sentence that the grammar of their training could not have drawn; of
/// several sentences, which ones. Returns "" otherwise.
std::string outside_note(const Document& document);

}  // namespace headlight
