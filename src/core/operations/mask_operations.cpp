#include "core/operations/mask_operations.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>

#include "core/error.h"
#include "core/evaluation/overlap.h"

namespace headlight {
namespace {

constexpr const char* kCausal = "causal";

bool is_causal(const OperationSettings& settings) {
    return settings.key == kCausal;
}

/// Returns the conditions of the equation, one for each rule that closes anything.
std::vector<std::string> conditions(const OperationSettings& settings) {
    std::vector<std::string> all;
    if (is_causal(settings)) all.push_back("j ≤ i");
    if (settings.count > 0) all.push_back(fmt::format("|i − j| ≤ {}", settings.count));
    if (settings.step > 1) all.push_back(fmt::format("(j − i) mod {} = 0", settings.step));
    if (!settings.indices) return all;
    const std::vector<Index>& ids = *settings.indices;
    if (std::ranges::any_of(ids, [](Index id) { return id > 0; })) all.push_back("same document");
    if (std::ranges::count(ids, kNoDocument) > 0) all.push_back("key j is not padding");
    return all;
}

/// The rules, as they apply to one query.
struct QueryRules {
    bool causal;
    Index window, dilation;
    Index i;                     // the position of the query within its sentence
    const Index* key_documents;  // of its sentence; null if there is one and no padding
    Index document;              // of the query

