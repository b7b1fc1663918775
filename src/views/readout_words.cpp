#include "views/readout_words.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/batch.h"
#include "core/error.h"
#include "figure/labels.h"
#include "model/pretrained.h"
#include "text/shown_tokens.h"
#include "text/strings.h"
#include "views/readout_view.h"
#include "views/selection.h"

namespace headlight {

std::optional<Index> asked_row(const Trace& page) {
    const Tensor* asked = page.find(kNetworkOutput.at("asked").path);
    if (!asked || !asked->value || asked->value->size() != 1 || asked->value->hasNaN())
        return std::nullopt;
    return static_cast<Index>((*asked->value)(0, 0));
}

std::string asked_row_note(const Trace& page, const Components& components, const Tensor& tensor) {
    const std::optional<Index> row = asked_row(page);
    const std::vector<const Component*> attentions = all_attentions(components);
    if (!row || attentions.empty() || tensor.rows().kind != AxisKind::Query) return "";
    if (!attentions.back()->has(tensor.identity())) return "";
    return fmt::format("only row {} reaches the answer",
                       quoted_word(shown_label(page.plan(), tensor.rows(), *row)));
}

namespace {

std::string digits(int number) {
    return std::to_string(number);
}

const PlannedTensor& planned_logits(const Plan& plan) {
    const PlannedTensor* logits = plan.find(kNetworkOutput.at(Role::Logits).path);
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
    return is_punctuation_token(mark) ? fmt::format("“{}”", token) : token;
}

std::string logit_place(LogitsName what, const std::string& name) {
    const std::string token = token_in_words(name);
    switch (what) {
        case LogitsName::Class:
            return "";
        case LogitsName::WordInPlace:
            return " in place of " + token;
        case LogitsName::WordWritten:
            return fmt::format(" where {} is written", token);
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
    return logit_place(named_by_logits(document, trace),
                       shown_label(trace, logits.rows(), question.row));
}

std::string part_name(const Identity& what) {
    const std::string layer = digits(what.layer);
    const bool is_cross = what.component == ComponentKind::CrossAttention;
    if (what.head >= 0)
        return fmt::format("{}{}.{}", is_cross ? "cross " : "head ", layer, digits(what.head));
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

namespace {

/// "; as text it is 2 tokens: ␣M, ary"; "" where no pretrained model's tokenizer reads text.
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
    return fmt::format("; as text it is {}: {}", counted(std::ssize(tokens), "token"), names);
}

}  // namespace

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

namespace {

/// Returns the softmax of a row, in double. The row must have probabilities.
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

/// False if a logit is NaN or infinity, or all are −∞: nothing ranks such a row.
bool has_probabilities(std::span<const Scalar> logits) {
    const auto is_finite = [](Scalar x) { return std::isfinite(x); };
    return std::ranges::none_of(logits, is_unranked) && std::ranges::any_of(logits, is_finite);
}

}  // namespace

std::string why_unranked(const Document& document, const Trace& trace, Index row) {
    const Matrix& logits = *trace.at(logits_path()).value;
    const std::span<const Scalar> numbers(logits.row(row).data(),
                                          static_cast<std::size_t>(logits.cols()));
    if (has_probabilities(numbers)) return "";
    const auto n = std::ranges::count_if(numbers, is_unranked);
    return fmt::format("{} of {}{} are NaN or infinite: nothing ranks them",
                       n > 0 ? n : std::ssize(numbers), counted(std::ssize(numbers), "logit"),
                       place_asked(document, trace, {.row = row}));
}

void check_is_ranked(const Document& document, const Trace& trace, Index row) {
    if (const std::string why = why_unranked(document, trace, row); !why.empty())
        throw Error("logits", why);
}

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::span<const Scalar> numbers_of_row(const Matrix& matrix, Index row) {
    return {matrix.row(row).data(), static_cast<std::size_t>(matrix.cols())};
}

/// "logit of ␣Mary − ␣John after ␣to"
std::string caption_of(const AskedLogits& asked, const char* what) {
    return what + question_text(asked.document, asked.trace, asked.question);
}

std::string head_of_logit(const AskedLogits& asked) {
    return asked.heads == AskedLogits::Heads::Plain
               ? "logit"
               : question_text(asked.document, asked.trace, asked.question);
}

class NextWordRows {
  public:
    explicit NextWordRows(const AskedLogits& asked)
        : asked_(asked),
          row_(numbers_of_row(*asked.trace.at(logits_path()).value, asked.question.row)),
          shares_(ranked_shares()) {
        const bool are_classes = named_by_logits(asked.document, asked.trace) == LogitsName::Class;
        table_.name = "words";
        table_.caption = "the likeliest" + place_asked(asked.document, asked.trace, asked.question);
        table_.n_labels = 2;
        table_.add_numbers("place");
        table_.add_texts(are_classes ? "class" : "word");
        table_.add_numbers("logit");
        table_.add_numbers("probability");
    }

    Table take() {
        const LogitQuestion& question = asked_.question;
        const bool is_named = asked_.is_named;
        if (question.minus)
            add(kNone, fmt::format("{} − {}", shown(question.word), shown(*question.minus)),
                logit_asked(asked_.trace, question), kNone);
        if (is_named) add(question.word);
        if (question.minus) add(*question.minus);
        for (const LargestNumber& largest : largest_numbers(row_, asked_.n_words))
            add(largest.place);
        return std::move(table_);
    }

  private:
    std::vector<double> ranked_shares() const {
        check_is_ranked(asked_.document, asked_.trace, asked_.question.row);
        return row_probabilities(row_);
    }

    std::string shown(Index word) const { return word_shown(asked_.trace, word); }

    void add(Index word) {
        const auto at = static_cast<std::size_t>(word);
        const auto place = std::ranges::count_if(row_, [&](Scalar x) { return x > row_[at]; }) + 1;
        add(static_cast<double>(place), shown(word), static_cast<double>(row_[at]), shares_[at]);
    }

    void add(double place, std::string word, double logit, double probability) {
        auto& columns = table_.columns;
        std::get<std::vector<double>>(columns[0].cells).push_back(place);
        std::get<std::vector<std::string>>(columns[1].cells).push_back(std::move(word));
        std::get<std::vector<double>>(columns[2].cells).push_back(logit);
        std::get<std::vector<double>>(columns[3].cells).push_back(probability);
    }

    const AskedLogits& asked_;
    std::span<const Scalar> row_;
    std::vector<double> shares_;
    Table table_;
};

}  // namespace

Table next_words_table(const AskedLogits& asked) {
    return NextWordRows(asked).take();
}

Table lens_table(const AskedLogits& asked) {
    const Matrix logits = lens_logits(asked.trace, asked.question.row);
    const LogitQuestion& question = asked.question;
    const bool is_named = asked.is_named;
    const bool is_plain = asked.heads == AskedLogits::Heads::Plain;
    const bool is_of_word =
        is_named || why_unranked(asked.document, asked.trace, question.row).empty();
    Table table{"lens",
                is_of_word ? caption_of(asked, "logit lens: ")
                           : "logit lens" + place_asked(asked.document, asked.trace, question),
                {},
                1};
    std::vector<std::string> after;
    std::vector<double> of, share;
    const std::size_t n_words = std::min(asked.n_words, static_cast<std::size_t>(logits.cols()));
    std::vector<std::vector<std::string>> words(n_words);
    std::vector<std::vector<double>> shares_of_words(n_words);
    for (Index l = 0; l < logits.rows(); ++l) {
        const auto row = numbers_of_row(logits, l);
        const bool is_ranked = has_probabilities(row);
        const std::vector<double> shares =
            is_ranked ? row_probabilities(row) : std::vector<double>(row.size(), kNone);
        after.push_back(l == 0 ? std::string("input") : fmt::format("layer {}", l - 1));
        const auto logit = static_cast<double>(logits(l, question.word));
        of.push_back(question.minus ? logit - static_cast<double>(logits(l, *question.minus))
                                    : logit);
        share.push_back(shares[static_cast<std::size_t>(question.word)]);
        if (!is_ranked)
            for (std::size_t k = 0; k < n_words; ++k) {
                words[k].emplace_back();
                shares_of_words[k].push_back(kNone);
            }
        if (!is_ranked) continue;
        const std::vector<LargestNumber> largest = largest_numbers(row, n_words);
        for (std::size_t k = 0; k < n_words; ++k) {
            words[k].push_back(word_shown(asked.trace, largest[k].place));
            shares_of_words[k].push_back(shares[static_cast<std::size_t>(largest[k].place)]);
        }
    }
    table.add_texts("after") = std::move(after);
    if (is_named) {
        table.add_numbers(head_of_logit(asked)) = std::move(of);
        table.add_numbers(is_plain ? "probability"
                                   : fmt::format("p({})", word_shown(asked.trace, question.word))) =
            std::move(share);
    }
    for (std::size_t k = 0; k < n_words; ++k) {
        const std::string number = std::to_string(k + 1);
        table.add_texts("word " + number) = std::move(words[k]);
        table.add_numbers("probability " + number) = std::move(shares_of_words[k]);
    }
    return table;
}

Table attribution_table(const AskedLogits& asked) {
    check_is_ranked(asked.document, asked.trace, asked.question.row);
    const auto found = attribute_logit(asked.trace, asked.question);
    if (!found)
        throw Error("logits",
                    "the logit is no sum of parts: a norm follows each layer, or a nonlinear head "
                    "the last one");
    Table table{"attribution", caption_of(asked, "what adds up to the logit of "), {}, 1};
    std::vector<LogitPart> all = found->parts;
    const std::size_t n = std::min(all.size(), asked.n_parts.value_or(all.size()));
    if (asked.n_parts)
        std::ranges::stable_sort(all, std::ranges::greater{},
                                 [](const LogitPart& part) { return std::abs(part.value); });
    std::vector<std::string> parts;
    std::vector<double> values;
    for (const LogitPart& part : std::span(all).first(n)) {
        parts.push_back(part_name(part.what));
        values.push_back(part.value);
    }
    if (n < all.size()) {
        parts.emplace_back("the others");
        values.push_back(0);
        for (const LogitPart& part : std::span(all).subspan(n)) values.back() += part.value;
    }
    parts.emplace_back("sum");
    values.push_back(found->logit);
    table.add_texts("part") = std::move(parts);
    table.add_numbers(head_of_logit(asked)) = std::move(values);
    return table;
}

namespace {

constexpr std::size_t kNextWords = 20, kLensWords = 3;

const Tensor& logits_in(const Trace& trace) {
    return trace.at(logits_path());
}

Index asked_row(const Scene& scene) {
    const Tensor& logits = logits_in(scene.trace);
    const AxisIndices& held = scene.selection.held().indices;
    const bool is_word = held.query && held.query_list == logits.rows().list;
    return is_word && *held.query <= last_word(scene.trace, logits.rows())
               ? *held.query
               : usual_place(scene.trace);
}

class ReadoutMaker {
  public:
    explicit ReadoutMaker(const Scene& scene) : scene_(scene), trace_(scene.trace) {}

