#include "figure/tensor_figure.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/analyses/influence.h"
#include "core/components.h"
#include "core/plan.h"
#include "figure/figure_look.h"
#include "figure/figure_parts.h"
#include "figure/heatmap_figure.h"
#include "figure/number_format.h"
#include "figure/words/formula.h"

namespace headlight {
namespace {

constexpr Point kLargestPicture = {900, 720};  // points, when no room is given
constexpr float kTallest = 1.4f;               // heights of what is as wide as a room of paper
constexpr Index kMostLabels = 8192;      // of more rows or columns none has room for its label
constexpr std::size_t kMostPins = 4096;  // more would hide the values under them

/// True if a pin on each cell set by hand reads better than words in the title.
bool has_pins(const Tensor& tensor) {
    const auto n_set = tensor.intervention.cells.size();
    const auto n_cells = static_cast<std::size_t>(tensor.rows().size * tensor.columns().size);
    return n_set <= kMostPins && (n_set < n_cells || n_set == 1);
}

std::vector<CellIndex> cells_set_by_hand(const Tensor& tensor) {
    std::vector<CellIndex> pinned;
    if (!has_pins(tensor)) return pinned;
    for (const CellValue& cell : tensor.intervention.cells)
        if (cell.row < tensor.rows().size && cell.column < tensor.columns().size)
            pinned.push_back({cell.row, cell.column});
    return pinned;
}

HeatmapInput::Numbers choose_numbers(const Tensor& tensor, const PictureSettings& settings) {
    using Set = PictureSettings::Numbers;
    if (settings.numbers == Set::Never) return HeatmapInput::Numbers::Never;
    if (tensor.quantity() == Quantity::Rank) return HeatmapInput::Numbers::Whole;
    return settings.numbers == Set::Small ? HeatmapInput::Numbers::Small
                                          : HeatmapInput::Numbers::WhenTheyFit;
}

template <typename Label>
std::vector<std::string> labels(const Axis& axis, Label label) {
    std::vector<std::string> labels;
    if (axis.kind == AxisKind::Single || axis.size > kMostLabels) return labels;
    labels.reserve(static_cast<std::size_t>(axis.size));
    for (Index k = 0; k < axis.size; ++k) labels.push_back(label(k));
    return labels;
}

}  // namespace

std::string tensor_name(const Tensor& tensor) {
    const std::string symbol = plain_formula(tensor.symbol());
    const int head = tensor.identity().head;
    return head < 0 ? symbol : fmt::format("{} · {}", symbol, head_title(tensor));
}

std::string tensor_title(const Tensor& tensor) {
    std::string title = fmt::format("{} · {}", tensor_name(tensor), tensor.path());
    const Ablation ablation = tensor.intervention.ablation;
    if (ablation != Ablation::None)
        title += ablation == Ablation::Zero ? " · ablated to zero" : " · ablated to its mean";
    if (!tensor.intervention.added.empty()) title += " · with a vector added";
    return has_pins(tensor) ? title : fmt::format("{} · {}", title, held_count(tensor));
}

std::string held_count(const Tensor& tensor) {
    const auto n_set = static_cast<Index>(tensor.intervention.cells.size());
    if (n_set == 0) return "";
    return format_count(n_set) + (n_set == 1 ? " cell" : " cells") +
           (tensor.is_leaf() ? " set by hand" : " pinned");
}

std::string tensor_caption(const Trace& trace, const Tensor& tensor) {
    if (tensor.rows().kind == AxisKind::Edge) return "reader ← read ↓";
    if (tensor.operation() == &operations::influence) return "output ↓ moved by input →";
    const std::string down = axis_name(trace, tensor.rows()) + " ↓";
    if (tensor.columns().kind == AxisKind::Single) return down;
    return down + (is_reading(tensor) ? " reads " : " ") + axis_name(trace, tensor.columns()) +
           " →";
}

HeatmapInput heatmap_input(const Trace& trace, const Tensor& tensor, const Theme& theme,
                           const PictureScales& scales) {
    HeatmapInput input;
    input.title = tensor_title(tensor);
    input.symbol = tensor.symbol();
    input.formula = tensor.equation();
    if (!tensor.value) return input;
    // The title counts NaN cells: without numbers, NaN's colour might be taken for a head's.
    if (const Index n = scales.count_nan(tensor.value); n > 0)
        input.title += " · " + format_count(n) + (n == 1 ? " cell is NaN" : " cells are NaN");
    input.caption = tensor_caption(trace, tensor);
    input.row_labels =
        labels(tensor.rows(), [&](Index i) { return shown_label(trace, tensor.rows(), i); });
    input.column_labels =
        labels(tensor.columns(), [&](Index j) { return shown_column_head(trace, tensor, j); });
    input.values = tensor.value;
    MatrixColors colors =
        scales.colors(tensor, tensor.value, theme, scales.mask_for(trace, tensor));
    input.colored = std::move(colors.values);
    input.scale = std::move(colors.scale);
    input.far_out = colors.far_out;
    input.legend_name = std::move(colors.legend);
    input.clipped = colors.clipped;
    input.numbers = choose_numbers(tensor, scales.of(tensor.quantity()));
    input.decimals = scales.of(tensor.quantity()).decimals;
    input.pinned = cells_set_by_hand(tensor);
    input.target = Target{.path = tensor.path()};
    return input;
}

Figure tensor_picture(HeatmapInput input, const FigureLook& look, const MeasureText& measure) {
    const PictureRoom room =
        picture_room(look, kLargestPicture, [](float w) { return kTallest * w; });
    input.width = room.size.x;
    input.height = room.size.y;
    input.label_size = room.label_size;
    if (look.heading == FigureLook::Heading::Hidden) input.title.clear();
    if (look.heading != FigureLook::Heading::Shown) input.formula.clear();
    Figure figure = heatmap_figure(input, theme_named(look.theme), measure).figure;
    if (look.room) return figure;
    const float width = figure.width;
    trim(figure, kFigurePad, measure);
    if (has_free_height(look)) figure.width = width;
    return figure;
}

}  // namespace headlight
