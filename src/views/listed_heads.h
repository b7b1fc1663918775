// The heads of all attentions, each with what is known about it. The panel of all heads and its
// figure are made from this.
#pragma once

#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

#include "core/analyses/head_metrics.h"
#include "figure/figure_look.h"
#include "figure/heads_figure.h"
#include "figure/panels/panels_figure.h"
#include "views/compared_sides.h"
#include "views/head_thumbnail.h"
#include "views/scene.h"

namespace headlight {

struct ListedHead {
    const Component* attention;
    int row, head;
    const Tensor* pattern;
    const Tensor* metrics;  // with values; null: none are defined for it
    std::optional<HeadLabel> label;
    HeadThumbnail* thumbnail;
    std::optional<Ablation> ablation;
    /// The mean weight that the queries give the held word; absent if nothing is held, or it is no
    /// word.
    std::optional<Scalar> on_held = {};
    const HeadDifference* difference = nullptr;  // from B's head; null: it is not compared

    std::string place() const { return fmt::format("{}.{}", row, head); }
    /// Returns NaN where the metric is not defined, as for a pattern with NaN or a text without a
    /// row for it.
    Scalar metric(HeadMetric metric, MetricRows rows) const;
    /// Returns "0.312", or "—" and why it is not defined.
    std::string metric_text(HeadMetric metric, MetricRows rows) const;
    /// Returns the distance of its rows from B's, ½ Σ |A − B| as their mean, 0 to 1; nothing where
    /// no number says it.
    std::optional<Scalar> distance() const;
    /// Returns "first 0.55", in few letters; for a picture's patches what full colour stands for.
    std::string short_label() const;
    /// Returns "first", for places where the short label has no room; "" where a number would stand
    /// there without a word.
    std::string shortest_label() const;
    /// True of a head whose picture is A − B.
    bool shows_difference() const { return difference && pattern == &difference->tensor; }
    /// Draws the head as one picture in a grid.
    HeadPicture picture(const Theme& theme) const;
};

/// Lists the heads whose patterns are computed, in order. The thumbnails are kept for the next
/// call.
std::vector<ListedHead> list_heads(const Scene& scene, std::vector<HeadThumbnail>& thumbnails);

/// The heads of one side of a comparison, or of A, where nothing is compared.
struct HeadsOfSide {
    ComparedSide side = ComparedSide::A;
    std::string title;                 // "": nothing is compared
    std::vector<ListedHead> heads;     // of A − B: pictures with one scale for all of them
    std::vector<std::string> rows;     // one name an attention
    std::string problem;               // why there are no heads
    std::optional<ColorBar> bar = {};  // of A − B: what its colours stand for
    std::string colors = {};           // the same in words: "brown −0.5 to blue +0.5"
};

/// The thumbnails and differences that are kept from one list to the next.
struct HeadsMemory {
    std::vector<HeadThumbnail> a, b, difference;
    HeadDifferences differences;
};

/// Lists the sides that are shown. Heads of A and of A − B know their difference.
std::vector<HeadsOfSide> list_sides(const Scene& scene, HeadsMemory& memory);

/// The pictures of a side's heads in the order given, in a box with its title.
struct SideOfHeads {
    const HeadsOfSide& side;
    bool is_by_layer = true;  // a row for each attention; else in the order given
    std::vector<HeadPicture> pictures;
    bool has_colors_in_title = true;  // what those of A − B stand for
};

HeadGridFigure side_figure(const SideOfHeads& shown, Point size, const Theme& theme,
                           const MeasureText& measure);

/// Returns globs of the tensors that the list is made from.
std::vector<std::string> head_globs(const Plan& plan);

/// Returns one name for each attention: "Layer 0", "Layer 1 · cross".
std::vector<std::string> attention_rows(const Components& components);

/// Returns the meaning of all heads' colours, "probability, linear, 0 to 0.3", where this is not
/// the usual 0 to 1; "" otherwise.
std::string colors_of_heads(const Scene& scene);

/// "the patterns of 1 of 12 heads have NaN or infinity: …"; "" where all heads have metrics.
std::string unmeasured_heads_text(const std::vector<ListedHead>& heads);
std::string unmeasured_heads_text(const Scene& scene);

/// Returns "duplicate is not defined for texts that repeat no word", where no head has the metric;
/// "" otherwise.
std::string why_no_metric(const std::vector<ListedHead>& heads, HeadMetric metric, MetricRows rows);

/// Returns the bar that the colours of all heads have in common, where there is one, and that of
/// A − B.
std::vector<ColorBar> bars_of_sides(const Scene& scene, const std::vector<HeadsOfSide>& sides);

/// Returns "25 of 72 heads look nearly blank: …" where many do on the scale of 0 to 1, since no key
/// gets much in a long text; "" otherwise.
std::string blank_heads_text(const Scene& scene, const std::vector<ListedHead>& heads);
/// Returns such a text for all heads of the scene that have values.
std::string blank_heads_text(const Scene& scene);
/// Returns "nearly blank on a scale of 0 to 1: …", where the matrices of a picture are; ""
/// otherwise.
std::string blank_matrices_text(const Scene& scene, const std::vector<const Tensor*>& matrices);

/// Draws one row for each attention, as large as reads well, or in the look's room; the sides of a
/// comparison beside each other where their heads stay legible, and otherwise below each other.
Figure all_heads_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
