#include "learn/tasks/story_source.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/bits.h"
#include "core/error.h"
#include "core/mechanisms/word_table.h"
#include "embedded_grammars.h"
#include "learn/tasks/prompt_source.h"

namespace headlight {
namespace {

/// "@hero.name" is "hero".
std::string name_in(const std::string& word) {
    return word.substr(1, word.find('.') == std::string::npos ? word.npos : word.find('.') - 1);
}

}  // namespace

StoryGrammar::StoryGrammar() {
    for (const GrammarLine& line : grammar_lines(embedded_grammars("story.grammar")))
        add_line(line);
    std::set<std::string> words{"an"};
    for (const auto& [name, entries] : parts_)
        for (const Words& entry : entries) collect_words(entry, words);
    vocabulary_.assign(words.begin(), words.end());
    vocabulary_.insert(vocabulary_.begin(), std::string(kUnknownWord));
}

void StoryGrammar::add_line(const GrammarLine& line) {
    const std::string& kind = line.head[0];
    if (kind == "choice")
        choices_.push_back({line.head.at(1),
                            {line.head.begin() + 2, line.head.end()},
                            weighted_entries(line.rest)});
    else if (kind == "group")
        groups_[line.head.at(1)] = weighted_entries(line.rest);
    else if (kind == "part")
        parts_[line.head.at(1)] = weighted_entries(line.rest);
    else if (kind == "plot")
        plots_.push_back(words_between_blanks(line.rest));
    else if (kind == "different")
        different_ = words_between_blanks(line.rest);
    else
        throw Error("grammar", "there is no line of the kind '{}'", kind);
}

const StoryGrammar::Choice& StoryGrammar::choice(const std::string& name) const {
    const auto found = std::ranges::find(choices_, name, &Choice::name);
    if (found == choices_.end()) throw Error("grammar", "there is no choice '{}'", name);
    return *found;
}

StoryGrammar::Words StoryGrammar::chosen_words(const std::string& word, const Words& entry) const {
    const Words& fields = choice(name_in(word)).fields;
    if (fields.empty()) return entry;
    const std::size_t dot = word.find('.');
    if (dot == std::string::npos) return {entry.at(0)};
    const auto field = std::ranges::find(fields, word.substr(dot + 1));
    if (field == fields.end()) throw Error("grammar", "there is no '{}'", word);
    return {entry.at(static_cast<std::size_t>(field - fields.begin()))};
}

void StoryGrammar::collect_words(const Words& entry, std::set<std::string>& words) const {
    for (const std::string& word : entry)
        if (word[0] == '$') {
            for (const Words& other : groups_.at(word.substr(1))) collect_words(other, words);
        } else if (word[0] == '@') {
            for (const Words& chosen : choice(name_in(word)).entries)
                for (const std::string& one : chosen_words(word, chosen)) words.insert(one);
        } else {
            words.insert(word);
        }
}

/// One story while it is told.
class StoryGrammar::Telling {
  public:
    Telling(const StoryGrammar& grammar, Random& random) : grammar_(grammar), random_(random) {
        for (const Choice& choice : grammar.choices_) chosen_[choice.name] = draw_choice(choice);
    }

    Story tell() {
        for (const std::string& part : one_of(grammar_.plots_))
            say(one_of(grammar_.parts_.at(part)));
        set_articles(story_.words);
        return std::move(story_);
    }

  private:
    struct Chosen {
        Words entry;
        double nats = 0;
        bool is_said = false;
    };

    Chosen draw_choice(const Choice& choice) {
        Entries open = choice.entries;
        if (choice.name == grammar_.different_.at(1))
            std::erase(open, chosen_.at(grammar_.different_[0]).entry);
        return {random_.one_of(open), std::log(static_cast<double>(open.size()))};
    }

    const Words& one_of(const Entries& entries) {
        story_.nats += std::log(static_cast<double>(entries.size()));
        return random_.one_of(entries);
    }

    void say(const Words& entry) {
        for (const std::string& word : entry)
            if (word[0] == '$') {
                say(one_of(grammar_.groups_.at(word.substr(1))));
            } else if (word[0] == '@') {
                Chosen& chosen = chosen_.at(name_in(word));
                // A choice that is never said is no part of the story.
                if (!chosen.is_said) story_.nats += chosen.nats;
                chosen.is_said = true;
                for (const std::string& said : grammar_.chosen_words(word, chosen.entry))
                    story_.words.push_back(said);
            } else {
                story_.words.push_back(word);
            }
    }

    const StoryGrammar& grammar_;
    Random& random_;
    std::map<std::string, Chosen> chosen_;
    Story story_;
};

Story StoryGrammar::draw(Random& random) const {
    return Telling(*this, random).tell();
}

namespace {

/// Nearly as many words as the longest story has.
constexpr Index kStoryWords = 104;
constexpr int kTestedStories = 300;
constexpr std::uint64_t kTestedStoriesSeed = 0x5707;

bool is_never_told(const Story& story) {
    Fnv1a sum;
    for (const std::string& word : story.words) {
        sum.add_bytes(word);
        sum.add(' ');
    }
    return mix_bits(sum.value()) % 5 == 0;
}

}  // namespace

Index StorySource::most_words() const {
    return kStoryWords;
}

Story StorySource::draw_story(Random& random, Told told) const {
    Story story = grammar_.draw(random);
    while (is_never_told(story) != (told == Told::Never)) story = grammar_.draw(random);
    return story;
}

SequenceExample StorySource::example(const std::vector<std::string>& words) const {
    const std::vector<std::string>& known = vocabulary();
    SequenceExample example;
    for (const std::string& word : words) {
        const Index row = std::lower_bound(known.begin() + 1, known.end(), word) - known.begin();
        const Index place = std::ssize(example.words);
        if (place > 0) example.targets.push_back({place - 1, row});
        if (place == kStoryWords) break;
        example.words.push_back(row);
    }
    return example;
}

SequenceExample StorySource::draw(Random& random) const {
    std::vector<std::string> words;
    while (std::ssize(words) <= kStoryWords) {
        const Story story = draw_story(random, Told::InTraining);
        words.insert(words.end(), story.words.begin(), story.words.end());
    }
    return example(words);
}

std::vector<Story> StorySource::held_out_stories() const {
    Random random(kTestedStoriesSeed);
    std::vector<Story> stories;
    for (int k = 0; k < kTestedStories; ++k) stories.push_back(draw_story(random, Told::Never));
    return stories;
}

std::vector<SequenceExample> StorySource::held_out() const {
    std::vector<SequenceExample> examples;
    for (const Story& story : held_out_stories()) examples.push_back(example(story.words));
    return examples;
}

Recipe language_model_recipe() {
    StackSettings settings{.n_layers = 3,
                           .d_model = 96,
                           .positions = Positions::Learned,
                           .mask = {.causal = Switch::On}};
    settings.attention.n_heads = 4;
    settings.attention.bias = Switch::On;
    settings.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Gelu, .d_ff = 384};
    settings.final_norm = Switch::On;
    settings.unembedding = Unembedding::Learned;
    Recipe recipe = word_recipe("language-model",
                                "once upon a time there was a little boy named tom . one day tom "
                                "found a red ball near the lake . he wanted to show the",
                                settings);
    recipe.batch = 16;
    return recipe;
}

}  // namespace headlight
