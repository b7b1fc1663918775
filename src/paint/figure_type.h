// The size of a figure's labels on paper, and the room that the figure is arranged in to give them
// that size.
//
// Goals: the width and the type size of a figure are chosen independently; things without room are
// reported.
// Not goals: the places of a picture's labels (each picture's own).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "paint/figure_look.h"

namespace headlight {

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
