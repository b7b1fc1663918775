// One of the sentences that are stacked in a trace.
#pragma once

#include "core/trace.h"

namespace headlight {

/// How many sentences are stacked; 1 where none are.
Index count_pages(const Trace& trace);

/// The trace as if only that sentence existed: of every stacked tensor its rows, with what belongs
/// to them (settings, holds, the lists of names). Tensor::first_row says which row of the document
/// row 0 of the page is. The trace as it is where nothing is stacked. Throws Error if there is no
/// such sentence.
Trace page(const Trace& trace, Index sentence);

}  // namespace headlight
