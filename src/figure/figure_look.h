// The look of a figure that leaves the program: its size, resolution, colours and background, and
// the size of its labels on paper with the room that it is arranged in to give them that size.
//
// Goals: one small value for the window's dialog and the command line; every format has the same
// size on paper; the width and the type size of a figure are chosen independently; things without
// room are reported.
// Not goals: the content of the figure, the places of its labels (each picture's own), the choice
// of its format.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "figure/theme.h"

namespace headlight {

inline constexpr float kPointsPerInch = 72, kMillimetresPerInch = 25.4f;
inline constexpr float kLeastDpi = 18, kMostDpi = 1200;

/// A length in the finished picture: "85mm", "1200px", "240pt".
struct FigureLength {
    enum class Unit { Millimetres, Pixels, Points } unit = Unit::Millimetres;
    float value = 0;

    bool operator==(const FigureLength&) const = default;
};
float points_in(const FigureLength& length, float dpi);

/// The size of labels, in the figure's own points, if the look has a type size.
inline constexpr float kLabelType = 10;

struct FigureLook {
    std::optional<Point> room;          // points in which it is arranged; absent: its own size
    std::optional<FigureLength> width;  // width of the finished picture; absent: a point is a point
    std::optional<FigureLength> type;   // of the labels on paper; absent: see lay_out_figure
    float dpi = 144;                    // for pictures made of pixels
    ThemeName theme = ThemeName::Light;
    enum class Background { Theme, White, Transparent } background = Background::Theme;
    // Shown: title and formula. Names: the name of what is shown, without formulas and paths.
    enum class Heading { Shown, Names, Hidden } heading = Heading::Shown;
    enum class Selected { Shown, Hidden } selected = Selected::Shown;  // marks of held cells
    bool has_origin = true;  // a line: where its weights come from

    bool tells_class = true;  // that is predicted of an image
    bool is_far = false;      // seen from far away: words fill their rows

    bool operator==(const FigureLook& other) const;
};

/// The room that a picture is arranged in, in its own points.
struct PictureRoom {
    Point size;
    std::optional<float> label_size = {};  // absent: as there is room
};

/// A look applied to one figure.
struct FigureSheet {
    float scale = 1;  // points on paper to a point of the figure
    float dpi = 144;
    Color background{255, 255, 255, 255};

    float pixels_per_point() const { return scale * dpi / kPointsPerInch; }
};

/// Applies a look. `theme_background` is the background that goes with the figure's theme. Throws
/// Error if the figure has no size.
FigureSheet sheet_for(const Figure& figure, const FigureLook& look, Color theme_background);

/// The type sizes on paper, in points, that are tried if none is asked for: from the largest down
/// to the smallest, until no label is left out.
inline constexpr float kLargestType = 8, kSmallestType = 5;

/// Returns the room of a picture. For a look without a type size, that is its own room, or
/// `standard`. For a look with one, it is the room on paper divided by the scale; `height_for`
/// gives the height for a width if none is given.
PictureRoom picture_room(const FigureLook& look, Point standard,
                         const std::function<float(float width)>& height_for);

/// The room of a view whose size is not given, where no other suits it better.
inline constexpr Point kUsualRoom{720, 680};
/// Returns the height of a picture in the standard proportions with that width on paper.
inline float in_proportion(Point standard, float width) {
    return width * standard.y / standard.x;
}

/// Returns the points of the look's room that `height` points of the figure take.
float height_in_room(const FigureLook& look, float height);

/// True if the picture may be as high as it needs in a width that is given.
inline bool has_free_height(const FigureLook& look) {
    return look.type && look.width && !look.room;
}

/// Writes "3 of 12 row labels, 1 of 1 legends": the things without room.
std::string left_out_text(const Figure& figure);

struct LaidOutFigure {
    Figure figure;
    FigureLook look;   // with the type that was taken
    std::string note;  // the things left out, and the type size with room for them; "": none
};
using MakeFigure = std::function<Figure(const FigureLook& look)>;

/// Lays out a figure with the look's type size. If the look has none, a given width gets
/// kLargestType, and a given room gets each picture's own sizes unless a width makes them
/// illegible. If labels are left out then, it takes the largest type down to kSmallestType that
/// leaves none out, or kSmallestType if that leaves out half as many; where none is missing, the
/// largest that cuts no more of them than the smallest. Throws Error if there is no
/// room for labels of that size.
LaidOutFigure lay_out_figure(const FigureLook& look, const MakeFigure& make);

}  // namespace headlight
