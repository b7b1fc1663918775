// How large the labels of a figure are on paper, and in which room that has it arranged.
//
// Goals: the width and the type of a figure are chosen apart; what there is no room for is said.
// Not goals: where a picture puts its labels (each picture's own).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "paint/figure_look.h"

namespace headlight {

/// Where none is asked for, labels are so large on paper, in points: the largest, and the smallest
/// that is taken so that no label is left out.
inline constexpr float kLargestType = 8, kSmallestType = 5;

/// Of a look without a type its own room, or `standard`. Of one that has a type what is on paper,
/// divided by the scale; `height_of` a width where no height is given.
PictureRoom room_of(const FigureLook& look, Point standard,
                    const std::function<float(float width)>& height_of);

/// Points of the look's room that `height` points of the figure take.
float height_in_room(const FigureLook& look, float height);

/// True if the picture may be as high as it needs in a width that is given.
inline bool has_free_height(const FigureLook& look) {
    return look.type && look.width && !look.room;
}

struct LaidOutFigure {
    Figure figure;
    FigureLook look;   // with the type that was taken
    std::string note;  // what is left out, and which type has room for it; "": nothing
};
using MakeFigure = std::function<Figure(const FigureLook& look)>;

/// With the type of the look. Where it has none: of a width kLargestType, of a room each picture's
/// own sizes unless a width makes them illegible; if that leaves labels out, the largest type down
/// to kSmallestType with which none is, or that one if it leaves out half as many.
/// Throws Error if so large labels have no room.
LaidOutFigure lay_out_figure(const FigureLook& look, const MakeFigure& make);

}  // namespace headlight
