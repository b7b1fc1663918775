// Figure: a display list in points, made from values, drawn by the window and by the exporters.
//
// Goals: exports look as the window does. A figure knows every mark, its place and its colour, and
// the meaning of its places, so that the window can answer the pointer anywhere a figure is drawn.
// Not goals: the effect of a click, layout rules of a particular picture, windows, files.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/matrix.h"
#include "figure/cell_grid.h"

namespace headlight {

/// RGBA, 8 bits each, rows from the top, alpha not multiplied in.
struct Pixels {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  // 4 · width · height

    const std::uint8_t* at(int x, int y) const {
        return rgba.data() + 4 * (static_cast<std::size_t>(y) * width + x);
    }
};

struct Color {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;

    auto operator<=>(const Color&) const = default;
};

enum class Font { Regular, Bold, Math, Mono };  // Math: a serif italic for formulas
enum class Align { Start, Middle, End };

/// `at` is on the baseline; the text turns clockwise around it (y points down).
struct TextMark {
    Point at;
    std::string text;  // UTF-8, one line
    float size = 12;
    Color color{};
    Font font = Font::Regular;
    Align align = Align::Start;
    float angle_deg = 0;
};

struct RectMark {
    Box box;
    Color fill{0, 0, 0, 0};
    Color stroke{0, 0, 0, 0};
    float stroke_width = 0;  // centred on the edge of the box
    float radius = 0;
};

struct CircleMark {
    Point center;
    float radius = 0;
    Color fill{0, 0, 0, 0};
    Color stroke{0, 0, 0, 0};
    float stroke_width = 0;
};

struct LineMark {
    Point from, to;
    Color color;
    float width = 1;
};

struct CurveMark {  // cubic Bézier
    Point from, control_1, control_2, to;
    Color color;
    float width = 1;
};

struct TriangleMark {
    Point a, b, c;
    Color fill;
};

/// The colours of values: 256 colours, `low` and `high` are the values of the first and last. NaN
/// takes `nan_color`, −∞ takes `masked_color`. On a log scale equal ratios look equally far apart:
/// from `floor` to `high`, and if `low` is negative also from −floor to −high.
struct ColorScale {
    std::vector<Color> colors;  // 256 entries
    Scalar low = 0, high = 1;
    enum class Steps { Linear, Log } steps = Steps::Linear;
    Scalar floor = 0;  // of a log scale, > 0: magnitudes up to it look like 0
    Color nan_color{255, 0, 255, 255};
    Color masked_color{0, 0, 0, 40};
};

/// The value shown by a pixel that covers many cells: the one of the largest magnitude, so that no
/// peak is ever lost, or the mean of the numbers.
enum class FarOut { Strongest, Mean };

/// Values as a grid of cells that fills the box; only the part inside `clip` is seen. `grid_width`
/// > 0 draws lines of that width between the cells.
struct HeatmapMark {
    Box box;
    MatrixPtr values;
    ColorScale scale;
    Color grid_color{255, 255, 255, 255};
    float grid_width = 0;
    FarOut far_out = FarOut::Strongest;
    Box clip{};  // empty: all of the box

    Box seen() const { return clip.is_empty() ? box : common_part(box, clip); }
};

/// A picture that fills the box: its pixels are rectangles, not smoothed where it is enlarged.
struct PictureMark {
    Box box;
    std::shared_ptr<const Pixels> pixels;
};

using Mark = std::variant<RectMark, CircleMark, LineMark, CurveMark, TriangleMark, TextMark,
                          HeatmapMark, PictureMark>;

/// A place of a figure that stands for something: pointing there means that thing.
struct Target {
    enum class Of {
        Cells,   // of the matrix `path`, in their grid
        Row,     // the row `index` of the matrix `path`: a word, a node, a vector
        Column,  // the column `index` of it
        Head     // the head `index` of the part `path`
    } of = Of::Cells;
    std::string path = {};
    Index index = 0;
    CellGrid grid = {};     // one cell, unless it is of cells
    std::string side = {};  // of a comparison: "B", "A − B"; "" of A, or without one
    std::vector<Index> rows = {}, columns = {};  // the only ones of the grid; empty: all
    std::string name = {};  // by which scripts find a row or a column; "": they do not

    /// Returns the matrix's cell under the point, if the target is one of cells.
    std::optional<CellIndex> cell_at(Point p) const;
};

/// Things for which there was no room, such as 9 of 12 "column labels".
struct LeftOut {
    std::string what;
    Index count = 0, of = 0;
    bool is_cut = false;  // something of each is shown: they are not whole
};

struct Figure {
    float width = 0, height = 0;
    std::vector<Mark> marks{};        // drawn in this order
    std::vector<LeftOut> left_out{};  // things that a reader would miss
    std::vector<Target> targets{};

    template <class AnyMark>
    void add(AnyMark mark) {
        marks.emplace_back(std::move(mark));
    }
    void leave_out(LeftOut missing) {
        if (missing.count > 0) left_out.push_back(std::move(missing));
    }
};

/// Measures the width in points of one line of text. The window measures with its own fonts, the
/// exporters with theirs.
using MeasureText = std::function<float(const std::string& text, float size, Font font)>;

}  // namespace headlight
