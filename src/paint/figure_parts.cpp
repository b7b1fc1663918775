#include "paint/figure_parts.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

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

void add_part(Figure& figure, const Figure& part, Point at, float scale) {
    figure.left_out.insert(figure.left_out.end(), part.left_out.begin(), part.left_out.end());
    for (Mark mark : part.marks) {
        std::visit(Placing{at, scale}, mark);
        figure.marks.push_back(std::move(mark));
    }
}

void enlarge(Figure& figure, float times) {
    figure.width *= times;
    figure.height *= times;
    for (Mark& mark : figure.marks) std::visit(Placing{{}, times}, mark);
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

}  // namespace headlight
