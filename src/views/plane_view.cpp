#include "views/plane_view.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/plan.h"
#include "figure/figure_look.h"
#include "figure/tensor_figure.h"

namespace headlight {
namespace {

constexpr std::uint8_t kBeside = 120;  // opacity of arrows beside those that are held

std::string title_without_path(const Tensor& tensor) {
    std::string title = tensor_title(tensor);
    const std::string path = " · " + tensor.path();
    if (const std::size_t at = title.find(path); at != std::string::npos)
        title.erase(at, path.size());
    return title;
}

/// Adds the rows, whose tips scripts find as "tip 3"; returns the arrow of the first.
std::size_t add_rows(PlaneInput& input, const Scene& scene, const Tensor& tensor, Color color) {
    const std::size_t first = input.arrows.size();
    for (Index i = 0; i < tensor.value->rows(); ++i) {
        const Target tip{.of = Target::Of::Row,
                         .path = tensor.path(),
                         .index = i,
                         .name = fmt::format("tip {}", input.arrows.size())};
        input.arrows.push_back({shown_label(scene.trace.plan(), tensor.rows(), i),
                                static_cast<double>((*tensor.value)(i, 0)),
                                static_cast<double>((*tensor.value)(i, 1)), color, tip});
    }
    return first;
}

}  // namespace

bool has_two_columns(const Tensor& tensor) {
    return tensor.columns().size == 2 && tensor.rows().size > 0;
}

bool is_plane(const Tensor& tensor) {
    return has_two_columns(tensor) && tensor.value;
}

PlaneInput plane_input(const Scene& scene) {
    const Selection& selection = scene.selection;
    const Tensor& tensor = scene.trace.at(selection.chosen);
    const AxisIndices& held = selection.held().indices;
    PlaneInput input;
    input.title = title_without_path(tensor);
    input.symbol = tensor.symbol();
    if (!is_plane(tensor)) throw Error("plane", "{} has not two columns", tensor.path());
    const Color first_color = head_color(scene.theme, 0), second_color = scene.theme.negative;
    add_rows(input, scene, tensor, first_color);
    if (has_names(tensor.columns())) {
        input.x_name = axis_label(scene.trace, tensor.columns(), 0);
        input.y_name = axis_label(scene.trace, tensor.columns(), 1);
    }
    const std::vector<Index> rows = cell_pick(tensor, held).rows;
    if (selection.looks.matrix.against.empty()) {
        if (rows.size() > 1) input.projected = {rows[0], rows[1]};
    } else {
        const Tensor* other = scene.trace.find(selection.looks.matrix.against);
        if (!other || !is_plane(*other))
            throw Error("plane", "{} has not two columns", selection.looks.matrix.against);
        const std::size_t first = add_rows(input, scene, *other, second_color);
        input.legend = {{input.title, first_color, tensor.symbol()},
                        {title_without_path(*other), second_color, other->symbol()}};
        input.title.clear();
        const std::vector<Index> others = cell_pick(*other, held).rows;
        if (!rows.empty() && !others.empty())
            input.projected = {static_cast<std::size_t>(rows.front()),
                               first + static_cast<std::size_t>(others.back())};
    }
    if (!input.projected && rows.empty()) return input;
    const auto held_row = static_cast<std::size_t>(rows.empty() ? 0 : rows.front());
    const auto [first, second] = input.projected.value_or(std::pair(held_row, held_row));
    for (std::size_t k = 0; k < input.arrows.size(); ++k)
        if (k != first && k != second) input.arrows[k].color.a = kBeside;
    return input;
}

Figure plane_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    constexpr Point kRoom{520, 560};
    PlaneInput input = plane_input(scene);
    if (look.heading == FigureLook::Heading::Hidden) input.title.clear();
    const Point room =
        picture_room(look, kRoom, [&](float width) { return in_proportion(kRoom, width); }).size;
    input.width = room.x;
    input.height = room.y;
    return plane_figure(input, scene.theme, measure).figure;
}

}  // namespace headlight
