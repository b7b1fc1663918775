#include "model/vocabulary.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "core/operations/mask_operations.h"
#include "model/pretrained.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "text/words.h"

namespace headlight {
namespace {

constexpr std::string_view kStraight = "'", kTypographic = "’";

/// Returns the end of the first apostrophe; npos: there is none.
std::size_t apostrophe_end(const std::string& word) {
    const std::size_t straight = word.find(kStraight), other = word.find(kTypographic);
    if (straight == other) return std::string::npos;
    return straight < other ? straight + kStraight.size() : other + kTypographic.size();
}

/// Returns the spelling that is looked up if the table lacks the word as it is written.
std::string plain(const std::string& word) {
    return replaced_all(lower_case(word), kTypographic, kStraight);
}

class RowsOfWords {
  public:
    explicit RowsOfWords(const SharedNames& words) : words_(words) {
        rows_.reserve(words->size());
        for (std::size_t i = 0; i < words->size(); ++i)
            rows_.emplace((*words)[i], static_cast<Index>(i));
        unknown_ = find(kUnknownWord);
    }

    Index operator()(const std::string& word) const {
        if (word == kPaddingWord) return kNoRow;
        if (const Index row = find(word); row != kNoRow) return row;
        if (const Index row = find(plain(word)); row != kNoRow) return row;
        std::call_once(are_spelt_, [&] { spelt_.emplace(*words_); });
        const auto alike = spelt_->find(word);
        return alike ? static_cast<Index>(*alike) : unknown_;
    }

  private:
    Index find(std::string_view word) const {
        const auto row = rows_.find(word);
        return row == rows_.end() ? kNoRow : row->second;
    }

    SharedNames words_;  // the keys are views of them
    std::unordered_map<std::string_view, Index> rows_;
    Index unknown_ = kNoRow;
    mutable std::once_flag are_spelt_;  // for most texts they need not be
    mutable std::optional<SimilarWords> spelt_;
};

/// Returns the table's word in this row; nothing if that is the word itself.
std::optional<std::string> replacement(const std::string& word, Index row,
                                       const std::vector<std::string>& table) {
    if (word == kPaddingWord || word == kUnknownWord) return std::nullopt;
    if (row == kNoRow) return "";
    if (word == kStartWord || word == kEndWord) return std::nullopt;  // a sign, whatever its name
    const std::string& known = table[static_cast<std::size_t>(row)];
    if (known == word || known == plain(word)) return std::nullopt;
    return known;
}

/// Calls `take` with the list, the place in it, the word and its replacement.
void for_each_replaced(const Plan& plan, const auto& take) {
    for (const PlannedTensor& tensor : plan.tensors()) {
        if (tensor.identity.role != Role::Tokens || tensor.identity.is_probe()) continue;
        Location weights = tensor.identity;
        const PlannedTensor* W_E = plan.find(weights.at("W_E").path);
        if (!W_E || !tensor.settings.values) continue;
        const std::vector<std::string>& table = plan.items(W_E->rows.list);
        const std::vector<std::string>& words = plan.items(tensor.rows.list);
        for (std::size_t i = 0; i < words.size(); ++i) {
            const auto row =
                static_cast<Index>((*tensor.settings.values)(static_cast<Index>(i), 0));
            if (const auto by = replacement(words[i], row, table))
                take(tensor.rows.list, i, words[i], *by);
        }
    }
}

}  // namespace

WordTable word_table(const SharedNames& words) {
    if (!words || words->empty()) return {};
    const auto rows = std::make_shared<const RowsOfWords>(words);
    return {words, [rows](const std::string& word) { return (*rows)(word); }};
}

WordTable word_table(const SharedWeights& weights, std::string_view path) {
    if (!weights) return {};
    if (weights->model) return word_table(weights->model);
    const auto found = weights->matrices.find(path);
    return found == weights->matrices.end() ? WordTable{} : word_table(found->second.row_names);
}

std::vector<Words> sentences_in(const SentenceStudy& study, const SharedWeights& weights) {
    if (weights && weights->model) return {tokens_of_text(*weights->model, study.text)};
    return split_sentences(study.text);
}

bool has_several_sentences(const Document& document) {
    const SentenceStudy* study = document.sentence();
    const bool is_one_text = document.weights && document.weights->is_model;
    return study && !is_one_text && study->text.find('\n') != std::string::npos;
}

WordTables word_tables(const SharedWeights& weights) {
    const auto network_table = [&](Network network) {
        return word_table(weights, Location{.network = network}.at("W_E").path);
    };
    return {network_table(Network::Encoder), network_table(Network::Decoder)};
}

Words fit_to_table(const Words& words, const WordTable& table) {
    if (!table) return words;
    const auto is_known = [&](const std::string& word) {
        const Index row = table.find_row(word);
        return row != kNoRow && !replacement(word, row, *table.words);
    };
    Words fitted;
    for (std::string word : words) {
        const bool is_apostrophe = word == kStraight || word == kTypographic;
        if (is_apostrophe && !fitted.empty() && is_known(fitted.back() + word)) {
            fitted.back() += word;
            continue;
        }
        for (std::size_t end = apostrophe_end(word); end < word.size() && !is_known(word);
             end = apostrophe_end(word)) {
            if (!is_known(word.substr(0, end))) break;
            fitted.push_back(word.substr(0, end));
            word.erase(0, end);
        }
        fitted.push_back(std::move(word));
    }
    return fitted;
}

SourceTarget source_target_in(const AlignmentStudy& study, const SharedWeights& weights) {
    if (weights && weights->model)
        return {tokens_of_text(*weights->model, study.source),
                tokens_of_target(*weights->model, study.target)};
    const WordTables tables = word_tables(weights);
    return {fit_to_table(split_words(study.source), tables.source),
            fit_to_table(split_words(study.target), tables.target)};
}

std::vector<ReplacedWord> replaced_words(const Plan& plan) {
    std::vector<ReplacedWord> replaced;
    for_each_replaced(plan, [&](int, std::size_t, const std::string& word, const std::string& by) {
        const ReplacedWord found{word, by};
        if (!is_among(found, replaced)) replaced.push_back(found);
    });
    return replaced;
}

void show_replaced_words(Plan& plan) {
    std::map<int, std::vector<std::string>> shown;
    for_each_replaced(plan,
                      [&](int list, std::size_t i, const std::string& word, const std::string& by) {
                          const std::string sign = by.empty() || by == kUnknownWord ? "?" : by;
                          shown.try_emplace(list, plan.items(list)).first->second[i] =
                              fmt::format("{} ≈ {}", word, sign);
                      });
    for (auto& [list, names] : shown)
        plan.lists[static_cast<std::size_t>(list)].shown =
            std::make_shared<const std::vector<std::string>>(std::move(names));
}

}  // namespace headlight
