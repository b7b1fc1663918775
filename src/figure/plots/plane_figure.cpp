#include "figure/plots/plane_figure.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

#include "figure/color.h"
#include "figure/labels.h"
#include "figure/number_format.h"
#include "figure/words/formula.h"

namespace headlight {
namespace {

constexpr float kTipReach = 12;  // of the pointer

constexpr float kPlanePad = 12, kPlaneTitle = 15, kLeastType = 11, kMostType = 24;
/// The size of names, as a share of the smaller side.
constexpr float kTypeShare = 1 / 19.0f;
constexpr double kRoomAround = 0.18;  // of the range, for names beyond the tips
constexpr float kHead = 0.62f;        // length of an arrow's head, in sizes of the names
constexpr int kArcPieces = 24;

bool is_drawn(const PlaneArrow& arrow) {
    return std::isfinite(arrow.x) && std::isfinite(arrow.y);
}
double length(const PlaneArrow& arrow) {
    return std::hypot(arrow.x, arrow.y);
}
double dot(const PlaneArrow& a, const PlaneArrow& b) {
    return a.x * b.x + a.y * b.y;
}
std::string number(double value) {
    return format_value(static_cast<Scalar>(value));
}

class PlanePainter {
  public:
    PlanePainter(const PlaneInput& input, const Theme& theme, const MeasureText& measure)
        : input_(input), theme_(theme), measure_(measure) {}

    PlaneFigure paint() {
        result_.figure = {input_.width, input_.height, {}, {}};
        add_heading();
        place_axes();
        add_grid();
        if (input_.projected) add_projection();
        Index n_left_out = 0;
        for (std::size_t k = 0; k < input_.arrows.size(); ++k) {
            const PlaneArrow& arrow = input_.arrows[k];
            result_.tips.push_back(is_drawn(arrow) ? at(arrow.x, arrow.y) : origin());
            if (!is_drawn(arrow)) {
                ++n_left_out;
                continue;
            }
            if (arrow.target) {
                const Point tip = result_.tips.back();
                Target target = *arrow.target;
                target.grid = {
                    {tip.x - kTipReach, tip.y - kTipReach, 2 * kTipReach, 2 * kTipReach}, 1, 1};
                result_.figure.targets.push_back(std::move(target));
            }
            add_arrow(arrow, is_held(k));
        }
        result_.figure.leave_out(
            {"arrows that are not finite", n_left_out, std::ssize(input_.arrows)});
        add_names();
        return std::move(result_);
    }

  private:
    bool is_held(std::size_t k) const {
        return input_.projected && (input_.projected->first == k || input_.projected->second == k);
    }

    void add_text(Point place, const std::string& text, float size, Color color,
                  Font font = Font::Regular, Align align = Align::Start) {
        result_.figure.add(TextMark{place, text, size, color, font, align});
    }

    /// Adds title, groups, and the text of the projection, one under the other.
    void add_heading() {
        type_ =
            std::clamp(kTypeShare * std::min(input_.width, input_.height), kLeastType, kMostType);
        float y = kPlanePad;
        const float room = input_.width - 2 * kPlanePad;
        if (!input_.title.empty()) {
            const float size = std::max(kPlaneTitle, type_);
            y += kLineHeight * size;
            TextMark title{
                {kPlanePad, y - 0.3f * size}, input_.title, size, theme_.text, Font::Bold};
            add_symbol_title(result_.figure, title, input_.symbol, room, measure_);
        }
        if (!input_.legend.empty()) y += kLineHeight * type_;
        float x = kPlanePad;
        for (const PlaneGroup& group : input_.legend) {
            const float middle = y - 0.3f * type_ - kMiddleShift * type_;
            result_.figure.add(LineMark{{x, middle}, {x + 1.2f * type_, middle}, group.color, 3});
            const TextMark name{
                {x + 1.6f * type_, y - 0.3f * type_}, group.name, type_, theme_.muted};
            x += 2.8f * type_ + add_symbol_title(result_.figure, name, group.symbol,
                                                 input_.width - name.at.x, measure_);
        }
        if (input_.projected) {
            TextMark said{{},
                          projection_text(input_.arrows[input_.projected->first],
                                          input_.arrows[input_.projected->second]),
                          type_,
                          theme_.text};
            for (std::string& line : wrapped_lines(said, room, measure_)) {
                y += kLineHeight * type_;
                add_text({kPlanePad, y - 0.3f * type_}, line, type_, theme_.text);
            }
        }
        const float top = y + 0.5f * type_;
        plot_ = {kPlanePad, top, room, std::max(1.0f, input_.height - kPlanePad - top)};
    }

