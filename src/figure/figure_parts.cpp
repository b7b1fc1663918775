#include "figure/figure_parts.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <utility>

#include "figure/color.h"
#include "figure/labels.h"
#include "figure/legend.h"

namespace headlight {
namespace {

struct Placing {
    Point at;
    float scale = 1;

    void operator()(RectMark& mark) const {
        place(mark.box);
        enlarge({&mark.stroke_width, &mark.radius});
    }
    void operator()(HeatmapMark& mark) const {
        place(mark.box);
        place(mark.clip);
        enlarge({&mark.grid_width});
    }
    void operator()(PictureMark& mark) const { place(mark.box); }
    void operator()(CircleMark& mark) const {
        place({&mark.center});
        enlarge({&mark.radius, &mark.stroke_width});
    }
    void operator()(LineMark& mark) const {
        place({&mark.from, &mark.to});
        enlarge({&mark.width});
    }
    void operator()(CurveMark& mark) const {
        place({&mark.from, &mark.control_1, &mark.control_2, &mark.to});
        enlarge({&mark.width});
    }
    void operator()(TriangleMark& mark) const { place({&mark.a, &mark.b, &mark.c}); }
    void operator()(TextMark& mark) const {
        place({&mark.at});
        enlarge({&mark.size});
    }

    void operator()(Target& target) const {
        place(target.grid.cells);
        if (!target.grid.frame.is_empty()) place(target.grid.frame);
    }

  private:
    void place(std::initializer_list<Point*> points) const {
        for (Point* point : points) *point = {at.x + scale * point->x, at.y + scale * point->y};
    }
    void place(Box& box) const {
        box = {at.x + scale * box.x, at.y + scale * box.y, scale * box.width, scale * box.height};
    }
    void enlarge(std::initializer_list<float*> lengths) const {
        for (float* length : lengths) *length *= scale;
    }
};

Point size_in_rows(Box room, int count, int rows, float gap) {
    const int columns = (count + rows - 1) / rows;
    const auto across = static_cast<float>(columns), down = static_cast<float>(rows);
    return {std::max(0.0f, (room.width - (across - 1) * gap) / across),
            std::max(0.0f, (room.height - (down - 1) * gap) / down)};
}

}  // namespace

std::optional<CellIndex> Target::cell_at(Point p) const {
    const auto cell = grid.cell_at(p);
    if (!cell || of != Of::Cells) return std::nullopt;
    const auto whole = [](const std::vector<Index>& shown, Index at) {
        return shown.empty() ? at : shown[static_cast<std::size_t>(at)];
    };
    return CellIndex{whole(rows, cell->row), whole(columns, cell->column)};
}

void add_part(Figure& figure, const Figure& part, Point at, float scale) {
    figure.left_out.insert(figure.left_out.end(), part.left_out.begin(), part.left_out.end());
    const Placing place{at, scale};
    for (Mark mark : part.marks) {
        std::visit(place, mark);
        figure.marks.push_back(std::move(mark));
    }
    for (Target target : part.targets) {
        place(target);
        figure.targets.push_back(std::move(target));
    }
}

void enlarge(Figure& figure, float times) {
    figure.width *= times;
    figure.height *= times;
    const Placing place{{}, times};
    for (Mark& mark : figure.marks) std::visit(place, mark);
    for (Target& target : figure.targets) place(target);
}

MeasureText measure_enlarged(const MeasureText& measure, float times) {
    return [&measure, times](const std::string& text, float size, Font font) {
        return measure(text, size * times, font) / times;
    };
}

std::vector<Box> place_pictures(Box room, int count, float gap, float aspect) {
    int best = 1;
    const auto side = [&](int rows) {
        const Point size = size_in_rows(room, count, rows, gap);
        return std::min(size.x / aspect, size.y);
    };
    for (int rows = 2; rows <= count; ++rows)
        if (side(rows) > side(best)) best = rows;
    std::vector<Box> boxes;
    if (count <= 0) return boxes;
    const Point size = size_in_rows(room, count, best, gap);
    const int columns = (count + best - 1) / best;
    for (int k = 0; k < count; ++k)
        boxes.push_back({room.x + static_cast<float>(k % columns) * (size.x + gap),
                         room.y + static_cast<float>(k / columns) * (size.y + gap), size.x,
                         size.y});
    return boxes;
}

namespace {

constexpr float kDescent = 0.3f;  // of a text's size, below its baseline

class Extent {
  public:
    explicit Extent(const MeasureText& measure) : measure_(measure) {}

