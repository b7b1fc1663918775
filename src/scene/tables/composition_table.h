// How strongly heads read what earlier ones write, as a table: a row a pair of heads.
#pragma once

#include <string>

#include "core/trace.h"
#include "io/text/table.h"

namespace headlight {

/// earlier, later, and the scores by Q, K and V, of all pairs whose earlier head is in an earlier
/// layer, in the order of heads; empty cells where scores are no products of queries and keys.
/// Throws Error if the study has no such pairs, or their scores are not computed.
Table composition_table(const Trace& trace);

/// "Frobenius norm of …; random directions reach about 0.25"
std::string composition_caption(const Trace& trace);

}  // namespace headlight
