// Small studies and matrices for the tests of the core.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/compute.h"
#include "core/mechanisms/graph_attention.h"
#include "core/mechanisms/recurrent.h"
#include "core/mechanisms/transformer.h"

namespace headlight {

inline const Watched kWatchAll{.everything = true, .globs = {}};

/// Normal random numbers, different for every seed.
Matrix random_matrix(Index rows, Index columns, std::uint64_t seed = 1);

/// "the cat sat" → {"the", "cat", "sat"}
std::vector<std::string> words_of(std::string_view text);

/// The sizes of a stack.
struct Sizes {
    int n_layers = 1, n_heads = 4, d_model = 32, d_k = 8, d_v = 8;
};
StackSettings stack_of(const Sizes& sizes, Switch causal = Switch::Off);

/// A trace with everything kept.
Trace sentence(std::string_view text, const StackSettings& settings,
               const Interventions& interventions = {});
Trace graph(const Edges& edges, const GraphSettings& settings,
            const Interventions& interventions = {});

Trace translation(std::string_view source, std::string_view target,
                  const RecurrentSettings& settings, const Interventions& interventions = {});

/// A tensor of one cell that is always kept; its path is the key of its operation.
PlannedTensor planned(const std::string& path, const Operation& operation,
                      std::vector<TensorId> inputs);

/// The plan of a computed trace.
std::shared_ptr<const Plan> without_values(const Trace& trace);

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