    LogitView make() {
        readout_.question.row = asked_row(scene_);
        readout_.names = named_by_logits(scene_.document, trace_);
        const Matrix lens = lens_logits(trace_, readout_.question.row);
        const Index last = lens.rows() - 1;
        readout_.unranked = why_unranked(scene_.document, trace_, readout_.question.row);
        choose_words(numbers_of_row(lens, last));
        readout_.logit = logit_asked(trace_, readout_.question);
        for (Index l = 0; l <= last; ++l) add_stage(l, numbers_of_row(lens, l));
        readout_.next = likely(numbers_of_row(lens, last), kNextWords);
        readout_.n_more = lens.cols() - std::ssize(readout_.next);
        readout_.more_sum = 1;
        for (const LikelyWord& word : readout_.next) readout_.more_sum -= word.probability;
        if (readout_.unranked.empty()) readout_.parts = attribute_logit(trace_, readout_.question);
        return std::move(readout_);
    }

  private:
    std::string shown(Index word) const {
        return shown_label(trace_, logits_in(trace_).columns(), word);
    }

    std::optional<Index> find(const std::string& text) {
        if (text.empty()) return std::nullopt;
        const auto word = find_vocabulary_word(trace_, text);
        if (word || !readout_.problem.empty()) return word;
        readout_.problem = readout_.names == LogitsName::Class
                               ? fmt::format("there is no class “{}”", text)
                               : fmt::format("the vocabulary has no word “{}”{}", text,
                                             tokens_note(scene_.document, text));
        return word;
    }

