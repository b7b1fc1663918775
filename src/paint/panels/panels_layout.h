// Where several matrices of one shape go in one figure: a grid with letters, and their colour bars.
//
// Goals: all cells have one size; names that the panels share stand once, at the left and at the
// top; no label meets another one. Not goals: which matrices, and what they are called.
#pragma once

#include <string>
#include <vector>

#include "paint/figures/heatmap_layout.h"

namespace headlight {

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

/// How the titles have room: in as many letters as they can, on one line or two.
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
    std::vector<Point> titles;          // where their baselines begin
    PanelTitles form;
    std::vector<std::string> formula_lines;
    float formula_baseline = 0, formula_line = 0;  // of the first one; from one to the next
    std::vector<Box> bars;
    enum class Bars { Right, Below } bars_at = Bars::Right;
    std::string problem;  // why there is no room; then the rest is empty
};

/// Between the panels and the bars below them.
inline constexpr float kBarBelow = 12;

/// Formulas are so many times as large as labels.
inline constexpr float kPanelsFormula = 1.15f;

/// The title on lines as wide as that behind the panel's letter.
std::vector<std::string> title_lines(const PanelInput& panel, std::size_t number,
                                     const PanelTitles& titles, float label_size,
                                     const MeasureText& measure);

/// "(a)", "(b)", … "(z)", "(aa)"
std::string panel_letter(std::size_t panel);

PanelsLayout lay_out_panels(const PanelsInput& input, const MeasureText& measure);

}  // namespace headlight
