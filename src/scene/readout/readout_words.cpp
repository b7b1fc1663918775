#include "scene/readout/readout_words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>

#include "core/error.h"
#include "model/pretrained.h"
#include "text/counted.h"
#include "text/shown_tokens.h"
#include "text/token_kinds.h"

namespace headlight {
namespace {

const Location kOutput{.component = ComponentKind::Output};

std::string digits(int number) {
    return std::to_string(number);
}

const PlannedTensor& planned_logits(const Plan& plan) {
    const PlannedTensor* logits = plan.find(kOutput.at(Role::Logits).path);
    if (!logits) throw Error("logits", "the study has none; choose an unembedding");
    return *logits;
}

/// True if the rows of a decoder's logits are called by other words than those that it reads.
bool names_written_words(const Plan& plan) {
    const PlannedTensor* read =
        plan.find(Location{.network = Network::Decoder}.at(Role::Embedding).path);
    return read && read->rows.list != planned_logits(plan).rows.list;
}

/// Closed words have −∞.
bool is_unranked(Scalar logit) {
    return std::isnan(logit) || logit > std::numeric_limits<Scalar>::max();
}

}  // namespace

LogitsName named_by_logits(const Document& document, const Plan& plan) {
    if (planned_logits(plan).identity.role == Role::ClassLogits) return LogitsName::Class;
    if (const AlignmentStudy* study = document.alignment(); study && names_written_words(plan)) {
        const bool is_free = study->mechanism == AlignmentMechanism::Recurrent &&
                             study->recurrent.feeding == Feeding::Free;
        return is_free ? LogitsName::WordOfStep : LogitsName::WordWritten;
    }
    const SentenceStudy* study = document.sentence();
    const bool is_in_place = study && study->layer.readout == Readout::MaskedWord;
    return is_in_place ? LogitsName::WordInPlace : LogitsName::NextWord;
}

std::string token_in_words(const std::string& token) {
    constexpr std::string_view kBlank = "␣";
    std::string_view mark = token;
    if (mark.starts_with(kBlank)) mark.remove_prefix(kBlank.size());
    return is_punctuation_token(mark) ? "“" + token + "”" : token;
}

std::string asked_place(LogitsName what, const std::string& name) {
    const std::string token = token_in_words(name);
    switch (what) {
        case LogitsName::Class:
            return "";
        case LogitsName::WordInPlace:
            return " in place of " + token;
        case LogitsName::WordWritten:
            return " where " + token + " is written";
        case LogitsName::WordOfStep:
            return " at step " + token;
        case LogitsName::NextWord:
            break;
    }
    return " after " + token;
}

std::string word_shown(const Trace& trace, Index word) {
    return shown_label(trace, trace.at(logits_path()).columns(), word);
}

std::string question_text(const Document& document, const Trace& trace,
                          const LogitQuestion& question) {
    std::string text = token_in_words(word_shown(trace, question.word));
    if (question.minus) text += " − " + token_in_words(word_shown(trace, *question.minus));
    return text + place_asked(document, trace, question);
}

std::string place_asked(const Document& document, const Trace& trace,
                        const LogitQuestion& question) {
    const Tensor& logits = trace.at(logits_path());
    return asked_place(named_by_logits(document, trace),
                       shown_label(trace, logits.rows(), question.row));
}

std::string missing_name(LogitsName what) {
    return what == LogitsName::Class ? "there is no class" : "the vocabulary has no word";
}

std::string part_name(const Identity& what) {
    const std::string layer = digits(what.layer);
    const bool is_cross = what.component == ComponentKind::CrossAttention;
    if (what.head >= 0) return (is_cross ? "cross " : "head ") + layer + "." + digits(what.head);
    switch (what.role) {
        case Role::Embedding:
            return "embedding";
        case Role::Positions:
            return "positions";
        case Role::MlpOutput:
            return "MLP " + layer;
        case Role::Bias:
            return what.layer < 0 ? "biases at the end" : "bias of layer " + layer;
        case Role::Logits:
        case Role::ClassLogits:
            return "set by hand after the last layer";
        case Role::ResidPre:
        case Role::ResidMid:
        case Role::ResidPost:
            return "set by hand in layer " + layer;
        default:
            break;
    }
    if (what.component == ComponentKind::Attention) return "attention " + layer;
    if (is_cross) return "cross-attention " + layer;
    return what.layer < 0 ? "input" : "layer " + layer;
}

std::optional<Index> find_vocabulary_word(const Plan& plan, const std::string& text) {
    const Axis& words = planned_logits(plan).columns;
    const std::vector<std::string>& names = plan.items(words.list);
    const std::vector<std::string>& shown = plan.shown_items(words.list);
    const std::string as_shown = shown_name(text);
    for (const auto* list : {&names, &shown})
        for (const std::string* name : {&text, &as_shown})
            if (const auto at = std::ranges::find(*list, *name); at != list->end())
                return static_cast<Index>(at - list->begin());
    return std::nullopt;
}

std::string tokens_note(const Document& document, const std::string& text) {
    const SharedModel model = document.weights ? document.weights->model : nullptr;
    if (!model || !model->tokenizer) return "";
    const std::vector<Token> tokens =
        model->tokenizer->encode(text, {.specials = SpecialTokens::Omit});
    constexpr std::size_t kMostNamed = 8;
    std::string names;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (k == kMostNamed) names += ", …";
        if (k >= kMostNamed) break;
        names += (k > 0 ? ", " : "") + model->tokenizer->shown_piece(tokens[k].id);
    }
    if (tokens.empty()) return "; as text it is no token";
    return "; as text it is " + counted(std::ssize(tokens), "token") + ": " + names;
}

