// Letters: a row of letters and an answer made of them: copied, reversed, sorted, or the one
// before.
#pragma once

#include "learn/tasks/prompt_source.h"

namespace headlight {

/// "c a d b = b d a c". Its letters are different.
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
