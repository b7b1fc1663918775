#include "figure/heads_figure.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <utility>

#include "figure/color.h"
#include "figure/labels.h"
#include "figure/number_format.h"
#include "text/strings.h"

namespace headlight {
namespace {

// ---- pictures ----

constexpr float kHeadGap = 6, kRowGap = 4, kCaption = 15, kLeastForCaption = 52;
constexpr float kLeastForPlace = 22;  // "11.11" under a picture, which nothing else names
constexpr float kLabelSize = 11, kSmall = 10, kHeadNames = 15, kLeast = 8;

/// The places of the pictures: columns of one pitch, rows of another.
struct Cells {
    int columns = 1, rows = 1;
    float left = 0, top = 0;  // of the first one: names stand before it
    float side = kLeast, pitch_x = kLeast, pitch_y = kLeast;
    bool has_captions = false;

    Box box(int row, int column) const {
        return {left + static_cast<float>(column) * pitch_x,
                top + static_cast<float>(row) * pitch_y, side, side};
    }
};

/// Returns the largest cells that fit, with captions if these can be read: in pictures as wide as
/// `least`.
Cells fitted(Cells cells, float width, float height, float least = kLeastForCaption) {
    const float across = (width - cells.left) / static_cast<float>(cells.columns);
    const float down = (height - cells.top) / static_cast<float>(cells.rows);
    const float with_caption = std::min(across - kHeadGap, down - kRowGap - kCaption);
    cells.has_captions = with_caption >= least;
    cells.side = cells.has_captions ? with_caption : std::min(across - kHeadGap, down - kRowGap);
    cells.side = std::max(kLeast, cells.side);
    cells.pitch_x = std::max(across, cells.side + 1);
    cells.pitch_y = cells.side + kRowGap + (cells.has_captions ? kCaption : 0);
    return cells;
}

/// Places one row for each attention.
Cells cells_by_row(const HeadGridInput& input, const MeasureText& measure) {
    Cells cells;
    cells.rows = static_cast<int>(input.rows.size());
    for (const HeadPicture& head : input.heads)
        cells.columns = std::max(cells.columns, head.head + 1);
    for (const std::string& name : input.rows)
        cells.left = std::max(cells.left, measure(name, kLabelSize, Font::Regular) + 10);
    cells.top = kHeadNames;
    Cells best = fitted(cells, input.width, input.height);
    best.pitch_x = std::min(best.pitch_x, best.side * 1.6f + kHeadGap);
    return best;
}

/// Places the pictures in order, with the row length that makes them largest, and with captions if
/// any row length allows them.
Cells cells_in_order(const HeadGridInput& input) {
    const int n = std::max(1, static_cast<int>(input.heads.size()));
    Cells best;
    best.side = 0;
    for (int columns = 1; columns <= n; ++columns) {
        Cells cells;
        cells.columns = columns;
        cells.rows = (n + columns - 1) / columns;
        cells = fitted(cells, input.width, input.height, kLeastForPlace);
        if (std::pair(cells.has_captions, cells.side) > std::pair(best.has_captions, best.side))
            best = cells;
    }
    return best;
}

void add_frame(Figure& figure, const HeadPicture& head, Box box, const Theme& theme) {
    figure.add(RectMark{{box.x + 0.5f, box.y + 0.5f, box.width - 1, box.height - 1},
                        theme.card,
                        head.is_chosen ? head.color : theme.border,
                        head.is_chosen ? 2.5f : 1.0f,
                        std::min(6.0f, box.width / 8)});
}

Box heatmap_box(const HeadPicture& head, Box box) {
    const float pad = box.width < 40 ? 2 : box.width < 80 ? 4 : 7;
    return box_of_aspect({box.x + pad, box.y + pad, box.width - 2 * pad, box.height - 2 * pad},
                         head.aspect);
}

/// Adds the label, or the short one, as far as there is room. True if it is the label.
bool add_label(Figure& figure, const HeadPicture& head, TextMark mark, float room,
               const MeasureText& measure) {
    for (const std::string* label : {&head.label, &head.short_label}) {
        if (measure(*label, mark.size, Font::Regular) > room) continue;
        mark.text = *label;
        if (!label->empty()) figure.add(mark);
        return label->size() == head.label.size();
    }
    return false;
}

/// Returns "2.7", "7", or the head's own name.
std::string place_of(const HeadPicture& head, bool names_row) {
    if (!head.name.empty()) return head.name;
    return names_row ? fmt::format("{}.{}", head.row, head.head) : std::to_string(head.head);
}

/// Adds "2.7 previous 0.81": the place in the head's colour, then its behaviour. True if all of it
/// has room.
bool add_caption(Figure& figure, const HeadPicture& head, Box box, bool names_row,
                 const Theme& theme, const MeasureText& measure) {
    const std::string place = place_of(head, names_row);
    const float baseline = box.bottom() + kCaption - 4;
    figure.add(CircleMark{{box.x + 4, baseline - 3.5f}, 3.5f, head.color, {}, 0});
    TextMark number{
        .at = {box.x + 11, baseline}, .text = place, .size = kSmall, .color = theme.text};
    const float taken = 11 + measure(place, kSmall, Font::Regular) + 5;
    figure.add(number);
    return add_label(
        figure, head,
        {.at = {box.x + taken, baseline}, .text = {}, .size = kSmall, .color = theme.muted},
        box.width - taken, measure);
}

/// Adds "2.7 0.81" in small type, or only the place where its label has no room.
bool add_short_caption(Figure& figure, const HeadPicture& head, Box box, const Theme& theme,
                       const MeasureText& measure) {
    constexpr float kSmallest = 9;
    const std::string place = place_of(head, true);
    const float taken = measure(place + " ", kSmallest, Font::Regular);
    const float baseline = box.bottom() + kCaption - 5;
    figure.add(
        TextMark{.at = {box.x, baseline}, .text = place, .size = kSmallest, .color = theme.text});
    return add_label(
        figure, head,
        {.at = {box.x + taken, baseline}, .text = {}, .size = kSmallest, .color = theme.muted},
        box.width + 2 - taken, measure);
}

Index count_captions(const HeadGridInput& input) {
    return std::count_if(input.heads.begin(), input.heads.end(),
                         [](const HeadPicture& head) { return !head.label.empty(); });
}

void add_names(Figure& figure, const HeadGridInput& input, const Cells& cells, const Theme& theme) {
    for (int row = 0; row < cells.rows; ++row)
        figure.add(TextMark{
            .at = {cells.left - 8, cells.box(row, 0).center().y + kMiddleShift * kLabelSize},
            .text = input.rows[static_cast<std::size_t>(row)],
            .size = kLabelSize,
            .color = theme.muted,
            .align = Align::End});
    for (int column = 0; column < cells.columns; ++column)
        figure.add(TextMark{.at = {cells.box(0, column).center().x, kHeadNames - 5},
                            .text = std::to_string(column),
                            .size = kLabelSize,
                            .color = theme.muted,
                            .align = Align::Middle});
}

// ---- points ----

constexpr float kAxisSize = 11, kAxisRoom = 36, kTickLength = 4, kRadius = 4.5f, kFinger = 14;
constexpr float kNoteRoom = 18;

/// One axis: values from low to high along a line of pixels.
struct ScatterAxis {
    std::vector<Scalar> ticks;
    Scalar low = 0, high = 1;
    float from = 0, to = 1;

