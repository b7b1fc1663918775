#include "model/next_word.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/mechanisms/recurrent.h"
#include "core/mechanisms/transformer.h"
#include "core/mechanisms/word_table.h"
#include "core/numeric/generator.h"
#include "core/numeric/softmax.h"
#include "model/evaluate.h"
#include "model/pretrained.h"
#include "model/vocabulary.h"
#include "text/words.h"

namespace headlight {
namespace {

/// Returns e^((logit − largest) / temperature); 0 for words that are never drawn.
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

}  // namespace

std::vector<double> next_word_probabilities(const Trace& trace, Index row, double temperature) {
    const Tensor* logits = trace.find(kNetworkOutput.at(Role::Logits).path);
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
    const Tensor* logits = trace.find(kNetworkOutput.at(Role::Logits).path);
    const bool answers = trace.find(kNetworkOutput.at(Role::Answer).path) != nullptr;
    if (!study || has_several_sentences(document) || !logits || !logits->value || answers ||
        study->layer.readout == Readout::MaskedWord)
        return std::nullopt;
    const auto n_words = static_cast<Index>(trace.items().size());
    const std::vector<std::string>& vocabulary = trace.items(logits->columns().list);
    if (n_words == 0 || n_words > logits->value->rows()) return std::nullopt;
    const std::vector<double> weights =
        next_word_probabilities(trace, n_words - 1, sampling.temperature);
    const Scalar drawn =
        SeededNumbers(document.seed, "next word")
            .uniform(n_words, static_cast<Index>(sampling.draws % 1'000'000'007), 1);
    double left = 0.5 * (static_cast<double>(drawn) + 1);  // in [0, 1)
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
        const Trace trace =
            evaluate(document, nullptr, {.globs = {kNetworkOutput.at(Role::Logits).path}});
        const auto word = draw_next_word(document, trace, sampling);
        if (!word)
            throw Error("study",
                        "no word comes next: the study must be one sentence whose "
                        "network says the next word");
        document = with_word(std::move(document), *word);
    }
    return document;
}

namespace {

constexpr Index kFirstRoom = 16;
/// The most words of a source: each word written takes as long as all words before it together.
constexpr std::size_t kMostSourceWords = 128;

Plan plan_pairs(const Document& document, const std::vector<SourceTarget>& pairs,
                const WordTables& tables) {
    const AlignmentStudy& study = *document.alignment();
    if (study.mechanism == AlignmentMechanism::Transformer)
        return plan_encoder_decoder_pairs(pairs, study.layer, document.seed, tables);
    RecurrentSettings settings = study.recurrent;
    settings.feeding = Feeding::Teacher;
    return plan_recurrent_pairs(pairs, settings, document.seed, tables);
}

Index most_words(const Words& source) {
    return 2 * std::ssize(source) + 10;
}

/// A beginning of a target, with its score.
struct Hypothesis {
    std::vector<Index> words;
    double log_probability = 0;

    double score() const {
        return log_probability / static_cast<double>(std::max<std::size_t>(1, words.size()));
    }
};

Words spelled_words(const NextWords& next, const std::vector<Index>& rows) {
    Words words;
    for (const Index row : rows)
        if (row != next.end()) words.push_back(next.vocabulary()[static_cast<std::size_t>(row)]);
    return words;
}

void check_can_translate(const Document& document) {
    if (!can_translate(document))
        throw Error("translate",
                    "the weights of this study were not trained to write a target; `headlight new "
                    "translation` makes one whose were");
}

Words source_words(const Document& document) {
    Words words = fit_to_table(split_words(document.alignment()->source),
                               word_tables(document.weights).source);
    if (words.empty()) throw Error("translate", "the source has no word; type a sentence");
    if (words.size() > kMostSourceWords)
        throw Error("translate", "the source has {} words; at most {} are translated at once",
                    words.size(), kMostSourceWords);
    return words;
}

}  // namespace

bool can_translate(const Document& document) {
    const AlignmentStudy* study = document.alignment();
    if (!study || !document.weights) return false;
    const WeightMatrices& weights = document.weights->matrices;
    const auto has_table = [&](const char* path) {
        const auto found = weights.find(path);
        return found != weights.end() && found->second.row_names;
    };
    const char* last = study->mechanism == AlignmentMechanism::Recurrent     ? "decoder.W_o"
                       : study->mechanism == AlignmentMechanism::Transformer ? "W_U"
                                                                             : "";
    return has_table("encoder.W_E") && has_table("decoder.W_E") && weights.contains(last);
}

NextWords::NextWords(const Document& document, std::vector<Words> sources)
    : document_(document), tables_(word_tables(document.weights)), sources_(std::move(sources)) {
    check_can_translate(document);
    start_ = tables_.target.find_row(kStartWord), end_ = tables_.target.find_row(kEndWord);
    // A batch of one would be planned as a single pair.
    if (sources_.size() == 1) sources_.push_back(sources_[0]);
}

bool NextWords::can_be_written(Index word) const {
    const std::string& name = vocabulary()[static_cast<std::size_t>(word)];
    return word != start_ && name != kUnknownWord;
}

/// Makes plans for twice as many words each time, which are then used again.
void NextWords::make_room(Index n_words) {
    if (plan_ && n_words < n_rows_) return;
    n_rows_ = std::max(kFirstRoom, 2 * n_rows_);
    while (n_rows_ <= n_words) n_rows_ *= 2;
    std::vector<SourceTarget> pairs;
    const Words target(static_cast<std::size_t>(n_rows_ - 1), vocabulary().front());
    for (const Words& source : sources_) pairs.push_back({source, target});
    auto plan = std::make_shared<Plan>(plan_pairs(document_, pairs, tables_));
    take_weights(*plan, *document_.weights);
    // Edits of weights have one shape however many texts there are.
    edits_.clear();
    for (const auto& [path, intervention] : document_.interventions)
        if (const PlannedTensor* tensor = plan->find(path))
            if (tensor->is_leaf() && can_be_stored(*tensor)) edits_[path] = intervention;
    plan_ = std::move(plan);
    trace_ = nullptr;
}

Matrix NextWords::after(std::span<const std::vector<Index>> beginnings) {
    std::size_t longest = 0;
    for (const auto& words : beginnings) longest = std::max(longest, words.size());
    make_room(static_cast<Index>(longest));
    auto tokens = std::make_shared<Matrix>(std::ssize(sources_) * n_rows_, 1);
    tokens->setConstant(Scalar(kNoRow));
    for (Index g = 0; g < std::ssize(beginnings); ++g) {
        const std::vector<Index>& words = beginnings[static_cast<std::size_t>(g)];
        (*tokens)(g * n_rows_, 0) = static_cast<Scalar>(start_);
        for (Index i = 0; i < std::ssize(words); ++i)
            (*tokens)(g * n_rows_ + i + 1, 0) =
                static_cast<Scalar>(words[static_cast<std::size_t>(i)]);
    }
    const LeafOverride given[] = {{plan_->id_at("decoder.tokens"), tokens}};
    trace_ = evaluator_.evaluate(plan_, edits_, {}, trace_.get(), serial(), given);
    const Matrix& all = *trace_->at("logits").value;
    Matrix logits(std::ssize(beginnings), all.cols());
    for (Index g = 0; g < logits.rows(); ++g)
        logits.row(g) = all.row(g * n_rows_ + std::ssize(beginnings[static_cast<std::size_t>(g)]));
    return logits;
}

namespace {

/// Extends every beginning by every next word, and returns the likeliest first.
std::vector<Hypothesis> extended(NextWords& next, std::vector<Hypothesis> open, int beam) {
    std::vector<std::vector<Index>> beginnings;
    for (const Hypothesis& hypothesis : open) beginnings.push_back(hypothesis.words);
    const Matrix logits = next.after(beginnings);
    std::vector<Hypothesis> longer;
    for (Index g = 0; g < logits.rows(); ++g) {
        const auto row = logits.row(g).cast<double>().array();
        const double largest = row.maxCoeff();
        const double log_sum = largest + std::log((row - largest).exp().sum());
        for (Index word = 0; word < logits.cols(); ++word) {
            if (!next.can_be_written(word)) continue;
            Hypothesis hypothesis = open[static_cast<std::size_t>(g)];
            hypothesis.words.push_back(word);
            hypothesis.log_probability += row(word) - log_sum;
            longer.push_back(std::move(hypothesis));
        }
    }
    const auto n = std::min<std::ptrdiff_t>(beam, std::ssize(longer));
    std::ranges::partial_sort(longer, longer.begin() + n, std::greater<>(),
                              &Hypothesis::log_probability);
    longer.resize(static_cast<std::size_t>(n));
    return longer;
}

}  // namespace

Words decode(const Document& document, int beam) {
    check_can_translate(document);
    const Words source = source_words(document);
    NextWords next(document, std::vector<Words>(static_cast<std::size_t>(beam), source));
    std::vector<Hypothesis> open(1), ended;
    for (Index n = 0; n < most_words(source) && !open.empty() && std::ssize(ended) < beam; ++n) {
        std::vector<Hypothesis> longer = extended(next, std::move(open), beam);
        open.clear();
        for (Hypothesis& hypothesis : longer)
            (hypothesis.words.back() == next.end() ? ended : open).push_back(std::move(hypothesis));
    }
    if (ended.empty()) ended = std::move(open);
    if (ended.empty()) return {};
    const auto best = std::ranges::max_element(ended, {}, &Hypothesis::score);
    return spelled_words(next, best->words);
}

std::vector<Words> decode_greedily(const Document& document, std::vector<Words> sources) {
    Index most = 0;
    for (const Words& source : sources) most = std::max(most, most_words(source));
    NextWords next(document, sources);
    std::vector<std::vector<Index>> written(sources.size());
    const auto is_open = [&](const std::vector<Index>& words) {
        return words.empty() || words.back() != next.end();
    };
    for (Index n = 0; n < most && std::ranges::any_of(written, is_open); ++n) {
        Matrix logits = next.after(written);
        for (std::size_t g = 0; g < written.size(); ++g) {
            if (!is_open(written[g])) continue;
            auto row = logits.row(static_cast<Index>(g));
            for (Index word = 0; word < row.size(); ++word)
                if (!next.can_be_written(word)) row(word) = kMasked;
            Index largest = 0;
            row.maxCoeff(&largest);
            written[g].push_back(largest);
        }
    }
    std::vector<Words> decoded;
    for (const std::vector<Index>& words : written) decoded.push_back(spelled_words(next, words));
    return decoded;
}

Document translated(Document document) {
    document.alignment()->target = join_words(decode(document));
    return document;
}

}  // namespace headlight
