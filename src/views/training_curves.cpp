#include "views/training_curves.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <utility>

#include "figure/color.h"
#include "io/text/csv.h"
#include "io/text/table.h"

namespace headlight {
namespace {

/// Writes six digits of each number; a step has all of its digits, however many there are.
template <typename Points>
std::string log_of(const Points& points) {
    Table table;
    for (const char* column : {"step", "loss", "accuracy"}) table.add_texts(column);
    const auto add = [&](std::size_t column, std::string number) {
        std::get<0>(table.columns[column].cells).push_back(std::move(number));
    };
    for (const auto& point : points) {
        add(0, std::to_string(point.step));
        add(1, fmt::format("{:.6g}", point.loss));
        add(2, fmt::format("{:.6g}", point.accuracy));
    }
    return write_csv(table, ReadBy::Shell);
}

}  // namespace

std::string batches_log(std::span<const CurvePoint> curve) {
    return log_of(curve);
}

std::string tests_log(std::span<const HeldOutPoint> tests) {
    return log_of(tests);
}

namespace {

/// Returns the key that all heads of the last attention together read most, for the asked word.
std::optional<Index> most_read(const std::vector<HeadState>& heads) {
    std::vector<Scalar> sums;
    for (const HeadState& head : heads) {
        if (head.asked.empty() || head.row != heads.back().row) continue;
        sums.resize(head.asked.size());
        for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += head.asked[j];
    }
    if (sums.empty()) return std::nullopt;
    return std::max_element(sums.begin(), sums.end()) - sums.begin();
}

struct Followed {
    std::size_t head = 0;  // among all heads
    Scalar value = 0;      // now
};

}  // namespace

HeadHistories head_histories(const TrainingSnapshot& snapshot, std::size_t most) {
    HeadHistories histories;
    const auto newest =
        std::find_if(snapshot.checkpoints.rbegin(), snapshot.checkpoints.rend(),
                     [](const TrainingCheckpoint& c) { return c.heads && !c.heads->empty(); });
    if (newest == snapshot.checkpoints.rend()) return histories;
    const std::vector<HeadState>& heads = *newest->heads;
    histories.read = most_read(heads);
    std::vector<Followed> followed;
    for (std::size_t h = 0; h < heads.size(); ++h) {
        if (histories.read && heads[h].row == heads.back().row)
            followed.push_back({h, heads[h].asked[static_cast<std::size_t>(*histories.read)]});
        if (!histories.read && heads[h].label) followed.push_back({h, heads[h].label->value});
    }
    std::ranges::stable_sort(followed, std::greater{}, &Followed::value);
    if (followed.size() > most) followed.resize(most);
    for (const auto& [h, value] : followed) {
        const HeadState& head = heads[h];
        HeadHistory history{fmt::format("{}.{}", head.row, head.head), head.row, head.head, {}};
        if (!histories.read) history.name += std::string(" ") + label_text(head.label->metric);
        for (const TrainingCheckpoint& checkpoint : snapshot.checkpoints) {
            if (!checkpoint.heads || h >= checkpoint.heads->size()) continue;
            const HeadState& then = (*checkpoint.heads)[h];
            const auto& values = histories.read ? then.asked : then.metrics;
            const auto at = static_cast<std::size_t>(
                histories.read ? *histories.read : static_cast<Index>(head.label->metric));
            if (at < values.size()) history.values.emplace_back(checkpoint.step, values[at]);
        }
        histories.heads.push_back(std::move(history));
    }
    return histories;
}

namespace {

using Scale = CurveLine::Scale;
using Stroke = CurveLine::Stroke;

constexpr float kHeldOutWidth = 2, kBatchWidth = 1;

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
        // The run itself has the accent.
        const Color color = head_color(theme, 1 + static_cast<int>(k));
        CurveLine line{earlier[k].name, {}, color, Scale::Left, Stroke::Solid, kHeldOutWidth};
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
        // Heads with the same number in two layers share a colour.
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
