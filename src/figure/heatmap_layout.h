// The places of a matrix's cells and labels.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "figure/cell_grid.h"
#include "figure/color_scale.h"
#include "figure/picture_view.h"

namespace headlight {

/// The selected part of a matrix: rows (several may be summed), a column, or both: cells.
struct CellPick {
    std::vector<Index> rows;
    std::optional<Index> column;
    std::vector<Index> also_columns = {};  // outlined beside it

    bool has_column(Index at) const {
        return column == at ||
               std::find(also_columns.begin(), also_columns.end(), at) != also_columns.end();
    }
};

/// The enlargements allowed for pictures that are read from far away: the largest that leaves every
/// label and number its room is taken.
struct TimesRange {
    float least = 1, most = 1;
    float number = 0;  // size of type from which on numbers can be read; 0: any
};

enum class LegendPlace { None, Right, Bottom };

struct HeatmapInput {
    std::string title, formula;  // may be empty
    std::string symbol;          // set as a formula where the title begins with it
    std::string caption;         // over the row labels
    std::vector<std::string> row_labels,
        column_labels;  // shorter than the matrix: the rest is bare
    MatrixPtr values;   // none, or 0 × 0: only the title is drawn
    MatrixPtr colored;  // the values that are coloured, the same shape; none: the values themselves
    ColorScale scale;
    FarOut far_out = FarOut::Strongest;
    LegendPlace legend = LegendPlace::Right;  // Right becomes Bottom under a flat matrix
    std::string legend_name;                  // "linear", "log", "per row" …
    ClippedEnds clipped = {};                 // of the scale
    CellPick selected, hovered;
    std::vector<CellIndex> pinned;       // marked in their corner
    std::vector<Index> moved_rows = {};  // marked, more or less strongly
    float moved_strength = 0;
    enum class Numbers {
        Never,
        WhenTheyFit,
        Small,  // even if they are small
        Whole,  // without decimals, when they fit
    } numbers = Numbers::WhenTheyFit;
    std::optional<int> decimals = {};   // of numbers that are not whole; absent: as they fit
    std::optional<Target> target = {};  // the meaning of the cells; their grid is found here
    std::optional<float> label_size;    // absent: as the cells have room for it
    float corner = 0;                   // width at the upper right that the title leaves free
    PictureView view;                   // zoomed in, an overview stands beside the cells
    float stretch = 1;                  // the largest ratio of a cell's sides; 1: squares
    TimesRange times = {};              // the enlargement that type and lines may have
    float width = 480, height = 480;
};

/// Everything that is decided before a mark is made.
struct HeatmapLayout {
    CellGrid grid;
    ZoomRoom room;      // for other views of it
    CellGrid overview;  // the whole matrix, small; without cells while all is seen
    float title_baseline = 0, formula_baseline = 0;  // of the first lines
    float formula_left = 0;                          // beside the title, or under it
    std::vector<std::string> title_lines, formula_lines;
    float formula_size = 0;
    float label_size = 0;
    float row_label_width = 0;  // right-aligned, ending kLabelGap left of the cells
    float column_band = 0;      // height over the cells
    enum class Columns { Flat, Tilted, Upright } columns = Columns::Flat;  // Tilted: by 45°
    float column_limit = 0;                                                // longest column label
    LegendPlace legend = LegendPlace::None;
    Box legend_box;
    std::vector<Index> shown_rows, shown_columns;  // those with labels
    std::vector<LeftOut> left_out;                 // labels in words, the legend
};

inline constexpr float kFigurePad = 12;
inline constexpr float kLabelGap = 7;

inline constexpr float kHeatmapTitle = 13, kHeatmapFormula = 12.5f;  // sizes of type
inline constexpr float kTitleLine = 16, kFormulaLine = 16;
inline constexpr float kCaptionSize = 10, kCaptionLine = 12.5f;

/// "query ↓ reads key →" → "query ↓", "reads key →"
std::vector<std::string> caption_lines(const std::string& caption);
/// Returns the height of the caption above the cells, with the distance from these.
float caption_height(const HeatmapInput& input);

/// Returns the left end of the formula if it stands beside the title: from far away, the height
/// belongs to the cells. Returns nothing if it has no room there.
std::optional<float> formula_beside(const HeatmapInput& input, const MeasureText& measure);

/// True if the labels are the numbers from 0 on.
bool are_counted(const std::vector<std::string>& labels);

HeatmapLayout lay_out(const HeatmapInput& input, const MeasureText& measure);

/// Places the title and the formula in the layout; returns the top of the space below them.
float place_header(const HeatmapInput& input, HeatmapLayout& layout, const MeasureText& measure);

/// Returns a box for a rows × columns picture without labels: square cells where possible, the
/// picture never narrower than 2/5 of its other side, at most max_side long.
Box mini_box(Index rows, Index columns, float max_side);

/// The length by which a turned label may exceed its room, in its sizes: letters do not shrink
/// exactly as their size does.
inline constexpr float kTiltedSlack = 0.2f;

struct NumberStyle {
    float size = 0;  // 0: there are none
    int decimals = 0;
    bool is_short = false;  // ".05"
    bool is_exact = false;  // long numbers have all decimals, too
};
std::string cell_text(Scalar value, const NumberStyle& type);

/// Returns the style of the numbers in the cells. Where they would be too small to be read, see
/// TimesRange, they are higher in their cells, or shorter.
NumberStyle number_style(const HeatmapInput& input, const HeatmapLayout& plan,
                         const MeasureText& measure);

/// Returns the picture's input before it is enlarged that many times.
HeatmapInput before_enlarging(HeatmapInput input, float times);

/// Returns, within the input's times, the largest that leaves every label and number its room.
float best_times(const HeatmapInput& input, const MeasureText& measure);

}  // namespace headlight