    /// Places the axes with equal scales; the origin and all arrows are inside, the rest of the
    /// room is shared.
    void place_axes() {
        double left = 0, right = 0, low = 0, high = 0;
        for (const PlaneArrow& arrow : input_.arrows) {
            if (!is_drawn(arrow)) continue;
            left = std::min(left, arrow.x), right = std::max(right, arrow.x);
            low = std::min(low, arrow.y), high = std::max(high, arrow.y);
        }
        const double most = std::max({right - left, high - low, 1e-12});
        const double around = kRoomAround * most;
        left -= around, right += around, low -= around, high += around;
        scale_ = std::min(plot_.width / (right - left), plot_.height / (high - low));
        middle_ = {plot_.center().x - static_cast<float>((left + right) / 2 * scale_),
                   plot_.center().y + static_cast<float>((low + high) / 2 * scale_)};
    }

    Point origin() const { return middle_; }
    Point at(double x, double y) const {
        return {middle_.x + static_cast<float>(x * scale_),
                middle_.y - static_cast<float>(y * scale_)};
    }

    void add_grid() {
        const double step = nice_step(4 * type_ / scale_);
        const float small = 0.75f * type_;
        const auto first = [&](double low) { return std::ceil(low / step); };
        const double left = (plot_.x - middle_.x) / scale_,
                     right = (plot_.right() - middle_.x) / scale_;
        const double low = (middle_.y - plot_.bottom()) / scale_,
                     high = (middle_.y - plot_.y) / scale_;
        std::vector<Scalar> ticks;
        for (double k = first(std::min(left, low)); k * step <= std::max(right, high); ++k)
            ticks.push_back(static_cast<Scalar>(k * step));
        const auto tick = [&](double k) {
            return format_tick(static_cast<Scalar>(k * step), ticks);
        };
        const float below = std::min(plot_.bottom() - 2, origin().y + 1.1f * small + 2);
        for (double k = first(left); k * step <= right; ++k) {
            const float x = at(k * step, 0).x;
            add_line({x, plot_.y}, {x, plot_.bottom()}, k == 0);
            if (k != 0)
                add_text({x, below}, tick(k), small, theme_.muted, Font::Regular, Align::Middle);
        }
        for (double k = first(low); k * step <= high; ++k) {
            const float y = at(0, k * step).y;
            add_line({plot_.x, y}, {plot_.right(), y}, k == 0);
            if (k != 0)
                add_text({std::max(plot_.x + 3 * small, origin().x - 4), y + kMiddleShift * small},
                         tick(k), small, theme_.muted, Font::Regular, Align::End);
        }
        const Font font = Font::Regular;
        add_text({plot_.right() - 2, origin().y - 5}, input_.x_name, small, theme_.muted, font,
                 Align::End);
        add_text({origin().x + 5, plot_.y + small}, input_.y_name, small, theme_.muted, font);
    }

    /// Returns 1, 2 or 5 times a power of ten, at least as large.
    static double nice_step(double least) {
        const double power = std::pow(10.0, std::floor(std::log10(least)));
        for (const double times : {1.0, 2.0, 5.0})
            if (times * power >= least) return times * power;
        return 10 * power;
    }

    void add_line(Point from, Point to, bool is_axis) {
        result_.figure.add(
            LineMark{from, to, is_axis ? theme_.muted : theme_.border, is_axis ? 1.2f : 0.7f});
    }

    void add_arrow(const PlaneArrow& arrow, bool is_bold) {
        Point tip = at(arrow.x, arrow.y), from = origin();
        const float dx = tip.x - from.x, dy = tip.y - from.y, size = std::hypot(dx, dy);
        if (size < 1) {
            result_.figure.add(CircleMark{tip, 0.25f * type_, arrow.color});
            return;
        }
        const float head = std::min(kHead * type_ * (is_bold ? 1.25f : 1), size);
        const Point u{dx / size, dy / size};
        const float aside = step_aside(arrow);
        for (Point* end : {&from, &tip}) *end = {end->x - u.y * aside, end->y + u.x * aside};
        const Point neck{tip.x - u.x * head, tip.y - u.y * head};
        const float width = (is_bold ? 4.2f : 2.4f) * type_ / 14;
        result_.figure.add(LineMark{from, neck, arrow.color, width});
        const float half = 0.45f * head;
        result_.figure.add(TriangleMark{tip,
                                        {neck.x - u.y * half, neck.y + u.x * half},
                                        {neck.x + u.y * half, neck.y - u.x * half},
                                        arrow.color});
    }

