#include "scene/figures/row_bars.h"

#include <algorithm>

#include "paint/figure_parts.h"
#include "paint/figures/bars_figure.h"
#include "paint/figures/heatmap_layout.h"
#include "paint/number_format.h"

namespace headlight {
namespace {

constexpr Index kMostLabels = 40;
constexpr float kTitle = 34, kTitleSize = 15, kLine = 19, kWidest = 620;

Index shown_row(const Scene& scene, const Tensor& tensor) {
    const Focus& held = scene.selection.held().focus;
    const Index last = tensor.rows().size - 1;
    const bool is_of_rows = held.query && held.query_list == tensor.rows().list;
    return is_of_rows ? std::min(*held.query, last) : last;
}

}  // namespace

bool is_shown_as_bars(const Tensor& tensor) {
    return tensor.stage() == Stage::Output && tensor.columns().kind == AxisKind::Named &&
           tensor.columns().size > kMostLabels && tensor.rows().size > 0;
}

Figure row_bars_figure(const Scene& scene, const Tensor& tensor, Point size,
                       const MeasureText& measure) {
    const Index row = shown_row(scene, tensor);
    const Index n = tensor.columns().size;
    const int n_bars =
        std::max(1, static_cast<int>((size.y - kTitle - 3 * kFigurePad) / kLine) - 1);
    BarsInput input{.labels = {},
                    .values = {},
                    .order = BarsInput::Order::StrongestFirst,
                    .max_rows = n_bars,
                    .color = scene.theme.accent,
                    .negative_color = scene.theme.negative,
                    .selected = {},
                    .hovered = {},
                    .width = std::min(kWidest, size.x - 2 * kFigurePad)};
    if (tensor.quantity() == Quantity::Probability) input.full_scale = 1;
    for (Index j = 0; j < n; ++j) {
        input.labels.push_back(shown_label(scene.trace.plan(), tensor.columns(), j));
        input.values.push_back((*tensor.value)(row, j));
    }
    Figure figure{size.x, size.y, {}};
    const float left = (size.x - input.width) / 2;
    figure.add(TextMark{{left, kFigurePad + kTitleSize},
                        "Row “" + shown_label(scene.trace.plan(), tensor.rows(), row) +
                            "”: the largest of " + format_count(n),
                        kTitleSize,
                        scene.theme.text,
                        Font::Bold});
    add_part(figure, bars_figure(input, scene.theme, measure).figure, {left, kFigurePad + kTitle});
    return figure;
}

}  // namespace headlight
