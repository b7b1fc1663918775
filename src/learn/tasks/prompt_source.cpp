#include "learn/tasks/prompt_source.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/bits.h"
#include "core/mechanisms/word_table.h"

namespace headlight {
namespace {

constexpr std::size_t kTestedPrompts = 1000;
/// There may be fewer different prompts than are wanted.
constexpr int kMostTestDraws = 4000;

}  // namespace

PromptSource::PromptSource(std::vector<std::string> words) : vocabulary_(std::move(words)) {
    vocabulary_.insert(vocabulary_.begin(), std::string(kUnknownWord));
}

bool PromptSource::is_held_out(const PromptedWords& prompted) {
    Fnv1a sum;
    for (Index i = 0; i < prompted.n_prompt; ++i) {
        sum.add_bytes(prompted.words[static_cast<std::size_t>(i)]);
        sum.add(' ');
    }
    return mix_bits(sum.value()) % 5 == 0;
}

SequenceExample PromptSource::draw(Random& random) const {
    PromptedWords prompted = make(random);
    while (is_held_out(prompted)) prompted = make(random);
    return example(prompted);
}

PromptedWords PromptSource::draw_held_out(Random& random) const {
    PromptedWords prompted = make(random);
    while (!is_held_out(prompted)) prompted = make(random);
    return prompted;
}

std::vector<SequenceExample> PromptSource::held_out() const {
    Random random(kHeldOutSeed);
    std::set<std::vector<std::string>> met;
    std::vector<SequenceExample> examples;
    for (int k = 0; k < kMostTestDraws && examples.size() < kTestedPrompts; ++k) {
        const PromptedWords prompted = draw_held_out(random);
        if (met.insert(prompted.words).second) examples.push_back(example(prompted));
    }
    return examples;
}

Index PromptSource::find_row(const std::string& word) const {
    const auto found = std::ranges::find(vocabulary_, word);
    return found == vocabulary_.end() ? 0 : found - vocabulary_.begin();
}

SequenceExample PromptSource::example(const PromptedWords& prompted) const {
    SequenceExample example;
    for (const std::string& word : prompted.words) example.words.push_back(find_row(word));
    for (const AskedWord& asked : prompted.asked)
        example.targets.push_back({asked.place, find_row(asked.right)});
    return example;
}

void PromptedWords::answer(const std::vector<std::string>& those) {
    for (const std::string& word : those) {
        asked.push_back({std::ssize(words) - 1, word});
        words.push_back(word);
    }
}

Recipe word_recipe(const char* task, const char* text, const StackSettings& settings) {
    return {.task = task,
            .study = {.study = SentenceStudy{.text = text, .layer = settings}, .interventions = {}},
            .steps = 2000,
            .batch = 64,
            .learning_rate = 3e-3,
            .warm_up = 50,
            .seed = 1,
            .optimizer = {.rule = Rule::Adam, .clip_norm = 1}};
}

}  // namespace headlight
