#include "learn/tasks/brackets_source.h"

#include <algorithm>
#include <utility>

#include "learn/tasks/grammar_text.h"

namespace headlight {
namespace {

constexpr Index kMostPairs = 10;

/// Returns so many pairs in any order, all orders alike.
std::vector<std::string> shuffled_pairs(Random& random, Index n_pairs) {
    std::vector<std::string> brackets(static_cast<std::size_t>(2 * n_pairs), ")");
    std::fill_n(brackets.begin(), n_pairs, "(");
    for (auto last = brackets.size() - 1; last > 0; --last)
        std::swap(brackets[last],
                  brackets[static_cast<std::size_t>(random.below(static_cast<Index>(last) + 1))]);
    return brackets;
}

/// A row that goes below zero is turned around at its lowest place: then it is balanced.
void make_balanced(std::vector<std::string>& brackets) {
    Index depth = 0, lowest = 0;
    auto begin = brackets.begin();
    for (auto at = brackets.begin(); at != brackets.end(); ++at) {
        depth += *at == "(" ? 1 : -1;
        if (depth < lowest) lowest = depth, begin = at + 1;
    }
    std::rotate(brackets.begin(), begin, brackets.end());
}

}  // namespace

BracketsSource::BracketsSource()
    : PromptSource(words_between_blanks("( ) = balanced unbalanced")) {}

Index BracketsSource::most_words() const {
    return 2 * kMostPairs + 2;
}

bool is_balanced(std::span<const std::string> brackets) {
    Index depth = 0;
    for (const std::string& bracket : brackets) {
        depth += bracket == "(" ? 1 : -1;
        if (depth < 0) return false;
    }
    return depth == 0;
}

PromptedWords BracketsSource::make(Random& random) const {
    // Short rows are few: long ones are drawn more often.
    const Index n_pairs = std::max(1 + random.below(kMostPairs), 1 + random.below(kMostPairs));
    std::vector<std::string> brackets = shuffled_pairs(random, n_pairs);
    if (random.chance(0.5)) {
        make_balanced(brackets);
        if (random.chance(0.25)) {
            std::string& one = brackets[static_cast<std::size_t>(random.below(2 * n_pairs))];
            one = one == "(" ? ")" : "(";
        }
    }
    PromptedWords prompted{brackets, std::ssize(brackets), {}};
    prompted.words.push_back(kAnswerSign);
    prompted.answer({is_balanced(brackets) ? "balanced" : "unbalanced"});
    return prompted;
}

Recipe brackets_recipe() {
    StackSettings settings{
        .n_layers = 2, .d_model = 64, .positions = Positions::None, .mask = {.causal = Switch::On}};
    settings.attention.n_heads = 1;
    settings.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Gelu, .d_ff = 64};
    settings.final_norm = Switch::On;
    settings.unembedding = Unembedding::Learned;
    return word_recipe("brackets", "( ( ) ( ( ) ) ) = balanced", settings);
}

}  // namespace headlight
