// Sources of sequences of symbols: sums, brackets, words that are said again, letters in order.
#pragma once

#include "learn/tasks/prompt_source.h"

namespace headlight {

/// Two numbers and their sum, digit by digit: "4 7 + 3 8 = 5 8 ." is 47 + 38 = 85. The digits of
/// the sum are written from the ones on, so that each needs only what was said.
class AdditionSource : public PromptSource {
  public:
    AdditionSource();
    Index most_words() const override;

    /// Returns the words of that sum.
    static PromptedWords sum(Index a, Index b);

  protected:
    PromptedWords make(Random& random) const override;
};

Recipe addition_recipe();

/// Is a row of brackets balanced? "( ( ) ) = balanced", "( ) ) ( = unbalanced". One row in two is
/// balanced. One in two of the others has as many ")" as "(".
class BracketsSource : public PromptSource {
  public:
    BracketsSource();
    Index most_words() const override;

  protected:
    PromptedWords make(Random& random) const override;
};

/// True if no ")" stands without a "(" before it, and none is left open.
bool is_balanced(std::span<const std::string> brackets);

Recipe brackets_recipe();

/// Random words, pieces of which are said again: the word that followed another one the first time
/// follows it again. The distance to it changes from piece to piece, so that positions say nothing
/// without the words. Every word is said once or twice. The words of a piece are asked for, except
/// its first.
class InductionSource : public PromptSource {
  public:
    InductionSource();
    Index most_words() const override;

  protected:
    PromptedWords make(Random& random) const override;
};

Recipe induction_recipe();
/// Makes the recipe of a network with one layer.
Recipe one_layer_recipe();

/// A row of letters, and the same letters copied, reversed or sorted: "c a d b = b d a c". The
/// letters are different.
class LettersSource : public PromptSource {
  public:
    enum class Answer { Copy, Reverse, Sort };

    explicit LettersSource(Answer answer);
    Index most_words() const override;

  protected:
    PromptedWords make(Random& random) const override;

  private:
    Answer answer_;
};

/// A source with one of these answers.
template <LettersSource::Answer answer>
class LettersTo : public LettersSource {
  public:
    LettersTo() : LettersSource(answer) {}
};

Recipe copy_recipe();
Recipe reverse_recipe();
Recipe sort_recipe();

/// Draws any letters. The next word is always the one before the last: after "k f q b" comes "q".
class PreviousWordSource : public PromptSource {
  public:
    PreviousWordSource();
    Index most_words() const override;

  protected:
    PromptedWords make(Random& random) const override;
};

Recipe previous_word_recipe();

}  // namespace headlight
