#include "learn/tasks/induction_source.h"

#include "learn/tasks/grammar_text.h"

namespace headlight {
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

}  // namespace headlight
