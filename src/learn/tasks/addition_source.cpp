#include "learn/tasks/addition_source.h"

#include <algorithm>

#include "learn/tasks/grammar_text.h"

namespace headlight {
namespace {

/// The most digits of each number.
constexpr Index kMostDigits = 3;

std::vector<std::string> split_digits(Index number) {
    std::vector<std::string> digits;
    for (const char digit : std::to_string(number)) digits.emplace_back(1, digit);
    return digits;
}

/// Draws a number of one to kMostDigits digits, all counts of digits alike.
Index some_number(Random& random) {
    Index end = 10;
    for (Index more = random.below(kMostDigits); more > 0; --more) end *= 10;
    return random.below(end);
}

}  // namespace

AdditionSource::AdditionSource()
    : PromptSource(words_between_blanks("0 1 2 3 4 5 6 7 8 9 + = .")) {}

Index AdditionSource::most_words() const {
    return 3 * kMostDigits + 4;
}

PromptedWords AdditionSource::sum(Index a, Index b) {
    PromptedWords prompted;
    std::vector<std::string>& words = prompted.words;
    words = split_digits(a);
    words.push_back("+");
    for (const std::string& digit : split_digits(b)) words.push_back(digit);
    prompted.n_prompt = std::ssize(words);
    words.push_back(kAnswerSign);
    std::vector<std::string> answer = split_digits(a + b);
    std::ranges::reverse(answer);
    answer.push_back(".");
    prompted.answer(answer);
    return prompted;
}

PromptedWords AdditionSource::make(Random& random) const {
    const Index a = some_number(random);
    return sum(a, some_number(random));
}

Recipe addition_recipe() {
    StackSettings settings{.n_layers = 3,
                           .d_model = 64,
                           .positions = Positions::Learned,
                           .mask = {.causal = Switch::On}};
    settings.attention.n_heads = 4;
    settings.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Gelu, .d_ff = 128};
    settings.final_norm = Switch::On;
    settings.unembedding = Unembedding::Learned;
    Recipe recipe = word_recipe("addition", "2 4 7 + 3 8 = 5 8 2 .", settings);
    recipe.steps = 4000;
    return recipe;
}

}  // namespace headlight