    float at(Scalar value) const {
        return from + static_cast<float>((value - low) / (high - low)) * (to - from);
    }
};

ScatterAxis make_axis(const std::vector<ScatterPoint>& points, Scalar ScatterPoint::*value,
                      float from, float to) {
    ScatterAxis axis{
        {}, std::numeric_limits<Scalar>::max(), std::numeric_limits<Scalar>::lowest(), from, to};
    for (const ScatterPoint& point : points) {
        if (!std::isfinite(point.*value)) continue;
        axis.low = std::min(axis.low, point.*value);
        axis.high = std::max(axis.high, point.*value);
    }
    if (axis.low > axis.high) axis.low = 0, axis.high = 1;
    if (axis.high - axis.low < Scalar(1e-6)) axis.low -= Scalar(0.5), axis.high += Scalar(0.5);
    axis.ticks = ticks(axis.low, axis.high, 5);
    // The range is extended to the next round numbers, so that no point lies beyond the last one.
    const Scalar step =
        axis.ticks.size() > 1 ? axis.ticks[1] - axis.ticks[0] : axis.high - axis.low;
    while (axis.ticks.front() > axis.low)
        axis.ticks.insert(axis.ticks.begin(), axis.ticks[0] - step);
    while (axis.ticks.back() < axis.high) axis.ticks.push_back(axis.ticks.back() + step);
    axis.low = axis.ticks.front();
    axis.high = axis.ticks.back();
    return axis;
}

std::optional<Point> place_of(const ScatterPoint& point, const ScatterAxis& x,
                              const ScatterAxis& y) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) return std::nullopt;
    return Point{x.at(point.x), y.at(point.y)};
}

