#include "learn/tasks/letters_source.h"

#include <algorithm>

#include "learn/tasks/grammar_text.h"

namespace headlight {
namespace {

constexpr const char* kLetters = "a b c d e f g h i j k l m n o p q r s t u v w x y z";
constexpr Index kLeastLetters = 2, kMostLetters = 8, kMostToRemember = 16;

}  // namespace

LettersSource::LettersSource(Answer answer)
    : PromptSource(words_between_blanks(std::string(kLetters) + " =")), answer_(answer) {}

Index LettersSource::most_words() const {
    return 2 * kMostLetters + 1;
}

PromptedWords LettersSource::make(Random& random) const {
    const Index n = kLeastLetters + random.below(kMostLetters - kLeastLetters + 1);
    std::vector<std::string> left(vocabulary().begin() + 1, vocabulary().end() - 1), letters;
    for (Index i = 0; i < n; ++i) {
        const Index k = random.below(std::ssize(left));
        letters.push_back(left[static_cast<std::size_t>(k)]);
        left.erase(left.begin() + k);
    }
    PromptedWords prompted{letters, n, {}};
    if (answer_ == Answer::Reverse) std::ranges::reverse(letters);
    if (answer_ == Answer::Sort) std::ranges::sort(letters);
    prompted.words.push_back(kAnswerSign);
    prompted.answer(letters);
    return prompted;
}

PreviousWordSource::PreviousWordSource() : PromptSource(words_between_blanks(kLetters)) {}

Index PreviousWordSource::most_words() const {
    return kMostToRemember;
}

/// A text may end at any of its words.
PromptedWords PreviousWordSource::make(Random& random) const {
    PromptedWords prompted{{random.one_of(vocabulary())}, kMostToRemember, {}};
    for (Index i = 1; i < kMostToRemember; ++i) {
        prompted.asked.push_back({i, prompted.words.back()});
        prompted.words.push_back(random.one_of(vocabulary()));
    }
    return prompted;
}

namespace {

/// Returns the settings of a network with one head in each layer. The last layer points: its
/// attention says which letter comes next.
StackSettings pointing_settings(int n_layers, Positions positions) {
    StackSettings settings{.n_layers = n_layers,
                           .last_layer = LastLayer::Pointing,
                           .d_model = 64,
                           .positions = positions,
                           .mask = {.causal = Switch::On}};
    settings.attention.n_heads = 1;
    settings.unembedding = Unembedding::Learned;
    return settings;
}

}  // namespace

Recipe previous_word_recipe() {
    StackSettings settings = pointing_settings(1, Positions::None);
    settings.attention.relative = RelativePositions::Rotary;
    Recipe recipe = word_recipe("previous-word", "k f q b z m a t", settings);
    recipe.steps = 240;
    recipe.learning_rate = 2e-2;
    return recipe;
}

Recipe copy_recipe() {
    Recipe recipe =
        word_recipe("copy", "c a d b e = c a d b e", pointing_settings(2, Positions::Learned));
    recipe.learning_rate = 1e-2;
    return recipe;
}

Recipe reverse_recipe() {
    Recipe recipe = copy_recipe();
    recipe.task = "reverse";
    recipe.study.sentence()->text = "c a d b e = e b d a c";
    return recipe;
}

Recipe sort_recipe() {
    StackSettings settings = pointing_settings(1, Positions::None);
    settings.block.norm = Norm::Pre;
    return word_recipe("sort", "c a d b e = a b c d e", settings);
}

}  // namespace headlight
