#include "scene/figures/sweep_figure.h"

#include <algorithm>
#include <memory>

#include "paint/color_scale.h"
#include "paint/figure_parts.h"
#include "paint/figure_type.h"
#include "paint/figures/heatmap_figure.h"

namespace headlight {
namespace {

constexpr float kSweepCell = 44, kSweepRow = 30;        // points, of a picture of its own
constexpr float kBesideCells = 150, kAboveCells = 130;  // labels, legend; title, labels
constexpr float kLeastSweepWidth = 480, kMostSweepWidth = 960;

std::string title_of(SweepQuantity quantity, const std::string& asked) {
    switch (quantity) {
        case SweepQuantity::Logit:
            return "Change of the logit: " + asked;
        case SweepQuantity::Probability:
            return "Change of the probability: " + asked;
        case SweepQuantity::Divergence:
            return "Divergence of all words' probabilities" + asked + " from the unedited ones";
        case SweepQuantity::Loss:
            break;
    }
    return "Change of the loss: mean of the text's own next tokens, in nats";
}

}  // namespace

HeatmapInput sweep_heatmap(const SweepResult& result, const SweepSettings& settings,
                           const SweepWords& words, const Theme& theme) {
    HeatmapInput input;
    input.title = title_of(settings.quantity, words.asked);
    input.formula = words.sentence;
    input.row_labels = row_names(result);
    const bool is_over_heads = settings.over == SweepOver::Heads;
    const bool is_over_tokens = settings.over == SweepOver::Tokens;
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

Figure sweep_figure(HeatmapInput input, const Theme& theme, const FigureLook& look,
                    const MeasureText& measure) {
    const auto n_columns = static_cast<float>(input.values->cols());
    const auto n_rows = static_cast<float>(input.values->rows());
    const Point standard{
        std::clamp(kBesideCells + kSweepCell * n_columns, kLeastSweepWidth, kMostSweepWidth),
        kAboveCells + kSweepRow * n_rows};
    const Point room = picture_room(look, standard, [&](float width) {
                           const float cell = (width - kBesideCells) / n_columns;
                           return kAboveCells + std::min(cell, kSweepRow) * n_rows;
                       }).size;
    if (look.heading == FigureLook::Heading::Hidden) input.title = input.formula = "";
    input.width = room.x - 2 * kFigurePad;
    input.height = room.y - 2 * kFigurePad;
    Figure figure{room.x, room.y, {}};
    add_part(figure, heatmap_figure(input, theme, measure).figure, {kFigurePad, kFigurePad});
    return figure;
}

}  // namespace headlight
