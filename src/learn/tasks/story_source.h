// Language model: little stories, word by word.
#pragma once

#include "learn/sequence_task.h"
#include "learn/tasks/story_grammar.h"

namespace headlight {

/// Every word of a text is asked for at the one before it. A text begins where a story begins, and
/// runs on into the next ones. One story in five is never trained, by a checksum of its words.
class StorySource : public SequenceSource {
  public:
    const std::vector<std::string>& vocabulary() const override { return grammar_.vocabulary(); }
    Index most_words() const override;
    SequenceExample draw(Random& random) const override;
    /// Whole stories, each by itself.
    std::vector<SequenceExample> held_out() const override;

    /// Stories that are never trained, the same ones as those of held_out.
    std::vector<Story> held_out_stories() const;

  private:
    enum class Told { InTraining, Never };
    Story draw_story(Random& random, Told told) const;
    SequenceExample example(const std::vector<std::string>& words) const;

    StoryGrammar grammar_;
};

Recipe language_model_recipe();

}  // namespace headlight
