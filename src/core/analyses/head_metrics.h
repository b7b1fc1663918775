// What each head does, in numbers, and in a word where a number is high.
//
// Every metric is a mean over the queries that read something, all sentences together; what each
// one is and its range stands in docs/mechanisms.md.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

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

/// "entropy", "distance", …
std::span<const char* const> head_metric_names();

/// The random words that the induction score is measured on: so many different ones, twice.
inline constexpr Index kProbeWords = 8;
std::vector<std::string> probe_words();
/// The first words of a plan's probe are these, at most so many, and it says so.
void set_probe_words(Plan& plan, const std::vector<std::string>& words);

/// The number of each word, equal words have the same one; −1 for padding.
std::vector<Index> word_numbers(const std::vector<std::string>& words);

/// Adds, on demand, heads.h.metrics of every head of the self-attentions ("blocks.0.attn"), whose
/// probes are those of the probe's network, and metrics.NAME, attentions × heads. Of patterns that
/// are too large to be all in memory also heads.h.overview, so that all heads can be seen while one
/// pattern at a time is.
void add_head_metrics(Plan& plan, const std::vector<Location>& attentions, int n_heads,
                      const std::vector<Index>& words);

/// Induction is measured where a text repeats itself: on as many words as the probe has that were
/// there before, of a recording on any. Else on the probe; of a recording it is NaN.
/// "where the text repeats itself", "on 8 random words said twice", "on 8 of the weights' words
/// said twice"; "" where it is not known.
std::string induction_place(const Plan& plan);

/// The same of patterns of which nothing else is known: the norm is NaN, and so is induction where
/// the text does not repeat itself; what is NaN has no metrics.NAME. Overviews are there of all
/// large patterns.
void add_recorded_metrics(Plan& plan, const std::vector<Location>& attentions, int n_heads,
                          const std::vector<Index>& words);

/// The side of an overview, of patterns with more than twice as many rows.
inline constexpr Index kOverviewSide = 128;

struct HeadLabel {
    HeadMetric metric = HeadMetric::Previous;
    Scalar value = 0;
};

/// What a head is called by: the highest of the metrics that are shares of attention, of all
/// tokens, that is at least kLeastLabel and above what random weights reach by chance (one number a
/// metric).
inline constexpr Scalar kLeastLabel = Scalar(0.4);
std::optional<HeadLabel> head_label(const Matrix& metrics, std::span<const Scalar> chance);
/// Where those numbers stand, attentions × metrics (model/chance_levels.h).
inline constexpr const char* kChancePath = "metrics.chance";
/// The same of a head of a trace; nothing while its metrics and chance levels are not computed.
std::optional<HeadLabel> head_label(const Trace& trace, const std::string& attention, int head);
/// "previous token", "first token", …
const char* label_text(HeadMetric metric);

}  // namespace headlight
