// Composition scores measure how much of a head's writing into the residual stream a later head
// reads.
// [Elhage 2021, "A mathematical framework for transformer circuits"]
#pragma once

#include <string>
#include <vector>

#include "core/operation.h"
#include "core/trace.h"

namespace headlight {

/// The input by which the later head reads the earlier one.
enum class Composition { Query, Key, Value };
inline constexpr int kCompositions = 3;

/// Returns "composition.Q", "composition.K" or "composition.V": of later heads (rows, of all layers
/// but the first) with earlier ones (columns, of all but the last). A pair in the wrong order is 0.
std::string composition_path(Composition composition);

/// Returns the paths of those that the plan has.
std::vector<std::string> composition_paths(const Plan& plan);

/// Adds compositions on demand, for heads that read the residual stream by weights of their own. Q
/// and K need scores that are products of queries and keys, without norms of these. Adds nothing
/// where there is one layer, or no W_O.
void add_compositions(Plan& plan, const std::vector<Location>& attentions, int n_heads);

/// Returns the typical score of random circuits: their mean square is 1 / d_model whatever the
/// circuits' spectra, if the directions in which one writes and the other reads are random.
double chance_of_composition(Index d_model);
/// Returns the typical score of random circuits in the plan's network; 0 if it has no compositions.
double chance_of_composition(const Plan& plan);

/// An earlier head, and how strongly a later one reads it.
struct ComposedHead {
    int layer = 0, head = 0;
    Composition by = Composition::Query;
    Scalar score = 0;
};

/// Returns the strongest compositions of the head with earlier ones, strongest first; empty if the
/// trace has no values of them.
std::vector<ComposedHead> strongest_compositions(const Trace& trace, const Location& attention,
                                                 int head, std::size_t count);

}  // namespace headlight

namespace headlight::operations {

/// C(i,j) = ‖W_OV(e) W(l)‖ / (‖W_OV(e)‖ ‖W(l)‖), Frobenius norms, of the later head l = i + count
/// and the earlier one e = j; 0 where e is of no earlier layer. W_OV = W_V W_O, and W(l) is, by
/// begin,
///     0: W_Q W_Kᵀ    1: W_K W_Qᵀ    2: W_V W_O
/// Weights that read the residual stream have the norm before them folded in: W ← (I − scale/d ·
/// 11ᵀ) diag(γ) W. Inputs for every head W_Q, W_K, W_V, W_O and, if there are norms, γ. Reads
/// begin, count (heads a layer), scale (0 or 1) and indices (the row of W_O with which each head
/// begins). An analysis. [Elhage 2021, "Composition"]
extern const Operation composition;

}  // namespace headlight::operations
