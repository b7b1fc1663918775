#include "paint/figure_extent.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>

namespace headlight {
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

}  // namespace headlight
