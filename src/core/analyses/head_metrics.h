// Measures the behaviour of each head in numbers, and names it where a number is high.
//
// Every metric is a mean over the queries that read something and for which it is defined, over all
// sentences together. Where one of these rows has NaN or infinity, the metrics of its pattern are
// not defined: NaN. docs/mechanisms.md defines each metric and its range.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/components.h"
#include "core/trace.h"

namespace headlight {

/// Columns of a head's metrics.
enum class HeadMetric {
    Entropy,   // of the rows, in bits                                     [Shannon 1948]
    Distance,  // Σ_j A(i,j) |i − j|                                       [Vig & Belinkov 2019]
    Previous,  // A(i,i−1)                                                 [Clark 2019; Voita 2019]
    Next,      // A(i,i+1)
    First,     // A(i,0): a sink                                           [Xiao 2023]
    Duplicate,  // on earlier occurrences of the same word
    Induction,  // on what followed an earlier occurrence of the word        [Olsson 2022]
    Symmetry,   // Σ A(i,j) A(j,i) / Σ A(i,j)²                              [Saponati 2025]
    Sparsity,  // (√n − 1/‖A(i)‖₂) / (√n − 1)                              [Hoyer 2004]
    Norm,      // Σ_j A(i,j) ‖V(j) W_O‖                                    [Kobayashi 2020]
};

/// Returns "entropy", "distance", …
std::span<const char* const> head_metric_names();

/// The number of different random words that the induction score is measured on. Each occurs twice.
inline constexpr Index kProbeWords = 8;
/// Returns the words of a probe: `known` words as far as there are enough, spread over all of them;
/// the others are made up.
std::vector<std::string> probe_words(const std::vector<std::string>& known = {});
/// Sets the words of a plan's probe. The equation of metrics.induction names them.
void set_probe_words(Plan& plan, const std::vector<std::string>& words);

/// Returns the number of each word; equal words have the same one, and padding has −1.
std::vector<Index> word_numbers(const std::vector<std::string>& words);

/// Adds, on demand, heads.h.metrics for every head of the self-attentions ("blocks.0.attn"), whose
/// probes are those of the probe's network, and metrics.NAME, attentions × heads. If the patterns
/// are too large to be in memory at once, it also adds heads.h.overview, so that all heads can be
/// shown while one pattern at a time is in memory.
void add_head_metrics(Plan& plan, const std::vector<Location>& attentions, int n_heads,
                      const std::vector<Index>& words);

/// Says where induction is measured: "where the text repeats itself", "on 8 random words said
/// twice" or "on 8 of the weights' words said twice"; "" if unknown. Induction is measured on the
/// text if it repeats as many words as the probe has (for a recording, any). Otherwise it is
/// measured on the probe; for a recording it is NaN.
std::string induction_place(const Plan& plan);

/// True if induction is measured on the text.
bool is_induction_of_text(const Plan& plan);
/// The paths of the patterns on the probe, which are computed on demand; a recording has none.
inline constexpr const char* kProbePatterns = "probe.*.pattern";
/// Returns the weight that a head gives, on the probe, to the word after the earlier occurrence of
/// the same word. `probe` is its pattern there. The first `skip` tokens are left out.
Scalar induction_on_probe(const ConstView& probe, Index skip);

/// Adds the metrics of patterns without a model. The norm is NaN, and so is induction if the text
/// does not repeat itself. NaN metrics get no metrics.NAME. All large patterns get overviews.
void add_recorded_metrics(Plan& plan, const std::vector<Location>& attentions, int n_heads,
                          const std::vector<Index>& words);

/// The side of an overview, for patterns with more than twice as many rows.
inline constexpr Index kOverviewSide = 128;

struct HeadLabel {
    HeadMetric metric = HeadMetric::Previous;
    Scalar value = 0;
};

/// The least value of a metric that a head is named after.
inline constexpr Scalar kLeastLabel = Scalar(0.4);
/// Returns the metric that a head is named after: of the metrics that are shares of attention, the
/// highest one that is at least kLeastLabel and above what random weights reach by chance. `chance`
/// has one number per metric.
std::optional<HeadLabel> head_label(const Matrix& metrics, std::span<const Scalar> chance);
/// The path of the chance levels, attentions × metrics (model/chance_levels.h).
inline constexpr const char* kChancePath = "metrics.chance";
/// Returns the label of a head of a trace; nothing until its metrics and chance levels are
/// computed. Duplicate and induction, which only repeated words show, name no head where fewer than
/// four words are repeated.
std::optional<HeadLabel> head_label(const Trace& trace, const std::string& attention, int head);
/// Returns "previous token", "first token", …
const char* label_text(HeadMetric metric);

/// Moments of the numbers added so far. NaN is not added.
struct Moments {
    long n = 0;
    double mean = 0, square = 0;  // Σ (x − mean)²                                [Welford 1962]
    double low = 0, high = 0;

    void add(double x);
    /// Returns √(Σ (x − mean)² / (n − 1)); NaN for fewer than two numbers, which have none.
    double deviation() const;
    bool operator==(const Moments&) const = default;
};

/// The metrics of one head, in the order of measured_metric_names().
struct HeadTally {
    std::string attention;  // "blocks.0.attn"
    int head = 0;
    std::vector<Moments> metrics;
};

/// Returns the names of head_metric_names(), and "induction on probe": texts that do not repeat
/// themselves have their induction measured on the probe, which gives another number.
std::vector<std::string> measured_metric_names();

/// The rows of a text that metrics include.
enum class MetricRows { All, WithoutFirst };
/// False where the head's pattern has NaN or infinity, so that no metric of it is defined.
bool is_measured(const Tensor& metrics, MetricRows rows);
/// Returns one metric of a head; NaN where the text has no row for it: duplicate where no word is
/// repeated, previous, next, first and sparsity of one token. `metrics` has values.
double measured_metric(const Tensor& metrics, HeadMetric metric, MetricRows rows);
/// Describes the texts that have no row for a metric: "that repeat no word", "of one token"; "" if
/// all have.
std::string texts_without(HeadMetric metric, MetricRows rows);
/// Returns all metrics of a head, in the order of measured_metric_names(). `metrics` is of the
/// trace.
std::vector<double> measured_metrics(const Trace& trace, const Tensor& metrics, MetricRows rows);
/// Returns its induction on the probe, wherever it is measured; NaN if the trace lacks the value of
/// its pattern there (kProbePatterns).
double measured_on_probe(const Trace& trace, const Tensor& metrics, MetricRows rows);

/// Counts a text once in every head's moments. The trace has all heads' metrics with values; the
/// tally is empty, or of the same heads. A metric that has no number is not added. Returns the
/// paths of the patterns that are not measured; where none is measured, nothing is added.
std::vector<std::string> add_text(std::vector<HeadTally>& tally, const Trace& trace,
                                  MetricRows rows);

}  // namespace headlight