    void choose_words(std::span<const Scalar> logits) {
        const ReadoutLook& look = scene_.selection.looks.readout;
        const auto likeliest = readout_.unranked.empty()
                                   ? std::ranges::max_element(logits) - logits.begin()
                                   : std::ptrdiff_t{0};
        readout_.question.word = find(look.word).value_or(likeliest);
        readout_.question.minus = find(look.minus);
        // A difference from another word than the one that was asked for would mislead.
        if (!readout_.problem.empty()) readout_.question.minus.reset();
        readout_.word = shown(readout_.question.word);
        if (readout_.question.minus) readout_.minus = shown(*readout_.question.minus);
        const Axis& rows = logits_in(trace_).rows();
        const Index row = readout_.question.row;
        readout_.after = shown_label(trace_, rows, row);
        constexpr Index kBefore = 3;
        const Index of_sentence = rows.size / std::max<Index>(1, rows.groups);
        const Index begin = row - row % std::max<Index>(1, of_sentence);
        const Index first = std::max(begin, row - kBefore);
        if (first > begin) readout_.context = "…";
        for (Index k = first; k <= row; ++k)
            append_part(readout_.context, " ", shown_label(trace_, rows, k));
    }

    std::vector<LikelyWord> likely(std::span<const Scalar> logits, std::size_t count) const {
        if (!has_probabilities(logits)) return {};
        const std::vector<double> shares = row_probabilities(logits);
        std::vector<LikelyWord> words;
        for (const LargestNumber& largest : largest_numbers(logits, count))
            words.push_back({shown(largest.place), shares[static_cast<std::size_t>(largest.place)],
                             largest.place == readout_.question.word});
        return words;
    }

    void add_stage(Index layer, std::span<const Scalar> logits) {
        const double asked =
            has_probabilities(logits)
                ? row_probabilities(logits)[static_cast<std::size_t>(readout_.question.word)]
                : std::numeric_limits<double>::quiet_NaN();
        readout_.lens.push_back(
            {layer == 0 ? "input" : std::to_string(layer - 1), likely(logits, kLensWords), asked});
    }

    const Scene& scene_;
    const Trace& trace_;
    LogitView readout_;
};

}  // namespace

bool has_readout(const Trace& trace) {
    return !list_streams(trace).empty();
}

LogitView make_readout(const Scene& scene) {
    return ReadoutMaker(scene).make();
}

std::size_t most_likely_words(const LogitView& view) {
    std::size_t n = 0;
    for (const LogitView::Stage& stage : view.lens) n = std::max(n, stage.likeliest.size());
    return n;
}

std::string asked_text(const LogitView& view) {
    return token_in_words(view.word) +
           (view.minus.empty() ? "" : " − " + token_in_words(view.minus)) +
           logit_place(view.names, view.after);
}

}  // namespace headlight
