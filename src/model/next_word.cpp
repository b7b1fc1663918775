#include "model/next_word.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/error.h"
#include "core/mechanisms/word_table.h"
#include "core/numeric/generator.h"
#include "model/evaluate.h"
#include "model/pretrained.h"
#include "model/vocabulary.h"

namespace headlight {
namespace {

const Location kOutput{.component = ComponentKind::Output};

/// e^((logit − largest) / temperature), 0 for words that are never drawn.
std::vector<double> weigh_words(const Tensor& logits, Index row,
                                const std::vector<std::string>& words, double temperature) {
    const auto values = logits.value->row(row);
    std::vector<double> weights(words.size());
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < words.size(); ++j)
        if (words[j] != kUnknownWord)
            largest = std::max(largest, static_cast<double>(values(static_cast<Index>(j))));
    for (std::size_t j = 0; j < words.size(); ++j) {
        const double below = static_cast<double>(values(static_cast<Index>(j))) - largest;
        const bool is_drawn = words[j] != kUnknownWord && (temperature > 0 || below == 0);
        weights[j] = is_drawn ? std::exp(temperature > 0 ? below / temperature : 0) : 0;
    }
    return weights;
}

/// In [0, 1).
double draw_share(std::uint64_t seed, Index n_words, std::uint64_t draws) {
    const Scalar number = SeededNumbers(seed, "next word")
                              .uniform(n_words, static_cast<Index>(draws % 1'000'000'007), 1);
    return 0.5 * (static_cast<double>(number) + 1);
}

}  // namespace

std::vector<double> next_word_probabilities(const Trace& trace, Index row, double temperature) {
    const Tensor* logits = trace.find(kOutput.at(Role::Logits).path);
    if (!logits || !logits->value || row < 0 || row >= logits->value->rows()) return {};
    std::vector<double> weights =
        weigh_words(*logits, row, trace.items(logits->columns().list), temperature);
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= sum;
    return weights;
}

std::optional<std::string> draw_next_word(const Document& document, const Trace& trace,
                                          const Sampling& sampling) {
    const SentenceStudy* study = document.sentence();
    const Tensor* logits = trace.find(kOutput.at(Role::Logits).path);
    const bool answers = trace.find(kOutput.at(Role::Answer).path) != nullptr;
    if (!study || has_several_sentences(document) || !logits || !logits->value || answers ||
        study->layer.readout == Readout::MaskedWord)
        return std::nullopt;
    const auto n_words = static_cast<Index>(trace.items().size());
    const std::vector<std::string>& vocabulary = trace.items(logits->columns().list);
    if (n_words == 0 || n_words > logits->value->rows()) return std::nullopt;
    const std::vector<double> weights =
        next_word_probabilities(trace, n_words - 1, sampling.temperature);
    double left = draw_share(document.seed, n_words, sampling.draws);
    std::size_t last = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) {
        if (weights[j] == 0) continue;
        last = j;
        left -= weights[j];
        if (left < 0) break;
    }
    return vocabulary[last];
}

Document with_word(Document document, const std::string& word) {
    std::string& text = document.sentence()->text;
    if (document.weights && document.weights->model) {
        text = text_with_token(*document.weights->model, text, word);
        return document;
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    text += " " + word;
    return document;
}

Document with_next_words(Document document, int n_words, const Sampling& sampling) {
    for (int k = 0; k < n_words; ++k) {
        const Trace trace = evaluate(document, nullptr, {.globs = {kOutput.at(Role::Logits).path}});
        const auto word = draw_next_word(document, trace, sampling);
        if (!word)
            throw Error("study",
                        "no word comes next: the study must be one sentence whose "
                        "network says the next word");
        document = with_word(std::move(document), *word);
    }
    return document;
}

}  // namespace headlight
