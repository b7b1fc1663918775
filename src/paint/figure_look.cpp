#include "paint/figure_look.h"

#include <cmath>

#include "core/error.h"

namespace headlight {
namespace {

float scale_for(const Figure& figure, const FigureLook& look) {
    if (look.width) return width_on_paper(*look.width, look.dpi) / figure.width;
    return look.type ? points_in(*look.type, look.dpi) / kLabelType : 1;
}

Color background_color(FigureLook::Background background, Color of_theme) {
    switch (background) {
        case FigureLook::Background::Theme:
            return of_theme;
        case FigureLook::Background::White:
            return {255, 255, 255, 255};
        case FigureLook::Background::Transparent:
            return {255, 255, 255, 0};
    }
    return of_theme;
}

}  // namespace

float points_in(const FigureLength& length, float dpi) {
    switch (length.unit) {
        case FigureLength::Unit::Millimetres:
            return length.value / kMillimetresPerInch * kPointsPerInch;
        case FigureLength::Unit::Pixels:
            return length.value / dpi * kPointsPerInch;
        case FigureLength::Unit::Points:
            return length.value;
    }
    return length.value;
}

float width_on_paper(const FigureLength& width, float dpi) {
    const float points = points_in(width, dpi);
    if (width.unit != FigureLength::Unit::Millimetres) return points;
    const float pixels = std::round(points / kPointsPerInch * dpi);
    return std::max(pixels, 1.0f) / dpi * kPointsPerInch;
}

bool FigureLook::operator==(const FigureLook& other) const {
    const auto same = [](const std::optional<Point>& a, const std::optional<Point>& b) {
        return a.has_value() == b.has_value() && (!a || (a->x == b->x && a->y == b->y));
    };
    return same(room, other.room) && width == other.width && type == other.type &&
           dpi == other.dpi && theme == other.theme && background == other.background &&
           heading == other.heading && selected == other.selected && origin == other.origin &&
           seen_from == other.seen_from && of_image == other.of_image;
}

FigureSheet sheet_for(const Figure& figure, const FigureLook& look, Color theme_background) {
    if (!(figure.width > 0) || !(figure.height > 0))
        throw Error("export", "the figure has no size; choose a larger one");
    return {scale_for(figure, look), look.dpi, background_color(look.background, theme_background)};
}

}  // namespace headlight
