#include "learn/tasks/translation_source.h"

#include <algorithm>

namespace headlight {
namespace {

/// Longer sentences of the grammar are drawn again.
constexpr Index kMostEnglishWords = 44, kMostFrenchWords = 47;
constexpr int kHeldTranslations = 480;

/// The words but the first ones are in order.
std::vector<Index> rows_among(const std::vector<std::string>& vocabulary, std::ptrdiff_t n_special,
                              const std::vector<std::string>& words) {
    std::vector<Index> rows;
    for (const std::string& word : words) {
        const auto found = std::lower_bound(vocabulary.begin() + n_special, vocabulary.end(), word);
        rows.push_back(found != vocabulary.end() && *found == word ? found - vocabulary.begin()
                                                                   : 0);
    }
    return rows;
}

AlignmentStudy famous_pair(AlignmentMechanism mechanism) {
    return {.source = "The agreement on the European Economic Area was signed in August 1992.",
            .target = "L'accord sur la zone économique européenne a été signé en août 1992.",
            .mechanism = mechanism,
            .layer = {},
            .recurrent = {}};
}

}  // namespace

Index TranslationSource::most_source_words() const {
    return kMostEnglishWords;
}

Index TranslationSource::most_target_words() const {
    return kMostFrenchWords;
}

PairExample TranslationSource::example(const TranslatedSentence& sentence) const {
    constexpr std::ptrdiff_t kSpecialEnglish = 1, kSpecialFrench = 3;
    return {rows_among(grammar_.english(), kSpecialEnglish, sentence.english),
            rows_among(grammar_.french(), kSpecialFrench, sentence.french)};
}

PairExample TranslationSource::draw(Random& random) const {
    while (true) {
        const TranslatedSentence sentence = grammar_.draw(random, TranslationPart::Trained);
        if (std::ssize(sentence.english) <= kMostEnglishWords &&
            std::ssize(sentence.french) <= kMostFrenchWords)
            return example(sentence);
    }
}

std::vector<PairExample> TranslationSource::held_out() const {
    Random random(kHeldOutSeed);
    std::vector<PairExample> examples;
    for (int k = 0; k < kHeldTranslations; ++k)
        examples.push_back(example(grammar_.draw(random, TranslationPart::Held, 1)));
    return examples;
}

Document recurrent_translation_study(Switch attention) {
    AlignmentStudy study = famous_pair(AlignmentMechanism::Recurrent);
    study.recurrent = {.cell_type = RecurrentCellType::Gru,
                       .bidirectional = Switch::On,
                       .attention = attention,
                       .feeding = Feeding::Teacher,
                       .d_model = 48,
                       .d_state = 48,
                       .d_hidden = 48};
    return {.study = std::move(study), .seed = 1, .interventions = {}};
}

Document transformer_translation_study() {
    AlignmentStudy study = famous_pair(AlignmentMechanism::Transformer);
    StackSettings& layer = study.layer;
    layer = {.n_layers = 2, .d_model = 64, .positions = Positions::Learned};
    layer.attention.n_heads = 4;
    layer.attention.bias = Switch::On;
    layer.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Relu, .d_ff = 128};
    layer.final_norm = Switch::On;
    layer.unembedding = Unembedding::Learned;
    return {.study = std::move(study), .seed = 1, .interventions = {}};
}

Recipe translation_recipe() {
    return {.task = "translation",
            .study = recurrent_translation_study(Switch::On),
            .steps = 1200,
            .batch = 48,
            .learning_rate = 4e-3,
            .warm_up = 30,
            .seed = 1,
            .optimizer = {.rule = Rule::Adam, .clip_norm = 1}};
}

Recipe blind_translation_recipe() {
    Recipe recipe = translation_recipe();
    recipe.task = "translation-without-attention";
    recipe.study = recurrent_translation_study(Switch::Off);
    return recipe;
}

Recipe transformer_translation_recipe() {
    Recipe recipe = translation_recipe();
    recipe.task = "translation-transformer";
    recipe.study = transformer_translation_study();
    recipe.steps = 2400;
    recipe.learning_rate = 2e-3;
    return recipe;
}

}  // namespace headlight
