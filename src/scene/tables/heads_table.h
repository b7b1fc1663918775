// The numbers of every head, as a table with a row for each head.
#pragma once

#include <string>
#include <vector>

#include "core/components.h"
#include "core/trace.h"
#include "io/text/table.h"
#include "scene/looks.h"

namespace headlight {

/// Metrics are means over the whole text of a study.
enum class WithMetrics { Yes, No };

struct HeadsTable {
    Table table;
    std::vector<std::string> left_out;  // heads that have no row, and why
    std::vector<std::string> notes;     // on metrics that are not defined, or measured apart
};

/// The columns are attention, head and measured_metric_names(), and the number that the heads are
/// sorted by if it is none of them. A cell is empty where the text has no number. Heads whose
/// patterns have NaN or infinity have none, and are noted.
HeadsTable heads_table(const Trace& trace, const Components& components,
                       const HeadsList& list = {});

/// True if one measures induction in its text, and the other does not.
bool measures_induction_apart(const Plan& a, const Plan& b);

/// A and B with the values of their patterns and metrics.
struct ComparedTraces {
    const Trace &a, &b;
    WithMetrics metrics = WithMetrics::Yes;
};
/// The columns are attention, head, the distances of the two patterns, as the view of all heads
/// shows them in a comparison, and A's metrics less B's. A metric that only one of the two has is
/// noted. Where induction is measured in the text of one and on the probe of the other, both are
/// compared on the probe, whose patterns must have values. Heads that B does not have, or whose
/// patterns cannot be subtracted, are left out. Throws Error if no head can be compared.
HeadsTable compared_heads_table(const ComparedTraces& traces, const Components& of_a,
                                const HeadsList& list = {});

}  // namespace headlight
