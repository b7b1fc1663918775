// How many panels stand beside each other, and how large each of them is.
#pragma once

#include <string>
#include <vector>

#include "paint/panels/panels_layout.h"

namespace headlight {

inline constexpr float kBetweenBars = 26;

struct LabelRow;

/// How large everything is with so many panels beside each other.
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

    /// The best arrangement of so many of them; one that does not fit if none does.
    PanelSizes best_of(int count) const;
    /// Why not all of them have room, and how many have.
    std::string why_not() const;

    bool shares_rows() const { return shares_rows_; }
    bool shares_columns() const { return shares_columns_; }
    /// Of a bar: beside the panels with its gap, below them with its gap, and its own width.
    float beside(PanelsLayout::Bars bars) const;
    float below(PanelsLayout::Bars bars) const;
    float bars_width() const { return bars_width_; }
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
    float lowest_bars_ = 0;  // that have room for their names and numbers
};

}  // namespace headlight
