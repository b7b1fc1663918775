// Positions: turned into the queries and keys, or laid out on a grid.
#pragma once

#include <span>

#include "core/operation.h"

namespace headlight::operations {

/// Rotary positions. Each pair (a, b) of columns of row i is rotated by its own angle, and scaled:
///     Y(i,a) = s (X(i,a) cos(p θ_f) − X(i,b) sin(p θ_f))
///     Y(i,b) = s (X(i,a) sin(p θ_f) + X(i,b) cos(p θ_f)),   θ_f = 10000^{−2f/d} or angles[f]
/// where p = i mod group_rows + begin is the row's position. The two columns of pair f are `step`
/// apart: step 1 gives (2f, 2f+1) [Su 2021, RoFormer, eq. 34]; step ⌊d/2⌋ gives (f, f + ⌊d/2⌋), as
/// in GPT-NeoX and Hugging Face's LLaMA. Columns after the last pair stay. So Y(i)·Y(j) depends on
/// the positions only through i − j.
/// n×d → n×d. Reads angles (one a pair; null: ⌊d/2⌋ pairs), scale (s), step, begin (the position of
/// a sentence's first row) and group_rows.
extern const Operation rotary;

/// Sinusoidal positions on a grid of `count` columns. The cell of row i is (i / count, i mod count)
/// within its image of group_rows rows; the first ⌈d/2⌉ channels hold the sinusoids of the grid's
/// row, the others those of its column, each half as sinusoidal_positions of its own width.
///     [Carion 2020, DETR, A.4, after Vaswani 2017, §3.5]
/// A leaf of n×d. Reads count and group_rows.
extern const Operation sinusoidal_2d;

std::span<const Operation* const> position_operations();

}  // namespace headlight::operations
