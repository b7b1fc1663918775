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
    /// √(Σ (x − mean)² / (n − 1)); NaN for fewer than two numbers, which have none.
    double deviation() const;
    bool operator==(const Moments&) const = default;
};

/// The metrics of one head, in the order of measured_metric_names().
struct HeadTally {
    std::string attention;  // "blocks.0.attn"
    int head = 0;
    std::vector<Moments> metrics;
};

/// The names of head_metric_names(), and "induction on probe": texts that do not repeat themselves
/// have their induction measured elsewhere, which is another number.
std::vector<std::string> measured_metric_names();

/// Which rows of a text metrics are of.
enum class MetricRows { All, WithoutFirst };
/// False where the head's pattern has NaN or infinity, so that no metric of it is defined.
bool is_measured(const Tensor& metrics, MetricRows rows);
/// One metric of a head; NaN where the text has no row for it: duplicate where no word is repeated,
/// previous, next, first and sparsity of one token. `metrics` has values.
double measured_metric(const Tensor& metrics, HeadMetric metric, MetricRows rows);
/// Which texts have no row for it: "that repeat no word", "of one token"; "" if all have.
std::string texts_without(HeadMetric metric);
/// All of one head, in the order of measured_metric_names(). `metrics` is of the trace.
std::vector<double> measured_metrics(const Trace& trace, const Tensor& metrics, MetricRows rows);
/// Its induction on the probe, wherever it is measured; NaN if the trace has not the value of its
/// pattern there (kProbePatterns).
double measured_on_probe(const Trace& trace, const Tensor& metrics, MetricRows rows);

/// Counts a text once in every head's moments. The trace has all heads' metrics with values; the
/// tally is empty, or of the same heads. A metric that has no number is not added. Returns the
/// paths of the patterns that are not measured; where none is measured, nothing is added.
std::vector<std::string> add_text(std::vector<HeadTally>& tally, const Trace& trace,
                                  MetricRows rows);

}  // namespace headlight
