// Where the cells of a matrix and its labels go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "paint/figure.h"

namespace headlight {

struct CellIndex {
    Index row = 0, column = 0;

    bool operator==(const CellIndex&) const = default;
};

/// What of a matrix is chosen: rows (several may be summed), a column, or both: cells.
struct CellPick {
    std::vector<Index> rows;
    std::optional<Index> column;
};

/// The grid of cells inside a figure, for hit tests and for connections between figures.
struct CellGrid {
    Box cells;
    Index rows = 0, columns = 0;

    float cell_width() const { return columns > 0 ? cells.width / columns : 0; }
    float cell_height() const { return rows > 0 ? cells.height / rows : 0; }
    Box box_of(Index row, Index column) const;
    Box row_box(Index row) const;
    std::optional<CellIndex> cell_at(Point p) const;
};

enum class LegendPlace { None, Right, Bottom };

struct HeatmapInput {
    std::string title, formula;  // may be empty
    std::string caption;         // over the row labels
    std::vector<std::string> row_labels,
        column_labels;  // shorter than the matrix: the rest is bare
    MatrixPtr values;   // none, or 0 × 0: only the title is drawn
    ColorScale scale;
    LegendPlace legend = LegendPlace::Right;  // Right becomes Bottom under a flat matrix
    std::string legend_name;                  // "linear", "log", "per row" …
    CellPick selected, hovered;
    std::vector<CellIndex> held;  // pinned cells, marked in their corner
    enum class Numbers {
        Never,
        WhenTheyFit,
        Whole,  // without decimals, when they fit
    } numbers = Numbers::WhenTheyFit;
    float width = 480, height = 480;
};

/// Everything that is decided before a mark is made.
struct HeatmapLayout {
    CellGrid grid;
    float title_baseline = 0, formula_baseline = 0;
    float label_size = 0;
    float row_label_width = 0;  // right-aligned, ending kLabelGap left of the cells
    float column_band = 0;      // height over the cells
    enum class Columns { Flat, Tilted } columns = Columns::Flat;  // Tilted: by 45°
    float column_limit = 0;                                       // longest column label
    LegendPlace legend = LegendPlace::None;
    Box legend_box;
    std::vector<Index> shown_rows, shown_columns;  // whose labels are shown
};

inline constexpr float kFigurePad = 12;
inline constexpr float kLabelGap = 7;

inline constexpr float kCaptionSize = 10, kCaptionLine = 12.5f;

/// "query ↓ reads key →" → "query ↓", "reads key →"
std::vector<std::string> caption_lines(const std::string& caption);

HeatmapLayout lay_out(const HeatmapInput& input, const MeasureText& measure);

/// A box for a rows × columns picture without labels: square cells where possible, the picture
/// never narrower than 2/5 of its other side, at most max_side long.
Box mini_box(Index rows, Index columns, float max_side);

}  // namespace headlight
