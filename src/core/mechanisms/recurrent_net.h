// A recurrent study while it is being named.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/mechanisms/word_embedding.h"
#include "core/settings.h"

namespace headlight {

struct RecurrentNet {
    const RecurrentSettings& settings;
    std::uint64_t seed;
    const WordTables& tables;
    Plan plan = {};
    Words written = {};               // of each pair y_1 … y_m, <end>, and padding
    Words vocabulary = {};            // without a table: the different ones
    Axis source = {}, steps = {};     // rows: one a source word, one a word written; of all pairs
    Index n_source = 0, n_steps = 0;  // of one pair
    Axis pairs = {};                  // rows of one step: one a pair
    Axis vocabulary_axis = {};
    Axis model = {}, state = {}, context = {};  // widths of an embedding, of s, of an h_j

    bool is_batch() const { return pairs.size > 1; }
    bool is_bidirectional() const { return settings.bidirectional == Switch::On; }
    TensorId add_weight(Named named, const std::string& symbol, Axis rows, Axis columns,
                        Stage stage = Stage::Weight) {
        return headlight::add_weight(plan, {std::move(named), symbol, rows, columns, stage}, seed);
    }
    /// What a row of all pairs is counted by, as operations on steps read it.
    Index group_rows(Index of_one_pair) const { return is_batch() ? of_one_pair : 0; }
    TensorId source_tokens() const {
        return plan.id_at(Location{.network = Network::Encoder}.at(Role::Tokens).path);
    }
    /// One vector a word, the same one wherever the word stands.
    TensorId add_embedding(TensorName name, const Words& words);
};

}  // namespace headlight
