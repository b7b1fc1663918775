#include "scene/figures/plot_figure.h"

#include <algorithm>

#include "paint/figure_parts.h"
#include "paint/figure_type.h"
#include "paint/figures/heatmap_layout.h"

namespace headlight {
namespace {

constexpr Point kPlotRoom{960, 300};
constexpr float kLeastHeight = 180;

}  // namespace

Figure plot_figure(CurvesInput curves, const Theme& theme, const FigureLook& look,
                   const MeasureText& measure) {
    const Point room = picture_room(look, kPlotRoom, [](float width) {
                           return std::max(kPlotRoom.y * width / kPlotRoom.x, kLeastHeight);
                       }).size;
    curves.width = room.x - 2 * kFigurePad;
    curves.height = room.y - 2 * kFigurePad;
    Figure figure{room.x, room.y, {}};
    add_part(figure, curves_figure(curves, theme, measure).figure, {kFigurePad, kFigurePad});
    return figure;
}

}  // namespace headlight
