// Functions of expressions that say how much each query of a pattern reads tokens of some kind.
#pragma once

#include "expression/expression_functions.h"

namespace headlight {

/// Σ_j M(i,j) over the columns j of that kind, for each row i that has any, as a row with the names
/// of these rows. Each throws Error if M is no matrix with names, or no row has such a column.
Value weight_on_token(const FunctionCall& call);        // of the name that is given
Value weight_on_special(const FunctionCall& call);      // text/words.h
Value weight_on_punctuation(const FunctionCall& call);  // text/token_kinds.h
Value weight_on_same_word(const FunctionCall& call);    // other columns with the row's own name
Value weight_on_first(const FunctionCall& call);        // M(i,0), i ≥ 1
Value weight_on_previous(const FunctionCall& call);     // M(i,i−1)

}  // namespace headlight
