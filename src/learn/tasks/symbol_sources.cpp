#include "learn/tasks/symbol_sources.h"

#include <algorithm>
#include <utility>

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

namespace {

constexpr const char* kWords =
    "a b c d e f g h i j k l m n o p q r s t u v w x y z the cat dog sat on mat and it was in of "
    "to he she we you they one two three red green blue big small old new day night sun moon sea "
    "tree bird fish house door book song king queen boy girl man woman bread milk rain snow wind "
    "fire stone river road town ran saw said went came took gave good bad hot cold";

constexpr Index kInductionWords = 24;
/// The lengths of a row of new words, the least length of a piece that is said again, and the
/// chance that one is said again.
constexpr Index kShortestFirst = 4, kLongestFirst = 10, kLongestLater = 6, kShortestPiece = 3;
constexpr double kAgainShare = 0.6;

Index between(Random& random, Index least, Index most) {
    return least + random.below(most - least + 1);
}

/// Says new words and pieces of what was said.
class Repeating {
  public:
    Repeating(Random& random, std::vector<std::string> words)
        : random_(random), left_(std::move(words)) {}

    void say_new(Index n) {
        passages_.push_back({std::ssize(said_.words), n});
        for (; n > 0; --n) {
            const Index k = random_.below(std::ssize(left_));
            said_.words.push_back(left_[static_cast<std::size_t>(k)]);
            left_.erase(left_.begin() + k);
        }
    }

    /// Says words again that were said in a row, each at most once.
    void say_again() {
        const Index which = random_.below(std::ssize(passages_));
        const Passage passage = passages_[static_cast<std::size_t>(which)];
        passages_.erase(passages_.begin() + which);
        const Index n = between(random_, kShortestPiece, passage.length);
        const auto begin =
            said_.words.begin() + passage.begin + random_.below(passage.length - n + 1);
        const std::vector<std::string> piece(begin, begin + n);
        said_.words.push_back(piece.front());
        said_.answer({piece.begin() + 1, piece.end()});
    }

    bool can_say_again() const { return !passages_.empty(); }
    PromptedWords& said() { return said_; }

  private:
    struct Passage {
        Index begin = 0, length = 0;
    };

    Random& random_;
    std::vector<std::string> left_;
    std::vector<Passage> passages_;  // of which nothing was said again
    PromptedWords said_;
};

}  // namespace

InductionSource::InductionSource() : PromptSource(words_between_blanks(kWords)) {}

Index InductionSource::most_words() const {
    return kInductionWords;
}

PromptedWords InductionSource::make(Random& random) const {
    Repeating repeating(random, vocabulary());
    repeating.say_new(between(random, kShortestFirst, kLongestFirst));
    PromptedWords& said = repeating.said();
    said.n_prompt = std::ssize(said.words);
    while (std::ssize(said.words) < kInductionWords) {
        if (repeating.can_say_again() && random.chance(kAgainShare))
            repeating.say_again();
        else
            repeating.say_new(between(random, kShortestPiece, kLongestLater));
    }
    said.words.resize(static_cast<std::size_t>(kInductionWords));
    std::erase_if(said.asked,
                  [](const AskedWord& asked) { return asked.place + 1 >= kInductionWords; });
    return said;
}

Recipe induction_recipe() {
    StackSettings settings{
        .n_layers = 2, .d_model = 64, .positions = Positions::None, .mask = {.causal = Switch::On}};
    settings.attention.n_heads = 2;
    settings.attention.relative = RelativePositions::Buckets;
    settings.unembedding = Unembedding::Learned;
    Recipe recipe = word_recipe("induction", "k f q b z m a t k f q b z m a t", settings);
    recipe.learning_rate = 1e-2;
    return recipe;
}

Recipe one_layer_recipe() {
    Recipe recipe = induction_recipe();
    recipe.task = "induction-one-layer";
    recipe.study.sentence()->layer.n_layers = 1;
    return recipe;
}

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
