// The numbers of every head, of a view, of a composition or of a sweep as a table, for files and
// the clipboard.
//
// Goals: the window's export, its clipboard and `headlight export` write the same table. Not goals:
// the numbers of matrices, which are files as they are.
#pragma once

#include <string>
#include <vector>

#include "core/components.h"
#include "core/trace.h"
#include "io/text/table.h"
#include "views/finished_sweep.h"
#include "views/looks.h"
#include "views/scene.h"
#include "views/views.h"

namespace headlight {

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
    bool has_metrics = true;  // which are means over the whole text of a study
};
/// The columns are attention, head, the distances of the two patterns, as the view of all heads
/// shows them in a comparison, and A's metrics less B's. A metric that only one of the two has is
/// noted. Where induction is measured in the text of one and on the probe of the other, both are
/// compared on the probe, whose patterns must have values. Heads that B does not have, or whose
/// patterns cannot be subtracted, are left out. Throws Error if no head can be compared.
HeadsTable compared_heads_table(const ComparedTraces& traces, const Components& of_a,
                                const HeadsList& list = {});

/// Returns the view whose numbers stand for those of a view: its own, or those of a part of it;
/// Matrix where the numbers are the chosen matrix's.
ViewId numbers_view(const Scene& scene, ViewId view);

/// Returns the numbers; in a comparison with A and B beside each other, or with their difference
/// where heads are compared. Throws Error if the scene has nothing for the view, or the view has no
/// table.
ViewTable view_table(const Scene& scene, ViewId view);

// ---- of single views, which have something to show ----

/// Lists the heads that the view lists, if it is the one that is seen; otherwise all.
ViewTable heads_numbers(const Scene& scene);
/// `view` is NextWords, Lens or Attribution.
template <ViewId view>
ViewTable logits_numbers(const Scene& scene);
ViewTable sweep_numbers(const Scene& scene);
ViewTable composition_numbers(const Scene& scene);

/// The columns are earlier, later, and the scores by Q, K and V, for all pairs whose earlier head
/// is in an earlier layer, in the order of heads. Cells are empty where scores are no products of
/// queries and keys. Throws Error if the study has no such pairs, or their scores are not computed.
Table composition_table(const Trace& trace);

/// A head that a layer does not have has no number.
Table sweep_table(const FinishedSweep& sweep);

}  // namespace headlight
