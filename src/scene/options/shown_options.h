// What a view shows of a study, and how: as options, and applied to the selection and comparison.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/analyses/difference.h"
#include "core/components.h"
#include "paint/picture_scales.h"
#include "scene/comparison.h"
#include "scene/looks.h"
#include "scene/options/item_names.h"
#include "scene/options/text_option.h"
#include "scene/selection.h"

namespace headlight {

/// A setting of how matrices are coloured.
struct PictureChange {
    enum class Of { Shown, Quantity, Difference } of = Of::Shown;  // Difference: A − B
    Quantity quantity = {};
    std::function<void(PictureSettings&)> apply;
};

struct ShownOptions {
    std::optional<std::string> component;  // its path
    std::vector<int> heads;                // the chosen head, and those drawn over it
    std::optional<std::string> held;       // the matrix whose row is held; absent: the chosen one
    enum class RowsAre { OfMatrix, Nodes } rows_are = RowsAre::OfMatrix;
    // without `held`
    std::vector<std::string> rows;     // of it: indices or names; more of them are words that look
    std::vector<std::string> columns;  // more of them, without rows: words that are read
    std::vector<std::string> part_rows, part_columns;  // that alone are shown; none: all
    int n_bars = MatrixLook{}.n_bars;                  // of the view of a row
    std::optional<std::string> against;                // of the plane: a second matrix
    std::optional<std::string> terms_of;               // of the arithmetic of a cell: a step
    TermOrder term_order = TermOrder::Strongest;
    std::vector<std::string> panels;        // globs of the matrices of panels
    std::vector<std::string> panel_titles;  // of the panels, in their order
    int across = 0;                         // of them beside each other; 0: by room
    WordView words;
    std::optional<std::string> asked_word, minus_word;  // of the view of logits
    GraphLook graph;
    RowsAs rows_as = RowsAs::Sum;
    std::vector<PictureChange> pictures;
    PictureView view;
    std::optional<std::string> with;   // B: a study's file, a head's matrix, or a sentence's number
    std::optional<std::string> names;  // "now|before": what A and B are called
    Comparison::Show sides = Comparison::Show::All;
};

/// Each says which views it changes. `options` must live as long as the result.
std::vector<TextOption> shown_options(ShownOptions& options);

/// "of the views words", "of all views but heads": the views that the option changes; "" for all.
std::string views_text(const TextOption& option);

/// Why the option changes nothing of such a view, where other ones are given with it: "it is of
/// the views words", "it needs --with"; "" if it may change something.
std::string why_idle(const TextOption& option, FigureOf view,
                     const std::vector<std::string>& given);

/// Part and head, before a matrix is chosen. Throws Error if there is no such part.
void open_shown(Selection& selection, const Trace& trace, const Components& components,
                const ShownOptions& shown);

/// The matrix large, in its colours, with its held rows and the heads that stand over it. Throws
/// Error if there is no such row or head.
void choose_shown(Selection& selection, const TensorIn& tensor, const Components& components,
                  const ShownOptions& shown, const TakeNote& note);

/// Opens a study by what a view calls it. Throws Error if there is none.
using OpenStudy = std::function<Document(const std::string& name)>;

/// The B of the comparison. `whole` has all sentences. Throws Error if A cannot be compared with
/// it.
Other other_shown(const Document& a, const Trace& whole, const ShownOptions& shown,
                  const OpenStudy& open);

}  // namespace headlight
