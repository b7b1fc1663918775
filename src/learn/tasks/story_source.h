// Language model: little stories, word by word.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "learn/random.h"
#include "learn/sequence_task.h"
#include "learn/tasks/grammar_text.h"

namespace headlight {

struct Story {
    std::vector<std::string> words;
    /// −log of the probability of its derivation: the grammar's own cost of the story. Stories that
    /// are derived in several ways cost less than that.
    double nats = 0;
};

class StoryGrammar {
  public:
    /// Reads assets/grammars/story.grammar, which says what its lines mean. Throws Error if a name
    /// in it is unknown.
    StoryGrammar();

    Story draw(Random& random) const;

    /// Returns kUnknownWord, then every word that a story can have, in order.
    const std::vector<std::string>& vocabulary() const { return vocabulary_; }

  private:
    using Words = std::vector<std::string>;
    using Entries = std::vector<Words>;
    /// A choice that is drawn once for each story.
    struct Choice {
        std::string name;
        Words fields;  // of one word each; none: an entry is a whole
        Entries entries;
    };
    class Telling;

    void add_line(const GrammarLine& line);
    const Choice& choice(const std::string& name) const;
    /// Returns the words that "@name.field" stands for in an entry.
    Words chosen_words(const std::string& word, const Words& entry) const;
    /// Collects all words that an entry can become.
    void collect_words(const Words& entry, std::set<std::string>& words) const;

    std::vector<Choice> choices_;  // in the order in which they are drawn
    std::map<std::string, Entries> groups_, parts_;
    Entries plots_;
    Words different_;  // two choices
    Words vocabulary_;
};

/// Every word of a text is asked for at the one before it. A text begins where a story begins, and
/// runs on into the next ones. One story in five is never trained, by a checksum of its words.
class StorySource : public SequenceSource {
  public:
    const std::vector<std::string>& vocabulary() const override { return grammar_.vocabulary(); }
    Index most_words() const override;
    SequenceExample draw(Random& random) const override;
    /// Returns whole stories, each by itself.
    std::vector<SequenceExample> held_out() const override;

    /// Returns stories that are never trained, the same ones as those of held_out.
    std::vector<Story> held_out_stories() const;

  private:
    enum class Told { InTraining, Never };
    Story draw_story(Random& random, Told told) const;
    SequenceExample example(const std::vector<std::string>& words) const;

    StoryGrammar grammar_;
};

Recipe language_model_recipe();

}  // namespace headlight
