#include "views/finished_sweep.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "figure/color_scale.h"
#include "figure/figure_look.h"
#include "figure/figure_parts.h"
#include "figure/heatmap_figure.h"
#include "figure/legend.h"

namespace headlight {
namespace {

constexpr float kSweepCell = 44, kSweepRow = 30;        // points, of a picture of its own
constexpr float kTallestSweep = 0.4f;                   // its cells, in widths
constexpr float kLeastSweepRow = 14;                    // with room for its name
constexpr float kLowForLegend = 90;                     // then it lies below
constexpr float kBesideCells = 150, kAboveCells = 130;  // labels, legend; title, labels
constexpr float kLeastSweepWidth = 480, kMostSweepWidth = 960;

}  // namespace

std::string sweep_title(const FinishedSweep& sweep) {
    const std::string& asked = sweep.order.asked;
    switch (sweep.order.settings.quantity) {
        case SweepQuantity::Logit:
            return "Change of the logit: " + asked;
        case SweepQuantity::Probability:
            return "Change of the probability: " + asked;
        case SweepQuantity::Divergence:
            return fmt::format("Divergence of all words' probabilities{} from the unedited ones",
                               asked);
        case SweepQuantity::Loss:
            break;
    }
    return "Change of the loss: mean of the text's own next tokens, in nats";
}

HeatmapInput sweep_heatmap(const FinishedSweep& sweep, const Theme& theme) {
    const SweepResult& result = sweep.result;
    const SweepSettings& settings = sweep.order.settings;
    HeatmapInput input;
    input.title = sweep_title(sweep);
    input.formula = sweep.sentence;
    input.row_labels = row_names(result);
    const bool is_over_heads = settings.over == SweepSites::Heads;
    const bool is_over_tokens = settings.over == SweepSites::Tokens;
    for (std::size_t k = 0; k < result.columns.size(); ++k)
        input.column_labels.push_back(is_over_heads ? std::to_string(k) : result.columns[k]);
    input.values = std::make_shared<const Matrix>(result.change);
    input.scale = diverging_scale(theme, symmetric_limit(result.change));
    input.legend_name = settings.quantity == SweepQuantity::Divergence ? "nats" : "change";
    if (is_over_heads) input.caption = "head";
    if (is_over_tokens) input.caption = "token";
    input.stretch = 3;
    return input;
}

float sweep_height(const HeatmapInput& input, float width) {
    const float cell = (width - kBesideCells) / static_cast<float>(input.values->cols());
    const auto n_rows = static_cast<float>(input.values->rows());
    const float row =
        std::min(std::clamp(cell, kLeastSweepRow, kSweepRow), kTallestSweep * width / n_rows);
    const float cells = std::max(row, kLeastSweepRow) * n_rows;
    return kAboveCells + cells + (cells < kLowForLegend ? kLegendHeight + kFigurePad : 0);
}

Figure sweep_figure(HeatmapInput input, const Theme& theme, const FigureLook& look,
                    const MeasureText& measure) {
    if (look.heading == FigureLook::Heading::Hidden) input.title.clear();
    if (look.heading != FigureLook::Heading::Shown) input.formula.clear();
    const auto n_columns = static_cast<float>(input.values->cols());
    const auto n_rows = static_cast<float>(input.values->rows());
    const float titled = measure(input.title, kHeatmapTitle, Font::Bold) + 5 * kFigurePad;
    const Point standard{std::clamp(std::max(kBesideCells + kSweepCell * n_columns, titled),
                                    kLeastSweepWidth, kMostSweepWidth),
                         kAboveCells + kSweepRow * n_rows};
    const auto height_for = [&](float width) {
        HeatmapInput in_width = input;
        in_width.width = width - 2 * kFigurePad;
        const HeatmapHeader header = break_header(in_width, false, measure);
        const std::size_t n_lines = header.title_lines.size() + header.formula_lines.size();
        return sweep_height(input, width) +
               kTitleLine * static_cast<float>(std::max<std::size_t>(n_lines, 2) - 2);
    };
    const Point room = picture_room(look, standard, height_for).size;
    input.width = room.x - 2 * kFigurePad;
    input.height = room.y - 2 * kFigurePad;
    Figure figure{room.x, room.y, {}};
    add_part(figure, heatmap_figure(input, theme, measure).figure, {kFigurePad, kFigurePad});
    return figure;
}

}  // namespace headlight
