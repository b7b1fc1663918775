#include "views/row_bars.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "figure/axis_indices.h"
#include "figure/bars_figure.h"
#include "figure/figure_look.h"
#include "figure/figure_parts.h"
#include "figure/heatmap_layout.h"
#include "figure/labels.h"
#include "figure/number_format.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr Index kMostLabels = 40;
constexpr float kTitleRoom = 34, kTitleSize = 15, kLine = 19, kWidest = 620;
constexpr float kNarrowest = 360, kLeastTimes = 0.5f, kMostTimes = 2.6f;

Index shown_row(const Scene& scene, const Tensor& tensor) {
    const std::vector<Index> held = cell_pick(tensor, scene.selection.held().indices).rows;
    const Index last = tensor.rows().size - 1;
    return held.empty() ? last : std::min(held.front(), last);
}

BarsInput bars_of_row(const Scene& scene, const Tensor& tensor, int n_rows, float width) {
    const Index row = shown_row(scene, tensor);
    BarsInput input{.labels = {},
                    .values = {},
                    .order = BarsInput::Order::LargestFirst,
                    .max_rows = n_rows,
                    .color = scene.theme.accent,
                    .negative_color = scene.theme.negative,
                    .selected = {},
                    .hovered = {},
                    .width = width};
    if (tensor.quantity() == Quantity::Probability) input.full_scale = 1;
    for (Index j = 0; j < tensor.columns().size; ++j) {
        input.labels.push_back(shown_label(scene.trace.plan(), tensor.columns(), j));
        input.values.push_back((*tensor.value)(row, j));
    }
    return input;
}

TextMark row_title(const Scene& scene, const Tensor& tensor) {
    return {{}, row_title_text(scene, tensor), kTitleSize, scene.theme.text, Font::Bold};
}

}  // namespace

std::string row_title_text(const Scene& scene, const Tensor& tensor) {
    const Index row = shown_row(scene, tensor);
    return fmt::format("{}, row {}: the largest of {}", tensor.symbol(),
                       quoted_word(shown_label(scene.trace.plan(), tensor.rows(), row)),
                       format_count(tensor.columns().size));
}

bool is_shown_as_bars(const Tensor& tensor) {
    return tensor.stage() == Stage::Output && tensor.columns().kind == AxisKind::Named &&
           tensor.columns().size > kMostLabels && tensor.rows().size > 0;
}

Figure row_bars_figure(const Scene& scene, const Tensor& tensor, Point size,
                       const MeasureText& measure) {
    const int n_rows =
        std::max(1, static_cast<int>((size.y - kTitleRoom - 3 * kFigurePad) / kLine) - 1);
    const BarsInput input =
        bars_of_row(scene, tensor, n_rows, std::min(kWidest, size.x - 2 * kFigurePad));
    Figure figure{size.x, size.y, {}};
    const float left = (size.x - input.width) / 2;
    TextMark title = row_title(scene, tensor);
    title.at = {left, kFigurePad + kTitleSize};
    shorten(title, input.width, measure);
    figure.add(std::move(title));
    add_part(figure, bars_figure(input, scene.theme, measure).figure,
             {left, kFigurePad + kTitleRoom});
    return figure;
}

Figure row_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    constexpr Point kRoom{640, 400};
    const Tensor& tensor = scene.trace.at(scene.selection.chosen);
    const Point size =
        picture_room(look, kRoom, [&](float width) { return in_proportion(kRoom, width); }).size;
    const auto n_bars = std::min<Index>(scene.selection.looks.matrix.n_bars, tensor.columns().size);
    const int n_rows = static_cast<int>(n_bars) + (n_bars < tensor.columns().size ? 1 : 0);
    const bool has_title = look.heading != FigureLook::Heading::Hidden;
    const float top = has_title ? kTitleRoom : 0;
    const float height = top + static_cast<float>(n_rows) * kLine + 2 * kFigurePad;
    const float scale =
        std::clamp(std::min(size.y / height, size.x / kNarrowest), kLeastTimes, kMostTimes);
    const BarsInput input =
        bars_of_row(scene, tensor, n_rows, std::min(kWidest, size.x / scale - 2 * kFigurePad));
    Figure figure{input.width + 2 * kFigurePad, height, {}};
    if (has_title) {
        TextMark title = row_title(scene, tensor);
        title.at = {kFigurePad, kFigurePad + kTitleSize};
        shorten(title, input.width, measure);
        figure.add(std::move(title));
    }
    add_part(figure, bars_figure(input, scene.theme, measure).figure,
             {kFigurePad, kFigurePad + top});
    enlarge(figure, scale);
    return figure;
}

}  // namespace headlight
