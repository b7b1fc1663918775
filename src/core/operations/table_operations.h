// Operations that read a table by numbers: embeddings of words, the logits of a sentence's words.
#pragma once

#include "core/operation.h"

namespace headlight::operations {

/// Y(i) = W(t(i)), the row whose index is nearest to t(i). n×1, V×d → n×d. kNoRow gives zeros; a t
/// that is no row of W, such as NaN, gives NaN. No gradient reaches t.
extern const Operation look_up_rows;
/// Like look_up_rows, of a computed matrix: the rows of the words that are asked about.
extern const Operation pick_rows;
/// S(g,j) = L(g, t(g·n + j)): of each row some columns, by number. G×V, (G·n)×1 → G×n. kNoRow gives
/// −∞, a t that is no column of L NaN. No gradient reaches t.
extern const Operation pick_columns;

std::span<const Operation* const> table_operations();

}  // namespace headlight::operations