    /// Returns a shift by which arrows of two groups on one line lie beside each other.
    float step_aside(const PlaneArrow& arrow) const {
        const bool has_company = std::ranges::any_of(input_.arrows, [&](const PlaneArrow& other) {
            const double both = length(arrow) * length(other);
            return is_drawn(other) && !is_same_group(arrow.color, other.color) && both > 0 &&
                   dot(arrow, other) > 0.9995 * both;
        });
        if (!has_company) return 0;
        const bool is_of_later_group =
            !input_.legend.empty() && !is_same_group(arrow.color, input_.legend.front().color);
        return (is_of_later_group ? 1 : -1) * 0.16f * type_;
    }

    /// Adds the foot of the second arrow on the line of the first, the way to it, and the angle.
    void add_projection() {
        const PlaneArrow& onto = input_.arrows[input_.projected->first];
        const PlaneArrow& of = input_.arrows[input_.projected->second];
        if (!is_drawn(onto) || !is_drawn(of) || length(onto) == 0) return;
        const double share = dot(onto, of) / dot(onto, onto);
        const Point foot = at(share * onto.x, share * onto.y);
        result_.figure.add(LineMark{origin(), foot, with_alpha(theme_.selection, 0.45f), 9});
        add_dashes(at(of.x, of.y), foot);
        add_angle(onto, of);
    }

    static Color with_alpha(Color color, float alpha) {
        color.a = static_cast<std::uint8_t>(255 * alpha);
        return color;
    }

