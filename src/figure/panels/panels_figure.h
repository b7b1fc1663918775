// Several matrices of one shape in one figure, as a paper has them: letters, short titles, names at
// the left and at the top, and one bar for all panels of the same colours.
#pragma once

#include <string>
#include <vector>

#include "figure/heatmap_layout.h"
#include "figure/theme.h"

namespace headlight {

// The arrangement of several matrices of one shape in one figure: a grid with letters, and their
// colour bars.
//
// Goals: all cells have one size; names that the panels share stand once, at the left and at the
// top; no label meets another one. Not goals: the choice of matrices, and their names.

/// One matrix of the figure.
struct PanelInput {
    HeatmapInput matrix;              // without heading and legend; its size is not read
    std::vector<std::string> titles;  // the same in fewer and fewer letters; may be empty
    std::size_t bar = 0;              // the bar with its colours
};

struct ColorBar {
    ColorScale scale;
    std::string name;  // "probability, linear"
    ClippedEnds clipped = {};
    std::vector<ColorScale> stripes = {};  // see LegendInput
};

struct PanelsInput {
    std::vector<PanelInput> panels;     // at least one; all matrices have one shape
    std::vector<ColorBar> bars;         // one or two
    std::vector<std::string> formulas;  // of all of them; may be empty
    int across = 0;                     // panels beside each other; 0: as many as leave labels room
    int group = 1;  // so many belong together, beside each other where they have room
    float label_size = 10;
    float width = 900;
    float height = 0;      // 0: what they need, up to `tallest`
    float tallest = 1000;  // with a free height
    float largest = 320;   // side of one panel
};

/// The form of the titles that gives them room: with as many letters as possible, on one line or
/// two.
struct PanelTitles {
    std::size_t form = 0;
    std::size_t n_lines = 1;
    float width = 0;
    std::size_t n_cut = 0;  // have no room even so
};

struct PanelsLayout {
    Point size;
    int across = 1;
    std::vector<HeatmapLayout> panels;  // in the coordinates of the whole figure
    std::vector<Point> titles;          // the starts of their baselines
    PanelTitles form;
    std::vector<std::string> formula_lines;
    float formula_baseline = 0, formula_line = 0;  // of the first one; from one to the next
    std::vector<Box> bars;
    enum class Bars { Right, Below } bars_at = Bars::Right;
    std::string problem;  // the reason for a lack of room; then the rest is empty
};

/// Breaks the title into lines of the width that is left after the panel's letter.
std::vector<std::string> title_lines(const PanelInput& panel, std::size_t number,
                                     const PanelTitles& titles, float label_size,
                                     const MeasureText& measure);

/// Returns "(a)", "(b)", … "(z)", "(aa)".
std::string panel_letter(std::size_t panel);

PanelsLayout lay_out_panels(const PanelsInput& input, const MeasureText& measure);

struct LabelRow;

/// The sizes of everything with so many panels beside each other.
struct PanelSizes {
    int count = 1, across = 1;
    PanelsLayout::Bars bars = PanelsLayout::Bars::Right;
    Point cells;     // of one panel
    float left = 0;  // of the names of rows, with their gap
    float band = 0;  // over the cells, of the names of columns
    HeatmapLayout::Columns columns = HeatmapLayout::Columns::Flat;
    float column_limit = 0;
    float overhang = 0, kept_free = 0;  // of tilted names beyond the cells; the room for it
    float height = 0;                   // of the figure
    float missing = 0;                  // share of the names that have no room
    PanelTitles titles;
    bool fits = false;

    int down() const { return (count + across - 1) / across; }
};

/// Measures the names of the panels once, and then any number of arrangements.
class PanelSizer {
  public:
    PanelSizer(const PanelsInput& input, const MeasureText& measure);

    /// Returns the best arrangement of so many of them; one that does not fit if none does.
    PanelSizes best_of(int count) const;
    /// Says why not all of them have room, and how many have.
    std::string why_not() const;

    bool shares_rows() const { return shares_rows_; }
    bool shares_columns() const { return shares_columns_; }
    /// Return the room of a bar: beside the panels with its gap, below them with its gap, and its
    /// own width.
    float beside(PanelsLayout::Bars bars) const;
    float below(PanelsLayout::Bars bars) const;
    float bars_width() const { return bars_width_; }
    /// Returns how long a bar must be for its name and its numbers.
    float least_bar(std::size_t bar) const;
    const std::vector<std::string>& formula_lines() const { return formula_lines_; }
    float formula_line() const;
    float formula_height() const;
    float widest_formula() const;
    float title_height(const PanelSizes& sizes) const;
    float between_rows() const;
    float between_panels() const;
    LabelRow names_of_rows(const PanelSizes& sizes, const HeatmapInput& matrix) const;
    LabelRow names_of_columns(const PanelSizes& sizes, const HeatmapInput& matrix) const;

  private:
    void measure_names(const HeatmapInput& matrix);
    void break_formulas();
    PanelTitles titles_in(float width) const;
    float cost(const PanelSizes& sizes) const;
    float cost_of_bars(const PanelSizes& sizes) const;
    PanelSizes sizes_for(int count, int across, PanelsLayout::Bars bars) const;
    bool fit(int count, int across) const;
    float left_of(int across) const;
    float width_without_cells(const PanelSizes& sizes) const;
    float height_with(const PanelSizes& sizes, float cells) const;
    Point room_of_one(const PanelSizes& sizes) const;
    void fit_cells(PanelSizes& sizes, Point room) const;
    void turn_columns(PanelSizes& sizes) const;
    float longest_overhang(const PanelSizes& sizes) const;
    float column_distance(const PanelSizes& sizes) const;
    float missing_share(const PanelSizes& sizes) const;
    float cell_width(const PanelSizes& sizes) const;
    float cell_height(const PanelSizes& sizes) const;

    const PanelsInput& input_;
    const MeasureText& measure_;
    Index rows_, columns_;
    float line_;  // height of a line of names
    bool shares_rows_ = true, shares_columns_ = true, are_counted_ = true;
    float row_names_ = 0, column_names_ = 0, caption_ = 0, bars_width_ = 0;
    float caption_width_ = 0;
    std::vector<std::string> formula_lines_;
    float lowest_bars_ = 0;  // of bars with room for their names and numbers
};

struct PanelsFigure {
    Figure figure;
    std::vector<CellGrid> grids;  // of each panel
    std::vector<Box> bars;
    std::string problem;  // the reason for having no figure; "": there is one
};

PanelsFigure panels_figure(const PanelsInput& input, const Theme& theme,
                           const MeasureText& measure);

}  // namespace headlight