    bool comes_later(Index j) const { return causal && j > i; }
    bool is_far(Index j) const { return window > 0 && std::abs(i - j) > window; }
    bool is_skipped(Index j) const { return dilation > 1 && (j - i) % dilation != 0; }
    bool is_padding(Index j) const { return key_documents && key_documents[j] == kNoDocument; }
    bool is_elsewhere(Index j) const {
        return key_documents && document != kNoDocument && key_documents[j] != document;
    }
    bool is_open(Index j) const {
        return !comes_later(j) && !is_far(j) && !is_skipped(j) && !is_padding(j) &&
               !is_elsewhere(j);
    }
};

QueryRules query_rules(const Call& call, Index row) {
    const OperationSettings& s = call.settings;
    const Index sentence = s.group_rows > 0 ? row / s.group_rows : 0;
    const Index query = row - sentence * s.group_rows;
    QueryRules rules{is_causal(s), s.count, s.step, query, nullptr, kNoDocument};
    if (s.indices) {
        rules.key_documents = s.indices->data() + sentence * (call.columns + s.group_rows);
        rules.document = rules.key_documents[call.columns + query];
    }
    return rules;
}

/// Writes all reasons why a query may not read key j; "" if it may.
std::string reasons(const QueryRules& rules, Index j) {
    const std::string query = fmt::format("query {}", rules.i), key = fmt::format("key {}", j);
    const std::string away =
        fmt::format("{} is {} away from {}", key, std::abs(j - rules.i), query);
    std::vector<std::string> all;
    if (rules.comes_later(j)) all.push_back(fmt::format("{} comes after {} (causal)", key, query));
    if (rules.is_far(j)) all.push_back(fmt::format("{} (window {})", away, rules.window));
    if (rules.is_skipped(j)) all.push_back(fmt::format("{} (dilation {})", away, rules.dilation));
    if (rules.is_padding(j))
        all.push_back(key + " is padding");
    else if (rules.is_elsewhere(j))
        all.push_back(fmt::format("{} is in document {}, {} in document {}", key,
                                  rules.key_documents[j], query, rules.document));
    return fmt::format("{}", fmt::join(all, "; "));
}

void attention_mask_forward(const Call& call, View M) {
    for (Index r = 0; r < call.rows; ++r) {
        const QueryRules rules = query_rules(call, call.first_row + r);
        const Index reach = rules.window > 0 ? rules.window : call.columns + rules.i;
        const Index begin = std::clamp<Index>(rules.i - reach, 0, call.columns);
        const Index last = rules.causal ? rules.i : rules.i + reach;
        const Index end = std::clamp<Index>(last + 1, begin, call.columns);
        Scalar* const row = M.data() + r * call.columns;
        std::fill(row, row + begin, kMasked);
        std::fill(row + end, row + call.columns, kMasked);
        if (rules.dilation == 1 && !rules.key_documents)
            std::fill(row + begin, row + end, Scalar(0));
        else
            for (Index j = begin; j < end; ++j) row[j] = rules.is_open(j) ? Scalar(0) : kMasked;
    }
}

Explanation attention_mask_explain(const Call& call, ConstView M, Index row, Index j) {
    const std::string closed = reasons(query_rules(call, row), j);
    return {.rule = mask_equation(call.settings),
            .terms = {},
            .sum = 0,
            .finish = {{closed.empty() ? "open" : "closed: " + closed, M(row, j)}}};
}

void check_rule(const MaskRule& rule, Index n_query, Index n_key) {
    if (rule.window < 0)
        throw Error("mask", "the window is {}; it must be at least 1, or 0 for none", rule.window);
    if (rule.dilation < 1)
        throw Error("mask", "the dilation is {}; it must be at least 1", rule.dilation);
    const auto fits = [&](const std::vector<Index>& documents, Index n) {
        return std::ssize(documents) == rule.n_sentences * n;
    };
    if (rule.key_documents.empty() && rule.query_documents.empty()) return;
    if (!fits(rule.key_documents, n_key) || !fits(rule.query_documents, n_query))
        throw Error("mask", "there are documents of {} keys and {} queries, for {} × a mask of {}",
                    rule.key_documents.size(), rule.query_documents.size(), rule.n_sentences,
                    shape_text(n_query, n_key));
}

/// Returns, for each sentence, the keys' documents and then the queries'; null if no rule depends
/// on them.
std::shared_ptr<const std::vector<Index>> join_documents(const MaskRule& rule, Index n_query,
                                                         Index n_key) {
    const bool is_one_document = std::ranges::all_of(
        rule.key_documents, [](Index id) { return id == 0; });  // the queries' are these or padding
    if (is_one_document) return nullptr;
    auto joined = std::make_shared<std::vector<Index>>();
    for (Index sentence = 0; sentence < rule.n_sentences; ++sentence) {
        const auto append = [&](const std::vector<Index>& documents, Index n) {
            const auto begin = documents.begin() + sentence * n;
            joined->insert(joined->end(), begin, begin + n);
        };
        append(rule.key_documents, n_key);
        append(rule.query_documents, n_query);
    }
    return joined;
}

}  // namespace

std::vector<Index> document_ids(std::span<const std::string> words, Switch documents) {
    std::vector<Index> ids;
    Index document = 0;
    for (const std::string& word : words) {
        ids.push_back(word == kPaddingWord ? kNoDocument : document);
        if (documents == Switch::On && word == kSeparatorWord) ++document;
    }
    return ids;
}

MaskRule sentence_mask(const MaskSettings& settings, std::span<const std::string> words,
                       Index n_sentences, int layer) {
    MaskRule rule{.causal = settings.causal,
                  .window = settings.window.of(layer),
                  .dilation = settings.dilation,
                  .n_sentences = n_sentences};
    const std::size_t n = words.size() / static_cast<std::size_t>(n_sentences);
    for (std::size_t begin = 0; begin + n <= words.size() && n > 0; begin += n)
        std::ranges::copy(document_ids(words.subspan(begin, n), settings.documents),
                          std::back_inserter(rule.key_documents));
    rule.query_documents = rule.key_documents;
    return rule;
}

MaskRule cross_mask(std::span<const std::string> key_words, Index n_query, Index n_sentences) {
    return {.n_sentences = n_sentences,
            .key_documents = document_ids(key_words, Switch::Off),
            .query_documents = std::vector<Index>(static_cast<std::size_t>(n_sentences * n_query))};
}

OperationSettings mask_settings(const MaskRule& rule, Index n_query, Index n_key) {
    check_rule(rule, n_query, n_key);
    return {.count = rule.window,
            .step = rule.dilation,
            .group_rows = rule.n_sentences > 1 ? n_query : 0,
            .key = rule.causal == Switch::On ? kCausal : "",
            .indices = join_documents(rule, n_query, n_key)};
}

bool is_open(const OperationSettings& settings) {
    return conditions(settings).empty();
}

std::string mask_equation(const OperationSettings& settings) {
    const std::vector<std::string> all = conditions(settings);
    if (all.empty()) return "M = 0";
    std::string equation = "M(i,j) = 0 if ";
    for (const std::string& condition : all) equation += condition + ", ";
    return equation + "else −∞";
}

namespace operations {

const Operation attention_mask{.name = "attention mask",
                               .words = {"Mask", "0 where a key may be read, −∞ where it may not."},
                               .by_row = kEveryInput,
                               .forward = attention_mask_forward,
                               .pull = nullptr,
                               .explain = attention_mask_explain,
                               .is_zero = is_open,
                               .overlap = overlap_of_mask};

std::span<const Operation* const> mask_operations() {
    static const Operation* const table[] = {&attention_mask};
    return table;
}

}  // namespace operations
}  // namespace headlight