/// Adds "2 of 12 not shown: distance is not defined", at the top right.
void add_left_out(ScatterFigure& scatter, const ScatterInput& input, const Theme& theme,
                  const MeasureText& measure) {
    const auto n = std::ranges::count_if(
        scatter.centers, [](const std::optional<Point>& center) { return !center; });
    if (n == 0) return;
    const auto has_none = [&](Scalar ScatterPoint::*value) {
        return std::ranges::any_of(
            input.points, [&](const ScatterPoint& point) { return !std::isfinite(point.*value); });
    };
    std::string names = has_none(&ScatterPoint::x) ? input.x_name : "";
    if (has_none(&ScatterPoint::y) && names != input.y_name) append_part(names, ", ", input.y_name);
    TextMark mark{
        .at = {input.width - 14, kAxisSize},
        .text = fmt::format("{} of {} not shown: {} not defined", n, input.points.size(), names),
        .size = kAxisSize,
        .color = theme.muted,
        .align = Align::End};
    shorten(mark, input.width - 14, measure);
    scatter.figure.add(std::move(mark));
}

void add_axes(Figure& figure, const ScatterAxis& x, const ScatterAxis& y, const ScatterInput& input,
              const Theme& theme) {
    const auto text = [&](Point at, std::string words, Align align, float angle = 0) {
        figure.add(TextMark{.at = at,
                            .text = std::move(words),
                            .size = kAxisSize,
                            .color = theme.muted,
                            .align = align,
                            .angle_deg = angle});
    };
    for (const Scalar tick : x.ticks) {
        figure.add(
            LineMark{{x.at(tick), y.to}, {x.at(tick), y.from + kTickLength}, theme.border, 1});
        text({x.at(tick), y.from + kTickLength + 12}, format_tick(tick, x.ticks), Align::Middle);
    }
    for (const Scalar tick : y.ticks) {
        figure.add(
            LineMark{{x.from - kTickLength, y.at(tick)}, {x.to, y.at(tick)}, theme.border, 1});
        text({x.from - kTickLength - 4, y.at(tick) + kMiddleShift * kAxisSize},
             format_tick(tick, y.ticks), Align::End);
    }
    text({(x.from + x.to) / 2, input.height - 4}, input.x_name, Align::Middle);
    text({kAxisSize, (y.from + y.to) / 2}, input.y_name, Align::Middle, -90);
}

}  // namespace

std::optional<std::size_t> HeadGridFigure::head_at(Point p) const {
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (boxes[i].contains(p)) return i;
    return std::nullopt;
}

void add_stand_in(Figure& figure, Box picture, const std::string& stand_in, const Theme& theme) {
    const float radius = std::min(8.0f, picture.width / 5), inset = picture.width < 40 ? 1 : 3;
    figure.add(RectMark{{picture.x + inset, picture.y + inset, picture.width - 2 * inset,
                         picture.height - 2 * inset},
                        faded(theme.card, 0.78),
                        {},
                        0,
                        4});
    const Point at{picture.right() - radius - inset, picture.y + radius + inset};
    const float size = radius * 11 / 8;
    figure.add(CircleMark{at, radius, theme.text, theme.card, 1});
    figure.add(TextMark{{at.x, at.y + kMiddleShift * size},
                        stand_in,
                        size,
                        text_on(theme, theme.text),
                        Font::Bold,
                        Align::Middle});
}

Box box_of_aspect(Box room, float aspect) {
    const float width = std::min(room.width, room.height * aspect), height = width / aspect;
    return {room.x + (room.width - width) / 2, room.y + (room.height - height) / 2, width, height};
}

void add_cell_mark(Figure& figure, Box box, const Matrix& matrix, Index cell, const Theme& theme) {
    const float w = box.width / static_cast<float>(matrix.cols()),
                h = box.height / static_cast<float>(matrix.rows());
    const auto row = static_cast<float>(cell / matrix.cols()),
               column = static_cast<float>(cell % matrix.cols());
    figure.add(
        RectMark{{box.x + column * w, box.y + row * h, w, h}, {0, 0, 0, 0}, theme.selection, 1.5f});
}

