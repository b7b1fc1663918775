#include "paint/flow_layout.h"

#include <algorithm>
#include <array>

namespace headlight {
namespace {

constexpr float kMargin = 16, kGap = 16, kWireGap = 26;
constexpr float kSmallestSide = 24, kLargestSide = 150;

using Cards = std::vector<TensorId>;

Cards of_stages(const FlowInput& input, std::initializer_list<Stage> stages) {
    Cards cards;
    for (const Stage stage : stages)
        for (const TensorId id : input.shown)
            if (input.trace[id].stage == stage) cards.push_back(id);
    return cards;
}

/// A card of the tensor inside `room`, as large as fits, centred.
FlowCard place_card(const FlowInput& input, TensorId id, Box room) {
    const Tensor& tensor = input.trace[id];
    const float side =
        std::clamp(std::min(room.width - 2 * kCardPad, room.height - kCardHeader - kCardPad),
                   kSmallestSide, kLargestSide);
    const Box mini = mini_box(tensor.rows.size, tensor.columns.size, side);
    const float width = std::min(room.width, std::max(mini.width, 56.0f) + 2 * kCardPad);
    const float height = std::min(room.height, mini.height + kCardHeader + kCardPad);
    FlowCard card{.tensor = id,
                  .box = {room.x + (room.width - width) / 2, room.y + (room.height - height) / 2,
                          width, height},
                  .grid = {}};
    card.grid = {
        {card.box.x + (width - mini.width) / 2, card.box.y + kCardHeader, mini.width, mini.height},
        tensor.rows.size,
        tensor.columns.size};
    return card;
}

void place_column(FlowFigure& flow, const FlowInput& input, const Cards& cards, Box column) {
    const auto n = static_cast<float>(cards.size());
    const float height = (column.height - kGap * (n - 1)) / n;
    float y = column.y;
    for (const TensorId id : cards) {
        flow.cards.push_back(place_card(input, id, {column.x, y, column.width, height}));
        y += height + kGap;
    }
}

/// Cards of a row share its width evenly, are equally high and stand on the bottom line. Returns
/// the top of the row.
float place_row(FlowFigure& flow, const FlowInput& input, const Cards& cards, float bottom) {
    const auto n = static_cast<float>(cards.size());
    const float gap = n > 8 ? kGap / 2 : kGap;
    const float most = kLargestSide + 2 * kCardPad, row_width = input.width - 2 * kMargin;
    const float width = std::min(most, (row_width - gap * (n - 1)) / n);
    const float room = std::clamp(input.height * 0.27f, 92.0f, 210.0f);
    const std::size_t first = flow.cards.size();
    float x = kMargin, height = 0;
    for (const TensorId id : cards) {
        flow.cards.push_back(place_card(input, id, {x, 0, width, room}));
        height = std::max(height, flow.cards.back().box.height);
        x += width + gap;
    }
    x = kMargin;
    for (std::size_t i = first; i < flow.cards.size(); ++i, x += width + gap) {
        FlowCard& card = flow.cards[i];
        const Box cells = card.grid.cells;
        card.box = {x, bottom - height, width, height};
        const float free_height = height - kCardHeader - kCardPad - cells.height;
        card.grid.cells.x = x + (width - cells.width) / 2;
        card.grid.cells.y = card.box.y + kCardHeader + free_height / 2;
    }
    return bottom - height;
}

void lay_out_around(FlowFigure& flow, const FlowInput& input) {
    const float row_top =
        place_row(flow, input, of_stages(input, {Stage::Score, Stage::Mix, Stage::Output}),
                  input.height - kMargin);
    const float top_height = row_top - kGap - kMargin;
    const std::array<Cards, 3> columns{of_stages(input, {Stage::Input}),
                                       of_stages(input, {Stage::Weight}),
                                       of_stages(input, {Stage::Projection})};
    const float left_width = std::clamp(input.width * 0.42f, 240.0f, 480.0f);
    const float column_width = (left_width - 3 * kWireGap) / 3;
    float x = kMargin;
    for (const Cards& cards : columns) {
        if (!cards.empty())
            place_column(flow, input, cards, {x, kMargin, column_width, top_height});
        x += column_width + kWireGap;
    }
    flow.main = {x, kMargin, input.width - kMargin - x, top_height};
}

void lay_out_row(FlowFigure& flow, const FlowInput& input) {
    const float row_top =
        place_row(flow, input,
                  of_stages(input, {Stage::Input, Stage::Weight, Stage::Projection, Stage::Score,
                                    Stage::Mix, Stage::Output}),
                  input.height - kMargin);
    flow.main = {kMargin, kMargin, input.width - 2 * kMargin, row_top - kGap - kMargin};
}

}  // namespace

FlowFigure lay_out_flow(const FlowInput& input) {
    FlowFigure flow;
    if (input.arrangement == FlowArrangement::AroundMain)
        lay_out_around(flow, input);
    else
        lay_out_row(flow, input);
    return flow;
}

}  // namespace headlight
