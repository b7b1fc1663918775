// Prompt source: sequences of words that are told apart by how they begin.
//
// Goals: one prompt in five is never trained, by a checksum of its words, so that what is tested
// was never seen.
#pragma once

#include <string>
#include <vector>

#include "learn/sequence_task.h"

namespace headlight {

/// A place of a sequence, and the word that is right after it.
struct AskedWord {
    Index place = 0;
    std::string right;
};

/// The prompt, its first words, tells one sequence from another.
struct PromptedWords {
    std::vector<std::string> words;
    Index n_prompt = 0;
    std::vector<AskedWord> asked;

    /// Adds an answer: each of its words is asked for at the place before it.
    void answer(const std::vector<std::string>& those);
};

class PromptSource : public SequenceSource {
  public:
    const std::vector<std::string>& vocabulary() const override { return vocabulary_; }
    SequenceExample draw(Random& random) const override;
    std::vector<SequenceExample> held_out() const override;

    /// Draws a new sequence whose prompt is never trained.
    PromptedWords draw_held_out(Random& random) const;
    /// Makes an example; words that the vocabulary does not have are the unknown one.
    SequenceExample example(const PromptedWords& prompted) const;

    /// True of one prompt in five.
    static bool is_held_out(const PromptedWords& prompted);

  protected:
    /// The vocabulary is the unknown word and these, which are all different.
    explicit PromptSource(std::vector<std::string> words);

    /// Makes any sequence.
    virtual PromptedWords make(Random& random) const = 0;

  private:
    Index find_row(const std::string& word) const;

    std::vector<std::string> vocabulary_;
};

/// Trains that network with Adam, in batches of 64 sequences. The text shows what was learned.
Recipe word_recipe(const char* task, const char* text, const StackSettings& settings);

}  // namespace headlight
