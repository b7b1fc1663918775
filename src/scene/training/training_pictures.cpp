#include "scene/training/training_pictures.h"

#include <algorithm>
#include <iterator>

#include "paint/color.h"

namespace headlight {
namespace {

using Scale = CurveLine::Scale;
using Stroke = CurveLine::Stroke;

constexpr float kHeldOutWidth = 2, kBatchWidth = 1;

/// Neither the accent, which the run itself has, nor each other's.
Color earlier_color(const Theme& theme, std::size_t k) {
    return head_color(theme, 1 + static_cast<int>(k));
}

}  // namespace

CurvesInput training_curves(const TrainingSnapshot& snapshot, long shown_step, const Theme& theme,
                            std::span<const EarlierRun> earlier) {
    CurveLine accuracy{"accuracy, held-out", {},           theme.accent, Scale::Left,
                       Stroke::Solid,        kHeldOutWidth};
    CurveLine of_batches{"accuracy, batches", {},         faded(theme.accent, 0.65), Scale::Left,
                         Stroke::Solid,       kBatchWidth};
    CurveLine loss{"loss, held-out", {}, theme.muted, Scale::Right, Stroke::Solid, kHeldOutWidth};
    CurveLine batch_loss{"loss, batches", {},         faded(theme.muted, 0.7), Scale::Right,
                         Stroke::Solid,   kBatchWidth};
    for (const HeldOutPoint& point : snapshot.tests) {
        const auto step = static_cast<double>(point.step);
        accuracy.points.push_back({step, point.accuracy});
        loss.points.push_back({step, point.loss});
    }
    for (const CurvePoint& point : snapshot.curve) {
        const auto step = static_cast<double>(point.step);
        of_batches.points.push_back({step, point.accuracy});
        batch_loss.points.push_back({step, point.loss});
    }
    auto n_steps = static_cast<double>(std::max(1L, snapshot.n_steps));
    std::vector<CurveLine> before;
    for (std::size_t k = 0; k < earlier.size(); ++k) {
        CurveLine line{earlier[k].name, {},           earlier_color(theme, k), Scale::Left,
                       Stroke::Solid,   kHeldOutWidth};
        for (const HeldOutPoint& point : earlier[k].tests)
            line.points.push_back({static_cast<double>(point.step), point.accuracy});
        if (!line.points.empty()) n_steps = std::max(n_steps, line.points.back().x);
        before.push_back(std::move(line));
    }
    CurvesInput input{.lines = {accuracy, of_batches, loss, batch_loss},
                      .x_high = n_steps,
                      .high = 1,
                      .left_name = "accuracy",
                      .right_name = "loss",
                      .marked_x = static_cast<double>(shown_step)};
    std::ranges::move(before, std::back_inserter(input.lines));
    const double level = snapshot.commonest;
    if (level > 0)
        input.lines.push_back({"commonest answer",
                               {{0, level}, {n_steps, level}},
                               theme.warning,
                               Scale::Left,
                               Stroke::Dashed,
                               kBatchWidth});
    return input;
}

CurvesInput head_curves(const HeadHistories& histories, const TrainingSnapshot& snapshot,
                        long shown_step, const Theme& theme) {
    CurvesInput input{.lines = {},
                      .x_high = static_cast<double>(std::max(10L, snapshot.step)),
                      .high = 1,
                      .left_name = {},
                      .right_name = {},
                      .marked_x = static_cast<double>(shown_step)};
    for (const HeadHistory& head : histories.heads) {
        // Heads of one number in two layers share a colour.
        const bool is_again = std::ranges::any_of(input.lines, [&](const CurveLine& line) {
            return line.color == head_color(theme, head.head);
        });
        CurveLine line{head.name,
                       {},
                       head_color(theme, head.head),
                       Scale::Left,
                       is_again ? Stroke::Dashed : Stroke::Solid,
                       kHeldOutWidth};
        for (const auto& [step, value] : head.values)
            line.points.push_back({static_cast<double>(step), static_cast<double>(value)});
        input.lines.push_back(std::move(line));
    }
    return input;
}

}  // namespace headlight