    void add_dashes(Point from, Point to) {
        constexpr float kPiece = 5;
        const float size = std::hypot(to.x - from.x, to.y - from.y);
        const auto between = [&](float way) {
            const float share = std::min(1.0f, way / size);
            return Point{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
        };
        for (float way = 0; way < size; way += 2 * kPiece)
            result_.figure.add(
                LineMark{between(way), between(way + kPiece), theme_.selection, 1.6f});
    }

    void add_angle(const PlaneArrow& a, const PlaneArrow& b) {
        if (length(b) == 0) return;
        const double begin = std::atan2(a.y, a.x);
        const double turn = std::remainder(std::atan2(b.y, b.x) - begin, 2 * std::numbers::pi);
        const double radius = std::min(2.2 * static_cast<double>(type_),
                                       0.5 * scale_ * std::min(length(a), length(b)));
        const auto place = [&](int k) {
            const double angle = begin + turn * k / kArcPieces;
            return Point{origin().x + static_cast<float>(radius * std::cos(angle)),
                         origin().y - static_cast<float>(radius * std::sin(angle))};
        };
        for (int k = 0; k < kArcPieces; ++k)
            result_.figure.add(LineMark{place(k), place(k + 1), theme_.selection, 1.6f});
    }

    /// Adds names beyond the tips, clear of each other and of the arrows; those of one place
    /// together.
    void add_names() {
        std::vector<Box> taken;
        for (std::size_t k = 0; k < input_.arrows.size(); ++k) {
            if (!is_drawn(input_.arrows[k]) || is_named_before(k)) continue;
            // With several groups, a name has the colour of its group.
            const Color color = !input_.legend.empty() ? with_alpha(input_.arrows[k].color, 1)
                                : is_held(k)           ? theme_.text
                                                       : theme_.muted;
            TextMark mark{{}, names_at(k), type_, color, is_held(k) ? Font::Bold : Font::Regular};
            shorten(mark, 0.5f * input_.width, measure_);
            const Box box = best_box(result_.tips[k], measure_(mark.text, type_, mark.font), taken);
            taken.push_back(box);
            mark.at = {box.x, box.bottom() - 0.28f * type_};
            result_.figure.add(std::move(mark));
        }
    }

    static bool is_same_group(Color a, Color b) { return a.r == b.r && a.g == b.g && a.b == b.b; }

    bool is_same_place(std::size_t a, std::size_t b) const {
        const Point p = result_.tips[a], q = result_.tips[b];
        return is_drawn(input_.arrows[b]) && std::hypot(p.x - q.x, p.y - q.y) < 1 &&
               is_same_group(input_.arrows[a].color, input_.arrows[b].color);
    }
    bool is_named_before(std::size_t k) const {
        for (std::size_t before = 0; before < k; ++before)
            if (is_same_place(k, before)) return true;
        return false;
    }
    std::string names_at(std::size_t k) const {
        std::string names = input_.arrows[k].name;
        for (std::size_t other = k + 1; other < input_.arrows.size(); ++other)
            if (is_same_place(k, other) && input_.arrows[other].name != names)
                names += ", " + input_.arrows[other].name;
        return names;
    }

    /// Returns a box beyond the tip as seen from the origin, or around it and farther away: where
    /// least is hidden, and of such places the nearest.
    Box best_box(Point tip, float width, const std::vector<Box>& taken) const {
        constexpr int kTurns = 16;
        const float height = kLineHeight * type_;
        const double angle = std::atan2(origin().y - tip.y, tip.x - origin().x);
        Box best;
        float least = std::numeric_limits<float>::max();
        for (const float away : {0.45f, 0.8f, 1.3f, 2.0f}) {
            for (int k = 0; k < kTurns; ++k) {
                const double turned =
                    angle + (k % 2 == 0 ? -1 : 1) * ((k + 1) / 2) * 2 * std::numbers::pi / kTurns;
                const auto c = static_cast<float>(std::cos(turned));
                const auto s = static_cast<float>(std::sin(turned));
                Box box{tip.x + c * away * type_ + (c - 1) * width / 2,
                        tip.y - s * away * type_ - (s + 1) * height / 2, width, height};
                box.x = std::clamp(box.x, 0.0f, std::max(0.0f, input_.width - width));
                box.y = std::clamp(box.y, plot_.y, std::max(plot_.y, input_.height - height));
                const float cost = hidden_by(box, taken) + away + 0.01f * static_cast<float>(k);
                if (cost < least) least = cost, best = box;
            }
        }
        return best;
    }

    /// Returns how much a name there would hide: names, arrows, the numbers of axes.
    float hidden_by(const Box& box, const std::vector<Box>& taken) const {
        constexpr float kOverName = 100, kOverArrow = 20, kOverAxis = 4, kOverTick = 1.5f;
        float cost = 0;
        const float gap = 0.35f * type_;  // a blank between two names
        const Box around{box.x - gap, box.y, box.width + 2 * gap, box.height};
        for (const Box& other : taken)
            if (!common_part(around, other).is_empty()) cost += kOverName;
        for (const Point& tip : result_.tips)
            if (crosses(box, origin(), tip)) cost += kOverArrow;
        const Point left{plot_.x, origin().y}, right{plot_.right(), origin().y};
        const Point top{origin().x, plot_.y}, bottom{origin().x, plot_.bottom()};
        if (crosses(box, left, right)) cost += kOverAxis;
        if (crosses(box, top, bottom)) cost += kOverAxis;
        const float tick = 1.2f * type_;
        const Box below{plot_.x, origin().y, plot_.width, tick};
        const Box beside{origin().x - 2 * tick, plot_.y, 2 * tick, plot_.height};
        for (const Box& numbers : {below, beside})
            if (!common_part(box, numbers).is_empty()) cost += kOverTick;
        return cost;
    }

    /// True if the line from a to b meets the box.
    static bool crosses(const Box& box, Point a, Point b) {
        float from = 0, to = 1;  // the part of the line that is inside
        const auto keep = [&](float start, float step, float low, float high) {
            if (std::abs(step) < 1e-6f) return start >= low && start <= high;
            const float enter = (low - start) / step, leave = (high - start) / step;
            from = std::max(from, std::min(enter, leave));
            to = std::min(to, std::max(enter, leave));
            return from <= to;
        };
        return keep(a.x, b.x - a.x, box.x, box.right()) &&
               keep(a.y, b.y - a.y, box.y, box.bottom());
    }

    const PlaneInput& input_;
    const Theme& theme_;
    const MeasureText& measure_;
    PlaneFigure result_;
    Box plot_;
    Point middle_;  // the origin
    double scale_ = 1;
    float type_ = kLeastType;
};

}  // namespace

PlaneFigure plane_figure(const PlaneInput& input, const Theme& theme, const MeasureText& measure) {
    return PlanePainter(input, theme, measure).paint();
}

std::string projection_text(const PlaneArrow& onto, const PlaneArrow& of) {
    const double product = dot(onto, of), a = length(onto), b = length(of);
    std::string text = fmt::format("{} · {} = {}", onto.name, of.name, number(product));
    if (a == 0 || b == 0) return text;
    const double cosine = std::clamp(product / a / b, -1.0, 1.0);
    const auto angle = static_cast<Scalar>(std::round(std::acos(cosine) * 180 / std::numbers::pi));
    const auto along = static_cast<Scalar>(product / a), from = static_cast<Scalar>(a);
    const auto digits = digits_for(number(product), 3, 3, [&](int n_digits) {
        return as_read(from, n_digits) * as_read(along, n_digits);
    });
    return fmt::format("{} {} length {} × projection {}; angle {}°", text, digits ? "=" : "≈",
                       format_value(from, digits.value_or(3)),
                       format_value(along, digits.value_or(3)), static_cast<int>(angle));
}

}  // namespace headlight
