// The figure of all heads, with the bars of its colours.
#include <algorithm>

#include "paint/figure_parts.h"
#include "paint/figure_type.h"
#include "paint/legend.h"
#include "scene/figures/listed_heads.h"
#include "scene/figures/panels_view.h"

namespace headlight {
namespace {

// In points: of a head with its gap; around all of them; from one side to the next.
constexpr float kPitch = 118, kListPad = 12, kGridGap = 18;
constexpr float kNamesOfLayers = 80, kNumbersOfHeads = 20, kCaptionOfHead = 14;
constexpr float kLegible = 48, kLeastForCaption = 58, kRowGap = 4;  // in less a head has no caption
constexpr float kWidestBar = 280, kBelowHeads = 24;  // with its name; from the heads to the bar

float in_row(int count, float each) {
    return static_cast<float>(count) * each + static_cast<float>(count - 1) * kGridGap;
}
float share(float all, int count) {
    return (all - static_cast<float>(count - 1) * kGridGap) / static_cast<float>(count);
}
int rows_of(int count, int across) {
    return (count + across - 1) / across;
}

float count_columns(const HeadsOfSide& side) {
    int columns = 1;
    for (const ListedHead& head : side.heads) columns = std::max(columns, head.head + 1);
    return static_cast<float>(columns);
}

float rows_of_heads(const HeadsOfSide& side) {
    return static_cast<float>(std::max<std::size_t>(side.rows.size(), 1));
}
float above_heads(const HeadsOfSide& side) {
    return kNumbersOfHeads + (side.title.empty() ? 0 : kGridTitle);
}

Point side_size(const HeadsOfSide& side, float pitch) {
    const float below = pitch < kLeastForCaption ? kRowGap : kCaptionOfHead;
    return {kNamesOfLayers + pitch * count_columns(side),
            above_heads(side) + (pitch + below) * rows_of_heads(side)};
}

/// How large heads are in a room for one side.
float pitch_in(const HeadsOfSide& side, Point room) {
    const float row = (room.y - above_heads(side)) / rows_of_heads(side);
    const float high = row - kCaptionOfHead < kLeastForCaption
                           ? std::min(row - kRowGap, kLeastForCaption - 1)
                           : row - kCaptionOfHead;
    const float wide = (room.x - kNamesOfLayers) / count_columns(side);
    return std::clamp(std::min(wide, high), 1.0f, kPitch);
}

/// As many sides beside each other as leave the heads legible; else so many as make them largest on
/// a page.
struct Arrangement {
    int across = 1;
    float pitch = 0;
};
Arrangement best_arrangement(const HeadsOfSide& side, int n, Point page) {
    Arrangement best;
    for (int across = n; across >= 1; --across) {
        const Point room{share(page.x, across), share(page.y, rows_of(n, across))};
        if (const float pitch = pitch_in(side, room); pitch > best.pitch) best = {across, pitch};
        if (best.pitch >= kLegible) break;
    }
    return best;
}

int across_in_room(const HeadsOfSide& side, int n, Point room) {
    const Point one = side_size(side, kPitch);
    const std::vector<Box> boxes =
        place_pictures({0, 0, room.x, room.y}, n, kGridGap, one.x / one.y);
    return static_cast<int>(std::ranges::count(boxes, boxes.front().y, &Box::y));
}

/// Beside each other.
void add_bars(Figure& figure, const std::vector<ColorBar>& bars, float top, const Theme& theme,
              const MeasureText& measure) {
    const auto n = static_cast<int>(bars.size());
    const float each = std::min(kWidestBar, share(figure.width - 2 * kListPad, std::max(n, 1)));
    float left = kListPad;
    for (const ColorBar& bar : bars) {
        add_legend(figure,
                   {.box = {left, top, each, kLegendHeight},
                    .scale = bar.scale,
                    .name = bar.name,
                    .direction = LegendInput::Direction::Lying,
                    .clipped = bar.clipped},
                   theme, measure);
        left += each + kGridGap;
    }
}

}  // namespace

std::vector<ColorBar> bars_of_sides(const Scene& scene, const std::vector<HeadsOfSide>& sides) {
    std::vector<ColorBar> bars;
    if (auto bar = bar_of_heads(scene)) bars.push_back(std::move(*bar));
    for (const HeadsOfSide& side : sides)
        if (side.bar) bars.push_back(*side.bar);
    return bars;
}

Figure all_heads_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    HeadsMemory memory;
    const std::vector<HeadsOfSide> sides = list_sides(scene, memory);
    const bool is_far = look.seen_from == FigureLook::SeenFrom::Far;
    const std::vector<ColorBar> bars =
        is_far ? std::vector<ColorBar>() : bars_of_sides(scene, sides);
    const float below = bars.empty() ? 0 : kLegendHeight + kListPad;
    const auto n = static_cast<int>(sides.size());
    const Point one = side_size(sides.front(), kPitch);
    const Point standard{in_row(n, one.x) + 2 * kListPad, one.y + 2 * kListPad + below};
    int across = n;
    const float page = tallest_on_page(look) - 2 * kListPad - below;
    const Point size =
        picture_room(look, standard, [&](float width) {
            const Arrangement best =
                best_arrangement(sides.front(), n, {width - 2 * kListPad, page});
            across = best.across;
            return in_row(rows_of(n, across), side_size(sides.front(), best.pitch).y) +
                   2 * kListPad + below;
        }).size;
    if (look.room) across = across_in_room(sides.front(), n, {size.x, size.y - below});
    Figure figure{size.x, size.y, {}};
    const Point each{share(size.x - 2 * kListPad, across),
                     share(size.y - 2 * kListPad - below, rows_of(n, across))};
    float bottom = 0;  // of the lowest head
    for (int k = 0; k < n; ++k) {
        const HeadsOfSide& side = sides[static_cast<std::size_t>(k)];
        SideOfHeads shown{.side = side, .pictures = {}};
        shown.colors = is_far ? SideOfHeads::Colors::InTitle : SideOfHeads::Colors::InBar;
        for (const ListedHead& head : side.heads)
            shown.pictures.push_back(head.picture(scene.theme));
        const HeadGridFigure grid = side_figure(shown, each, scene.theme, measure);
        const Point at{kListPad + static_cast<float>(k % across) * (each.x + kGridGap),
                       kListPad + static_cast<float>(k / across) * (each.y + kGridGap)};
        add_part(figure, grid.figure, at);
        for (const Box& box : grid.boxes) bottom = std::max(bottom, at.y + box.bottom());
    }
    add_bars(figure, bars, std::min(size.y - below, bottom + kBelowHeads), scene.theme, measure);
    return figure;
}

}  // namespace headlight
