// The look of a figure that leaves the program: its size, its colours, the size of its labels.
#include "figure/figure_look.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/error.h"
#include "core/numeric/short_number.h"
#include "figure/number_format.h"
#include "text/strings.h"

namespace headlight {

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

namespace {

/// Returns a width in points; for millimetres it is a whole number of pixels, so that no format is
/// a hair wider than another.
float width_on_paper(const FigureLength& width, float dpi) {
    const float points = points_in(width, dpi);
    if (width.unit != FigureLength::Unit::Millimetres) return points;
    const float pixels = std::round(points / kPointsPerInch * dpi);
    return std::max(pixels, 1.0f) / dpi * kPointsPerInch;
}

}  // namespace

bool FigureLook::operator==(const FigureLook& other) const {
    const auto same = [](const std::optional<Point>& a, const std::optional<Point>& b) {
        return a.has_value() == b.has_value() && (!a || (a->x == b->x && a->y == b->y));
    };
    return same(room, other.room) && width == other.width && type == other.type &&
           dpi == other.dpi && theme == other.theme && background == other.background &&
           heading == other.heading && selected == other.selected &&
           has_origin == other.has_origin && is_far == other.is_far &&
           tells_class == other.tells_class;
}

FigureSheet sheet_for(const Figure& figure, const FigureLook& look, Color theme_background) {
    if (!(figure.width > 0) || !(figure.height > 0))
        throw Error("export", "the figure has no size; choose a larger one");
    float scale = 1;
    if (look.width)
        scale = width_on_paper(*look.width, look.dpi) / figure.width;
    else if (look.type)
        scale = points_in(*look.type, look.dpi) / kLabelType;
    Color background = theme_background;
    if (look.background == FigureLook::Background::White) background = {255, 255, 255, 255};
    if (look.background == FigureLook::Background::Transparent) background = {255, 255, 255, 0};
    return {scale, look.dpi, background};
}

namespace {

using Unit = FigureLength::Unit;

constexpr float kLeastRoom = 140, kLeastRoomHeight = 150;  // of a figure, in its own points
constexpr float kWidestRoom = 720;                         // if no type is asked for
constexpr float kLeastScale = 0.6f;  // of a room to paper, with which its texts stay legible
constexpr float kLeastTypeTold = 4;  // points
constexpr float kTypeStep = 0.5f;    // points

/// Returns the width of the finished picture.
std::optional<float> figure_width(const FigureLook& look) {
    if (look.width) return width_on_paper(*look.width, look.dpi);
    return look.room ? std::optional(look.room->x) : std::nullopt;
}

float type_scale(const FigureLook& look) {
    return points_in(*look.type, look.dpi) / kLabelType;
}

/// Writes "7", "5.5": rounded down, never up.
std::string tenths_text(float value) {
    return short_number(std::floor(value * 10 + 1e-3f) / 10);
}

std::string type_text(float points) {
    return tenths_text(points) + "pt";
}

FigureLook with_type(FigureLook look, float points) {
    look.type = {Unit::Points, points};
    return look;
}

float millimetres(float points) {
    return points / kPointsPerInch * kMillimetresPerInch;
}

std::string needs_width(float type) {
    return fmt::format("labels of {} need a figure that is at least {}mm wide", type_text(type),
                       tenths_text(std::ceil(millimetres(type / kLabelType * kLeastRoom))));
}

std::string has_no_height(float type) {
    return fmt::format(
        "labels of {} have no room at this --size; make it taller, or the --type smaller",
        type_text(type));
}

void check_room(const FigureLook& look) {
    const auto width = figure_width(look);
    if (!width) return;
    const float type = points_in(*look.type, look.dpi), room = *width / type_scale(look);
    const float asked = look.width ? points_in(*look.width, look.dpi) : *width;
    if (room < kLeastRoom)
        throw Error("--type", "{}; this one is {}mm wide", needs_width(type),
                    tenths_text(millimetres(asked)));
    if (look.room && room * look.room->y / look.room->x < kLeastRoomHeight)
        throw Error("--type", has_no_height(type));
}

LaidOutFigure laid_out_at(const FigureLook& look, const MakeFigure& make, float type) {
    const FigureLook typed = with_type(look, type);
    return {make(typed), typed, ""};
}

/// The loss that a reader suffers: items that are missing, and items that are cut.
struct Loss {
    Index missing = 0, cut = 0;
};

Loss loss_of(const Figure& figure) {
    Loss loss;
    for (const LeftOut& missing : figure.left_out)
        (missing.is_cut ? loss.cut : loss.missing) += missing.count;
    return loss;
}

/// Returns the figure with the largest type below `most` that leaves out no more than `least`,
/// which only cuts.
LaidOutFigure largest_fitting(LaidOutFigure least, const MakeFigure& make, float most) {
    const float start = least.look.type->value;
    int fits = 0, fails = static_cast<int>(std::ceil((most - start) / kTypeStep - 1e-3f));
    const Loss few = loss_of(least.figure);
    while (fits + 1 < fails) {
        const int middle = (fits + fails) / 2;
        const float type = start + static_cast<float>(middle) * kTypeStep;
        LaidOutFigure next = laid_out_at(least.look, make, type);
        const Loss loss = loss_of(next.figure);
        (loss.missing == 0 && loss.cut <= few.cut ? fits : fails) = middle;
        if (fits == middle) least = std::move(next);
    }
    return least;
}

/// False if too many labels are missing for smaller type to help.
bool may_fit(const Figure& figure, float type, float least) {
    return std::all_of(figure.left_out.begin(), figure.left_out.end(), [&](const LeftOut& missing) {
        const auto of = static_cast<float>(missing.of);
        return of <= 200 || static_cast<float>(missing.of - missing.count) * 4 * type / least > of;
    });
}

/// Returns the largest type of at least kLeastTypeTold with which nothing is left out, if there is
/// one.
std::optional<float> fitting_type(const LaidOutFigure& laid_out, const MakeFigure& make,
                                  float type) {
    if (type <= kLeastTypeTold || !may_fit(laid_out.figure, type, kLeastTypeTold)) return {};
    LaidOutFigure least = laid_out_at(laid_out.look, make, kLeastTypeTold);
    if (!least.figure.left_out.empty()) return {};
    return largest_fitting(std::move(least), make, type).look.type->value;
}

/// Adds a note that names what is left out, and a remedy.
void add_note(LaidOutFigure& laid_out, const MakeFigure& make) {
    const FigureLook& look = laid_out.look;
    if (laid_out.figure.left_out.empty()) return;
    if (!look.type && !look.room) {
        laid_out.note = "left out for room: " + left_out_text(laid_out.figure);
        return;
    }
    const float type = look.type ? points_in(*look.type, look.dpi) : kLargestType;
    laid_out.note = fmt::format("left out {}: {}",
                                look.type ? "at " + type_text(type) : std::string("for room"),
                                left_out_text(laid_out.figure));
    const std::optional<float> smaller = fitting_type(laid_out, make, type);
    laid_out.note +=
        smaller ? "; all fit at --type " + type_text(*smaller)
                : fmt::format("; at no type of {} or more do they all fit: choose a larger {}",
                              type_text(kLeastTypeTold), look.width ? "--width" : "--size");
}

LaidOutFigure with_own_type(const FigureLook& look, const MakeFigure& make) {
    const float width = *figure_width(look);
    const bool has_own_sizes = look.room && width / look.room->x >= kLeastScale;
    float most = std::max(kLargestType, width / kWidestRoom * kLabelType);
    if (!has_own_sizes) most = std::min(most, width / kLeastRoom * kLabelType);
    if (most < kSmallestType) throw Error("--width", needs_width(kSmallestType));
    if (!has_own_sizes && look.room)
        most = std::min(most, width * look.room->y / look.room->x / kLeastRoomHeight * kLabelType);
    if (most < kSmallestType) throw Error("--size", has_no_height(kSmallestType));
    const FigureLook first = has_own_sizes ? look : with_type(look, most);
    LaidOutFigure large{make(first), first, ""};
    if (large.figure.left_out.empty() || !may_fit(large.figure, most, kSmallestType)) return large;
    LaidOutFigure small = laid_out_at(look, make, kSmallestType);
    const Loss before = loss_of(large.figure), after = loss_of(small.figure);
    const bool helps = before.missing > 0 ? 2 * after.missing <= before.missing
                                          : after.missing == 0 && 2 * after.cut <= before.cut;
    if (!helps) return large;
    return after.missing == 0 ? largest_fitting(std::move(small), make, most) : small;
}

}  // namespace

std::string left_out_text(const Figure& figure) {
    std::vector<LeftOut> sums;
    for (const LeftOut& missing : figure.left_out) {
        const auto same = std::find_if(sums.begin(), sums.end(), [&](const LeftOut& sum) {
            return sum.what == missing.what && sum.is_cut == missing.is_cut;
        });
        if (same == sums.end()) {
            sums.push_back(missing);
            continue;
        }
        same->count += missing.count;
        same->of += missing.of;
    }
    return joined(sums, ", ", [](const LeftOut& sum) {
        return format_count(sum.count) + " of " + format_count(sum.of) +
               (sum.is_cut ? " whole " : " ") + sum.what;
    });
}

PictureRoom picture_room(const FigureLook& look, Point standard,
                         const std::function<float(float width)>& height_for) {
    if (!look.type) return {look.room.value_or(standard)};
    const auto paper = figure_width(look);
    const float width = paper ? *paper / type_scale(look) : standard.x;
    if (look.room) return {{width, width * look.room->y / look.room->x}, kLabelType};
    return {{width, paper ? height_for(width) : standard.y}, kLabelType};
}

float height_in_room(const FigureLook& look, float height) {
    if (!look.type || !look.room) return height;
    return height * look.room->x / (*figure_width(look) / type_scale(look));
}

LaidOutFigure lay_out_figure(const FigureLook& look, const MakeFigure& make) {
    if (look.type) check_room(look);
    const bool is_free = !look.width && !look.room;
    LaidOutFigure laid_out =
        look.type || is_free ? LaidOutFigure{make(look), look, ""} : with_own_type(look, make);
    add_note(laid_out, make);
    return laid_out;
}

}  // namespace headlight
