// The look of a figure that leaves the program: its size, resolution, colours and background.
//
// Goals: one small value for the window's dialog and the command line; every format has the same
// size on paper. Not goals: the content of the figure, the choice of its format.
#pragma once

#include <optional>

#include "paint/theme.h"

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
/// Returns a width in points; for millimetres it is a whole number of pixels, so that no format is
/// a hair wider than another.
float width_on_paper(const FigureLength& width, float dpi);

/// The size of labels, in the figure's own points, if the look has a type size.
inline constexpr float kLabelType = 10;

struct FigureLook {
    std::optional<Point> room;          // points in which it is arranged; absent: its own size
    std::optional<FigureLength> width;  // width of the finished picture; absent: a point is a point
    std::optional<FigureLength> type;   // of the labels on paper; absent: see figure_type.h
    float dpi = 144;                    // for pictures made of pixels
    ThemeName theme = ThemeName::Light;
    enum class Background { Theme, White, Transparent } background = Background::Theme;
    // Shown: title and formula. Names: the name of what is shown, without formulas and paths.
    enum class Heading { Shown, Names, Hidden } heading = Heading::Shown;
    enum class Selected { Shown, Hidden } selected = Selected::Shown;  // marks of held cells
    enum class Origin { Shown, Hidden } origin = Origin::Shown;  // a line: where weights come from

    enum class Class { Told, Untold } of_image = Class::Told;      // its predicted class
    enum class SeenFrom { Near, Far } seen_from = SeenFrom::Near;  // Far: words fill their rows

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

}  // namespace headlight
