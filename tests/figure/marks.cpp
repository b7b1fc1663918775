#include "figure/marks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace headlight::test {
namespace {

using Corners = std::array<Point, 4>;

Corners corners_of(const TextMark& mark) {
    const float width = fake_measure(mark.text, mark.size, mark.font);
    const float left = mark.align == Align::Start ? 0
                       : mark.align == Align::End ? -width
                                                  : -width / 2;
    const float top = -0.72f * mark.size, bottom = 0.18f * mark.size;
    const float angle = mark.angle_deg * std::numbers::pi_v<float> / 180;
    const float c = std::cos(angle), s = std::sin(angle);
    const auto turned = [&](float x, float y) {
        return Point{mark.at.x + x * c - y * s, mark.at.y + x * s + y * c};
    };
    return {turned(left, top), turned(left + width, top), turned(left + width, bottom),
            turned(left, bottom)};
}

/// Two convex shapes are apart if some side of one has all of the other on its far side.
bool are_apart(const Corners& a, const Corners& b) {
    for (int k = 0; k < 4; ++k) {
        const Point p = a[k], q = a[(k + 1) % 4];
        const float nx = q.y - p.y, ny = p.x - q.x;
        if (std::all_of(b.begin(), b.end(),
                        [&](Point r) { return (r.x - p.x) * nx + (r.y - p.y) * ny >= -0.01f; }))
            return true;
    }
    return false;
}

std::vector<Point> corners(const Box& b, float more) {
    return {{b.x - more, b.y - more}, {b.right() + more, b.bottom() + more}};
}

struct Reach {
    std::vector<Point> operator()(const RectMark& m) const {
        return corners(m.box, m.stroke.a > 0 ? m.stroke_width / 2 : 0);
    }
    std::vector<Point> operator()(const CircleMark& m) const {
        return corners({m.center.x, m.center.y, 0, 0}, m.radius + m.stroke_width / 2);
    }
    std::vector<Point> operator()(const LineMark& m) const { return {m.from, m.to}; }
    std::vector<Point> operator()(const CurveMark& m) const {
        std::vector<Point> points;
        for (float t = 0; t <= 1; t += 0.05f) {
            const float u = 1 - t;
            const auto at = [&](float a, float b, float c, float d) {
                return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
            };
            points.push_back({at(m.from.x, m.control_1.x, m.control_2.x, m.to.x),
                              at(m.from.y, m.control_1.y, m.control_2.y, m.to.y)});
        }
        return points;
    }
    std::vector<Point> operator()(const TriangleMark& m) const { return {m.a, m.b, m.c}; }
    std::vector<Point> operator()(const TextMark& m) const {
        const Corners c = corners_of(m);
        return {c.begin(), c.end()};
    }
    std::vector<Point> operator()(const PictureMark& m) const { return corners(m.box, 0); }
    std::vector<Point> operator()(const HeatmapMark& m) const { return corners(m.seen(), 0); }
};

std::string described(const Mark& mark, Point p) {
    const auto* text = std::get_if<TextMark>(&mark);
    return (text ? "'" + text->text + "'" : "mark of kind " + std::to_string(mark.index())) +
           " reaches " + std::to_string(p.x) + ", " + std::to_string(p.y);
}

}  // namespace

float fake_measure(const std::string& text, float size, Font font) {
    const auto characters =
        std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xc0) != 0x80; });
    return static_cast<float>(characters) * size * (font == Font::Bold ? 0.6f : 0.55f);
}

std::vector<TextMark> texts_of(const Figure& figure) {
    std::vector<TextMark> texts;
    for (const Mark& mark : figure.marks)
        if (const auto* text = std::get_if<TextMark>(&mark)) texts.push_back(*text);
    return texts;
}

bool has_text(const Figure& figure, const std::string& text) {
    const auto texts = texts_of(figure);
    return std::any_of(texts.begin(), texts.end(),
                       [&](const TextMark& mark) { return mark.text == text; });
}

std::string overlapping_texts(const Figure& figure) {
    const auto texts = texts_of(figure);
    std::vector<Corners> shapes;
    for (const TextMark& text : texts) shapes.push_back(corners_of(text));
    for (std::size_t a = 0; a < texts.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            if (!are_apart(shapes[a], shapes[b]) && !are_apart(shapes[b], shapes[a]))
                return "'" + texts[b].text + "' and '" + texts[a].text + "'";
    return "";
}

std::string outside_mark(const Figure& figure, float slack) {
    for (const Mark& mark : figure.marks)
        for (Point p : std::visit(Reach(), mark))
            if (!(p.x >= -slack && p.y >= -slack && p.x <= figure.width + slack &&
                  p.y <= figure.height + slack))
                return described(mark, p);
    return "";
}

std::string random_word(std::mt19937& random) {
    static const std::string letters[] = {"a", "b", "m", "i", "é", "ж", "√", "w", "t", "."};
    std::string word;
    for (auto left = random() % 14 + 1; left > 0; --left) word += letters[random() % 10];
    return word;
}

}  // namespace headlight::test
