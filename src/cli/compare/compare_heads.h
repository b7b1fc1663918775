// headlight compare --heads: how much each head of A differs from that of B.
#pragma once

#include <optional>
#include <string>

#include "cli/output/streams.h"
#include "core/trace.h"

namespace headlight {

/// Metrics are means over the whole text of a study.
enum class WithMetrics { Yes, No };

struct ComparedHeads {
    std::optional<std::string> sort;    // a column, by magnitude; absent: in computation's order
    std::optional<std::string> output;  // .csv or .json; absent: CSV to the results
    WithMetrics metrics = WithMetrics::Yes;
};

/// Throws Error unless the file's extension is that of such a table.
void check_is_heads_table(const std::optional<std::string>& output);

/// A row a head: the distances of the two patterns, as All heads shows them in a comparison, and
/// A's metrics less B's. Heads that B has not, or whose patterns cannot be subtracted, are noted.
/// Throws Error if no head can be compared. Both traces have all patterns and metrics with values.
void write_compared_heads(const Trace& a, const Trace& b, const ComparedHeads& options,
                          const Streams& streams);

}  // namespace headlight