Index vocabulary_word(const Document& document, const Plan& plan, const std::string& text) {
    if (const auto word = find_vocabulary_word(plan, text)) return *word;
    const std::vector<std::string>& shown = plan.shown_items(planned_logits(plan).columns.list);
    std::string near;
    for (const std::string& name : shown) {
        if (text.empty() || name.find(text) == std::string::npos) continue;
        constexpr std::size_t kMostBytes = 60;
        if (near.size() > kMostBytes) break;
        near += (near.empty() ? "; there are " : ", ") + name;
    }
    const bool is_class = planned_logits(plan).identity.role == Role::ClassLogits;
    throw Error("logits", (is_class ? "there is no class '" : "the vocabulary has no word '") +
                              text + "'" + (is_class ? "" : tokens_note(document, text)) + near);
}

std::vector<LargestNumber> largest_numbers(std::span<const Scalar> row, std::size_t count) {
    std::vector<Index> places(row.size());
    std::iota(places.begin(), places.end(), 0);
    count = std::min(count, row.size());
    const auto is_before = [&](Index a, Index b) {
        const Scalar x = row[static_cast<std::size_t>(a)], y = row[static_cast<std::size_t>(b)];
        return x != y ? x > y : a < b;
    };
    std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count),
                      places.end(), is_before);
    std::vector<LargestNumber> largest;
    for (std::size_t k = 0; k < count; ++k)
        largest.push_back(
            {places[k], static_cast<double>(row[static_cast<std::size_t>(places[k])])});
    return largest;
}

std::vector<double> row_probabilities(std::span<const Scalar> logits) {
    std::vector<double> weights;
    const auto largest = static_cast<double>(*std::ranges::max_element(logits));
    double sum = 0;
    for (const Scalar logit : logits) {
        weights.push_back(std::exp(static_cast<double>(logit) - largest));
        sum += weights.back();
    }
    for (double& weight : weights) weight /= sum;
    return weights;
}

bool has_probabilities(std::span<const Scalar> logits) {
    const auto is_finite = [](Scalar x) { return std::isfinite(x); };
    return std::ranges::none_of(logits, is_unranked) && std::ranges::any_of(logits, is_finite);
}

std::string why_unranked(const Document& document, const Trace& trace, Index row) {
    const Matrix& logits = *trace.at(logits_path()).value;
    const std::span<const Scalar> numbers(logits.row(row).data(),
                                          static_cast<std::size_t>(logits.cols()));
    if (has_probabilities(numbers)) return "";
    const auto n = std::ranges::count_if(numbers, is_unranked);
    return std::to_string(n > 0 ? n : std::ssize(numbers)) + " of " +
           counted(std::ssize(numbers), "logit") + place_asked(document, trace, {.row = row}) +
           " are NaN or infinite: nothing ranks them";
}

void check_is_ranked(const Document& document, const Trace& trace, Index row) {
    if (const std::string why = why_unranked(document, trace, row); !why.empty())
        throw Error("logits", why);
}

}  // namespace headlight
