#include "model/vocabulary.h"

#include <set>
#include <unordered_map>

#include "core/operations/mask_operations.h"
#include "text/utf8.h"

namespace headlight {
namespace {

class RowsOfWords {
  public:
    explicit RowsOfWords(const SharedNames& words) : words_(words) {
        for (std::size_t i = 0; i < words->size(); ++i)
            rows_.emplace((*words)[i], static_cast<Index>(i));
        unknown_ = find(kUnknownWord);
    }

    Index operator()(const std::string& word) const {
        if (word == kPaddingWord) return kNoRow;
        if (const Index row = find(word); row != kNoRow) return row;
        const Index row = find(lower_case(word));
        return row == kNoRow ? unknown_ : row;
    }

  private:
    Index find(std::string_view word) const {
        const auto row = rows_.find(word);
        return row == rows_.end() ? kNoRow : row->second;
    }

    SharedNames words_;  // the keys are views of them
    std::unordered_map<std::string_view, Index> rows_;
    Index unknown_ = kNoRow;
};

}  // namespace

WordTable word_table(const SharedNames& words) {
    if (!words || words->empty()) return {};
    const auto rows = std::make_shared<const RowsOfWords>(words);
    return {words, [rows](const std::string& word) { return (*rows)(word); }};
}

WordTable word_table(const SharedWeights& weights, std::string_view path) {
    if (!weights) return {};
    const auto found = weights->matrices.find(path);
    return found == weights->matrices.end() ? WordTable{} : word_table(found->second.row_names);
}

WordTables word_tables(const SharedWeights& weights) {
    const auto table_of = [&](Network network) {
        return word_table(weights, Location{.network = network}.at("W_E").path);
    };
    return {table_of(Network::Encoder), table_of(Network::Decoder)};
}

std::vector<std::string> unknown_words(const Plan& plan) {
    std::vector<std::string> unknown;
    std::set<std::string_view> met;
    for (const PlannedTensor& tensor : plan.tensors()) {
        if (tensor.identity.role != Role::Tokens || tensor.identity.is_probe()) continue;
        Location weights = tensor.identity;
        const PlannedTensor* W_E = plan.find(weights.at("W_E").path);
        if (!W_E || !tensor.settings.values) continue;
        const std::vector<std::string>& known = plan.items(W_E->rows.list);
        const std::vector<std::string>& words = plan.items(tensor.rows.list);
        for (std::size_t i = 0; i < words.size(); ++i) {
            const auto row =
                static_cast<Index>((*tensor.settings.values)(static_cast<Index>(i), 0));
            const bool is_known =
                words[i] == kPaddingWord || words[i] == kUnknownWord ||
                (row != kNoRow && known[static_cast<std::size_t>(row)] != kUnknownWord);
            if (!is_known && met.insert(words[i]).second) unknown.push_back(words[i]);
        }
    }
    return unknown;
}

}  // namespace headlight