HeadGridFigure head_grid_figure(const HeadGridInput& input, const Theme& theme,
                                const MeasureText& measure) {
    const bool is_by_row = !input.rows.empty();
    const Cells cells = is_by_row ? cells_by_row(input, measure) : cells_in_order(input);
    HeadGridFigure grid{{input.width, input.height, {}}, {}};
    if (is_by_row) add_names(grid.figure, input, cells, theme);
    for (std::size_t i = 0; i < input.heads.size(); ++i) {
        const HeadPicture& head = input.heads[i];
        const int place = static_cast<int>(i);
        grid.boxes.push_back(is_by_row ? cells.box(head.row, head.head)
                                       : cells.box(place / cells.columns, place % cells.columns));
        add_frame(grid.figure, head, grid.boxes[i], theme);
        if (!head.part.empty())
            grid.figure.targets.push_back({.of = Target::Of::Head,
                                           .path = head.part,
                                           .index = head.head,
                                           .grid = {grid.boxes[i], 1, 1}});
    }
    // Heatmaps are added one after the other, so that the window draws them in one go.
    for (std::size_t i = 0; i < input.heads.size(); ++i)
        grid.figure.add(HeatmapMark{.box = heatmap_box(input.heads[i], grid.boxes[i]),
                                    .values = input.heads[i].picture,
                                    .scale = input.heads[i].scale});
    Index n_cut = 0;
    for (std::size_t i = 0; i < input.heads.size(); ++i) {
        const HeadPicture& head = input.heads[i];
        if (head.marked)
            add_cell_mark(grid.figure, heatmap_box(head, grid.boxes[i]), *head.picture,
                          *head.marked, theme);
        if (!head.stand_in.empty()) add_stand_in(grid.figure, grid.boxes[i], head.stand_in, theme);
        if (!cells.has_captions) continue;
        const bool is_short = !is_by_row && cells.side < kLeastForCaption;
        const bool is_whole =
            is_short ? add_short_caption(grid.figure, head, grid.boxes[i], theme, measure)
                     : add_caption(grid.figure, head, grid.boxes[i], !is_by_row, theme, measure);
        if (!is_whole) ++n_cut;
    }
    grid.figure.leave_out({"captions of heads", cells.has_captions ? n_cut : count_captions(input),
                           static_cast<Index>(input.heads.size())});
    return grid;
}

std::optional<std::size_t> ScatterFigure::dot_at(Point p) const {
    std::optional<std::size_t> nearest;
    float least = kFinger;
    for (std::size_t i = 0; i < centers.size(); ++i) {
        if (!centers[i]) continue;
        const float distance = std::hypot(centers[i]->x - p.x, centers[i]->y - p.y);
        if (!(distance < least)) continue;
        least = distance;
        nearest = i;
    }
    return nearest;
}

ScatterFigure scatter_figure(const ScatterInput& input, const Theme& theme,
                             const MeasureText& measure) {
    const bool are_all_placed = std::ranges::all_of(input.points, [](const ScatterPoint& point) {
        return std::isfinite(point.x) && std::isfinite(point.y);
    });
    const ScatterAxis y = make_axis(input.points, &ScatterPoint::y, input.height - kAxisRoom,
                                    kRadius + 4 + (are_all_placed ? 0 : kNoteRoom));
    float widest = 0;
    for (const Scalar tick : y.ticks)
        widest = std::max(widest, measure(format_tick(tick, y.ticks), kAxisSize, Font::Regular));
    const ScatterAxis x = make_axis(input.points, &ScatterPoint::x,
                                    kAxisSize + 8 + widest + kTickLength + 4, input.width - 14);
    ScatterFigure scatter{{input.width, input.height, {}}, {}};
    add_axes(scatter.figure, x, y, input, theme);
    for (const ScatterPoint& point : input.points) {
        scatter.centers.push_back(place_of(point, x, y));
        if (!scatter.centers.back()) continue;
        const bool stands_out = point.is_chosen || point.is_marked;
        Color fill = point.color;
        fill.a = stands_out ? 255 : 190;
        scatter.figure.add(CircleMark{*scatter.centers.back(), stands_out ? kRadius + 2 : kRadius,
                                      fill, stands_out ? theme.text : theme.card,
                                      stands_out ? 2.0f : 1.0f});
    }
    add_left_out(scatter, input, theme, measure);
    return scatter;
}

}  // namespace headlight
