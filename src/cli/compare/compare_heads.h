// headlight compare --heads: how much each head of A differs from that of B.
#pragma once

#include <optional>
#include <string>

#include "cli/output/streams.h"
#include "scene/tables/heads_table.h"

namespace headlight {

struct ComparedHeads {
    std::optional<std::string> sort;    // a column, by magnitude; absent: in computation's order
    std::optional<std::string> output;  // in a format of numbers; absent: CSV to the results
};

/// A row a head, see compared_heads_table. Heads that are left out are noted. Throws Error if no
/// head can be compared. Both traces have all patterns and metrics with values.
void write_compared_heads(const ComparedTraces& traces, const ComparedHeads& options,
                          const Streams& streams);

}  // namespace headlight