    Point corner() const { return corner_; }

    void operator()(const RectMark& mark) {
        add(mark.box.right(), mark.box.bottom(), mark.stroke_width / 2);
    }
    void operator()(const HeatmapMark& mark) { add(mark.seen().right(), mark.seen().bottom(), 0); }
    void operator()(const CircleMark& mark) {
        add(mark.center.x, mark.center.y, mark.radius + mark.stroke_width / 2);
    }
    void operator()(const LineMark& mark) { add({mark.from, mark.to}, mark.width / 2); }
    void operator()(const CurveMark& mark) {  // a curve stays between its four points
        add({mark.from, mark.control_1, mark.control_2, mark.to}, mark.width / 2);
    }
    void operator()(const PictureMark& mark) { add(mark.box.right(), mark.box.bottom(), 0); }
    void operator()(const TriangleMark& mark) { add({mark.a, mark.b, mark.c}, 0); }
    void operator()(const TextMark& mark) {
        const float width = measure_(mark.text, mark.size, mark.font);
        const float start = mark.align == Align::Start ? 0 : mark.align == Align::End ? 1 : 0.5f;
        const float angle = mark.angle_deg * std::numbers::pi_v<float> / 180;
        const float c = std::cos(angle), s = std::sin(angle);
        for (const float x : {-start * width, (1 - start) * width})
            for (const float y : {-mark.size, kDescent * mark.size})
                add(mark.at.x + c * x - s * y, mark.at.y + s * x + c * y, 0);
    }

  private:
    void add(std::initializer_list<Point> points, float around) {
        for (const Point p : points) add(p.x, p.y, around);
    }
    void add(float x, float y, float around) {
        corner_ = {std::max(corner_.x, x + around), std::max(corner_.y, y + around)};
    }

    const MeasureText& measure_;
    Point corner_;
};

}  // namespace

Point far_corner(const Figure& figure, const MeasureText& measure) {
    Extent extent(measure);
    for (const Mark& mark : figure.marks) std::visit(extent, mark);
    return extent.corner();
}

void trim(Figure& figure, float margin, const MeasureText& measure) {
    const Point corner = far_corner(figure, measure);
    figure.width = std::min(figure.width, corner.x + margin);
    figure.height = std::min(figure.height, corner.y + margin);
}

namespace {

constexpr float kRing = 0.22f, kGuessText = 1.3f;  // of the radius

}  // namespace

void cover(HeatmapInput& input, const Theme& theme, const MeasureText& measure) {
    if (input.legend == LegendPlace::Right)
        input.width -= kLegendGap + legend_width(input.scale, measure);
    input.legend = LegendPlace::None;
    input.scale = {.colors = std::vector<Color>(256, mixed(theme.card, theme.muted, 0.22))};
    if (input.values)
        input.values = std::make_shared<const Matrix>(
            Matrix::Zero(input.values->rows(), input.values->cols()));
    input.colored = nullptr;
    input.numbers = HeatmapInput::Numbers::Never;
    input.pinned.clear();
    input.selected = {};
}

void add_guess_mark(Figure& figure, const GuessMark& mark, const Theme& theme) {
    if (mark.state == GuessState::Answer)
        return figure.add(CircleMark{mark.center, 0.6f * mark.radius, theme.text, theme.card,
                                     mark.radius * kRing});
    const bool is_right = mark.state == GuessState::Right;
    const bool is_open = mark.state == GuessState::Open;
    const Color ink = is_right || is_open ? theme.accent : theme.warning;
    figure.add(CircleMark{mark.center, mark.radius, is_right ? ink : theme.card, ink,
                          mark.radius * kRing});
    figure.add(
        TextMark{.at = {mark.center.x, mark.center.y + mark.radius * kGuessText * kMiddleShift},
                 .text = is_open    ? "?"
                         : is_right ? "✓"
                                    : "✗",
                 .size = mark.radius * kGuessText,
                 .color = is_right ? theme.on_accent : ink,
                 .font = Font::Bold,
                 .align = Align::Middle});
}

}  // namespace headlight
