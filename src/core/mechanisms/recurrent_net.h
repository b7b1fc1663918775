// A recurrent study while it is being named.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/mechanisms/add_tensor.h"
#include "core/settings.h"

namespace headlight {

using Words = std::vector<std::string>;

struct RecurrentNet {
    const RecurrentSettings& settings;
    std::uint64_t seed;
    Plan plan = {};
    Words written = {};            // y_1 … y_m, <end>
    Words vocabulary = {};         // the different ones
    Axis source = {}, steps = {};  // rows: one a source word, one a word written
    Axis vocabulary_axis = {};
    Axis model = {}, state = {}, context = {};  // widths of an embedding, of s, of an h_j

    bool is_bidirectional() const { return settings.bidirectional == Switch::On; }
    TensorId add_weight(Named named, const std::string& symbol, Axis rows, Axis columns,
                        Stage stage = Stage::Weight) {
        return headlight::add_weight(plan, {std::move(named), symbol, rows, columns, stage}, seed);
    }
    /// One vector a word, the same one wherever the word stands.
    TensorId add_embedding(TensorName name, const Words& words);
};

}  // namespace headlight
