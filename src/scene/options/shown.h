// What a view shows of a study, and how: everything that can be chosen by hand in the window.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "paint/picture_scales.h"
#include "scene/comparison.h"
#include "scene/figures/matrix_look.h"

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
    std::vector<std::string> panels;                   // globs of the matrices of panels
    std::vector<std::string> panel_titles;             // of the panels, in their order
    int across = 0;                                    // of them beside each other; 0: by room
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

}  // namespace headlight
