// Small studies and matrices for the tests of the core.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/compute.h"
#include "core/graph_attention.h"
#include "core/self_attention.h"

namespace headlight {

inline const Watched kWatchAll{.everything = true, .globs = {}};

/// Normal numbers, other ones for every seed.
Matrix random_matrix(Index rows, Index columns, std::uint64_t seed);

/// "the cat sat" → {"the", "cat", "sat"}
std::vector<std::string> words_of(std::string_view text);

/// Everything computed from nothing.
Trace sentence(std::string_view text, const SelfAttentionSettings& settings,
               const Holds& holds = {});
Trace graph(const Edges& edges, const GraphAttentionSettings& settings, const Holds& holds = {});

/// The plan of a computed trace.
Trace without_values(Trace trace);

/// 6 nodes: two components, a self-edge, and node 5 which reads nobody.
Edges small_edges();

const Matrix& value(const Trace& trace, std::string_view path);

/// The largest |a − b|; equal infinities differ by 0. Infinite if a cell is NaN.
Scalar distance(const Matrix& a, const Matrix& b);

bool is_same(const Matrix& a, const Matrix& b);  // bit for bit, shapes included

/// The text of the Error that `act` throws; "" if it throws none.
template <typename Act>
std::string error_of(Act act);

}  // namespace headlight

#include "core/error.h"

template <typename Act>
std::string headlight::error_of(Act act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}
