#include "paint/figure_look.h"

#include <cmath>

#include "core/error.h"

namespace headlight {
namespace {

float scale_for(const Figure& figure, const FigureLook& look) {
    if (!look.width) return 1;
    const float width = look.width->value / figure.width;
    switch (look.width->unit) {
        case FigureWidth::Unit::Millimetres: {
            // A whole number of pixels, so that no format is a hair wider than another.
            const float pixels = std::round(look.width->value / kMillimetresPerInch * look.dpi);
            return std::max(pixels, 1.0f) / look.dpi * kPointsPerInch / figure.width;
        }
        case FigureWidth::Unit::Pixels:
            return width * kPointsPerInch / look.dpi;
        case FigureWidth::Unit::Points:
            return width;
    }
    return 1;
}

Color ground_of(FigureLook::Ground ground, Color of_theme) {
    switch (ground) {
        case FigureLook::Ground::Theme:
            return of_theme;
        case FigureLook::Ground::White:
            return {255, 255, 255, 255};
        case FigureLook::Ground::Transparent:
            return {255, 255, 255, 0};
    }
    return of_theme;
}

}  // namespace

bool FigureLook::operator==(const FigureLook& other) const {
    const auto same = [](const std::optional<Point>& a, const std::optional<Point>& b) {
        return a.has_value() == b.has_value() && (!a || (a->x == b->x && a->y == b->y));
    };
    return same(room, other.room) && width == other.width && dpi == other.dpi &&
           theme == other.theme && ground == other.ground && heading == other.heading &&
           selected == other.selected;
}

FigureSheet sheet_for(const Figure& figure, const FigureLook& look, Color theme_ground) {
    if (!(figure.width > 0) || !(figure.height > 0))
        throw Error("export", "the figure has no size; choose a larger one");
    return {scale_for(figure, look), look.dpi, ground_of(look.ground, theme_ground)};
}

}  // namespace headlight
