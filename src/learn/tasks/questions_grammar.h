// The grammar of "Three questions": sentences in which each word asks who, in what state and doing
// what, and in which the answers stand.
//
// Goals: the grammar that draws the sentences of a training also says of any sentence whether it
// could have drawn it, and which answers are right there. Not goals: more of English than
// assets/grammars/three-questions.grammar has, which says what its lines mean.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/settings.h"
#include "learn/random.h"

namespace headlight {

inline constexpr std::size_t kQuestions = kQuestionNames.size();  // who, state, action

/// The place of an answer, and its share: two nouns of which either may be meant have one each.
struct AnswerShare {
    Index place = 0;
    double share = 1;

    bool operator==(const AnswerShare&) const = default;
};

/// The answer of one word to one question; the shares sum to 1. A word without an answer answers
/// with itself.
using WordAnswer = std::vector<AnswerShare>;

struct QuestionSentence {
    std::vector<std::string> words;
    std::array<std::vector<WordAnswer>, kQuestions> answers;  // by word
    std::string frame;
    /// The pronoun whose noun the adjective decides, if there is one.
    std::optional<Index> pronoun;
};

/// The kinds of sentences that are drawn.
enum class QuestionPart {
    Trained,    // frames and pairs of nouns of the training
    HeldPairs,  // its frames with pairs that it never has together
    HeldFrames  // frames that it never has, with such pairs
};

struct QuestionTables;

class QuestionsGrammar {
  public:
    /// Throws Error if the grammar has a line or a name that is unknown.
    QuestionsGrammar();

    QuestionSentence draw(Random& random, QuestionPart part) const;
    /// Returns the sentence with its right answers; nothing if the grammar could not have drawn it.
    /// Capital letters and a full stop at the end do not count.
    std::optional<QuestionSentence> recognise(std::span<const std::string> words) const;

    /// Returns kUnknownWord, then every word that a sentence can have, in order.
    const std::vector<std::string>& vocabulary() const { return vocabulary_; }
    std::size_t n_frames() const;

  private:
    std::shared_ptr<const QuestionTables> tables_;
    std::vector<std::string> vocabulary_;
};

}  // namespace headlight
