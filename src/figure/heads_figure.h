// Many heads at a glance: their patterns as small pictures, and two of their metrics as points.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/figure.h"
#include "figure/theme.h"

namespace headlight {

/// One head among many.
struct HeadPicture {
    int row = 0, head = 0;  // the number of the attention among those shown, and of its head
    std::string part = {};  // the attention's path; "": the picture stands for no head
    MatrixPtr picture;
    ColorScale scale;
    Color color;
    float aspect = 1;                  // width of the picture by its height
    std::optional<Index> marked = {};  // a cell of the picture, counted row by row
    std::string label;                 // its behaviour, and how strong it is: "previous 0.81"
    bool is_chosen = false;
    std::string stand_in{};     // "×" where its output is 0, "μ" where it is a mean; "": as it is
    std::string name{};         // in place of its number
    std::string short_label{};  // if the label has no room: "previous"
};

/// Returns the largest box in the middle of another one that is `aspect` times as wide as high.
Box box_of_aspect(Box room, float aspect);

/// Frames one cell of a matrix that fills the box, counted row by row.
void add_cell_mark(Figure& figure, Box box, const Matrix& matrix, Index cell, const Theme& theme);

/// Fades the picture of a head whose output is replaced, and names the replacement in its corner.
void add_stand_in(Figure& figure, Box picture, const std::string& stand_in, const Theme& theme);

struct HeadGridInput {
    std::vector<HeadPicture> heads;
    /// The names of the attentions: each gets a row, with its heads beside each other. If empty,
    /// heads follow in the order given, as many in a row as make the pictures largest, each with
    /// its place as caption.
    std::vector<std::string> rows;
    float width = 600, height = 400;
};

struct HeadGridFigure {
    Figure figure;
    std::vector<Box> boxes;  // of each head

    std::optional<std::size_t> head_at(Point p) const;
};

HeadGridFigure head_grid_figure(const HeadGridInput& input, const Theme& theme,
                                const MeasureText& measure);

struct ScatterPoint {
    Scalar x = 0, y = 0;
    Color color;
    bool is_chosen = false, is_marked = false;  // marked: pointed at
};

struct ScatterInput {
    std::vector<ScatterPoint> points;
    std::string x_name, y_name;
    float width = 300, height = 300;
};

struct ScatterFigure {
    Figure figure;
    std::vector<std::optional<Point>> centers;  // of each point; none where a number is not finite

    /// Returns the nearest one, no further away than a finger is wide.
    std::optional<std::size_t> dot_at(Point p) const;
};

/// Draws the points. Both axes hold all points, begin and end at round numbers, and are named.
/// Points without a place are counted above.
ScatterFigure scatter_figure(const ScatterInput& input, const Theme& theme,
                             const MeasureText& measure);

}  // namespace headlight
