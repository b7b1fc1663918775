// What each head does over many texts: mean and spread of its metrics.
#pragma once

#include <string>
#include <vector>

#include "core/analyses/head_metrics.h"
#include "core/components.h"

namespace headlight {

/// Of the numbers added so far. NaN is not added.
struct Moments {
    long n = 0;
    double mean = 0, square = 0;  // Σ (x − mean)²                                [Welford 1962]
    double low = 0, high = 0;

    void add(double x);
    /// √(Σ (x − mean)² / (n − 1)); 0 for one number.
    double deviation() const;
    bool operator==(const Moments&) const = default;
};

/// The metrics of one head, in the order of tallied_metrics().
struct HeadTally {
    std::string attention;  // "blocks.0.attn"
    int head = 0;
    std::vector<Moments> metrics;
};

/// The names of head_metric_names(), and "induction on probe": texts that do not repeat themselves
/// have their induction measured elsewhere, which is another number.
std::vector<std::string> tallied_metrics();

/// Counts a text once in every head's moments. The trace has all heads' metrics with values; the
/// tally is empty, or of the same heads. A metric that counts none of the text's rows is not added:
/// duplicate where no word is repeated, previous, next and first of one token. `without_first`: the
/// metrics of all queries but the first.
void add_text(std::vector<HeadTally>& tally, const Trace& trace, bool without_first);

}  // namespace headlight
