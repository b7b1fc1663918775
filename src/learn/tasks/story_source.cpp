#include "learn/tasks/story_source.h"

#include <algorithm>

#include "core/bits.h"
#include "learn/tasks/prompt_source.h"

namespace headlight {
namespace {

/// Nearly as many as the longest story has.
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
