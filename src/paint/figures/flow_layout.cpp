#include "paint/figures/flow_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "paint/figures/flow_order.h"

namespace headlight {
namespace {

constexpr float kMargin = 16, kGap = 16, kWireGap = 26;
constexpr float kSmallestSide = 24, kLargestSide = 150;
constexpr float kLeastWidth = 66, kLeastHeight = 84;   // of a card with a title that can be read
constexpr float kLeastPitch = kLeastWidth + kWireGap;  // of columns
constexpr float kLeastMain = 200;                      // width of the large picture
constexpr float kWalkCard = 150;                       // height at most
constexpr float kLeastForBefore = 680;                 // width of a walk
constexpr float kLeastForRow = 340, kLeastForTwoRows = 480;  // height of the whole

using Cards = std::vector<TensorId>;

/// How many of `size` fit into `room`.
std::size_t count_fitting(float room, float size, float gap) {
    return static_cast<std::size_t>(std::max(1.0f, std::floor((room + gap) / (size + gap))));
}

/// A card of the tensor inside `room`, as large as fits, centred.
FlowCard place_card(const FlowInput& input, TensorId id, Box room) {
    const Tensor& tensor = input.trace[id];
    const float side =
        std::clamp(std::min(room.width - 2 * kCardPad, room.height - kCardHeader - kCardPad),
                   kSmallestSide, kLargestSide);
    const Box mini = mini_box(tensor.rows().size, tensor.columns().size, side);
    const float width = std::min(room.width, std::max(mini.width, 56.0f) + 2 * kCardPad);
    const float height = std::min(room.height, mini.height + kCardHeader + kCardPad);
    FlowCard card{.tensor = id,
                  .box = {room.x + (room.width - width) / 2, room.y + (room.height - height) / 2,
                          width, height},
                  .grid = {}};
    card.grid = {
        {card.box.x + (width - mini.width) / 2, card.box.y + kCardHeader, mini.width, mini.height},
        tensor.rows().size,
        tensor.columns().size};
    return card;
}

void place_column(FlowFigure& flow, const FlowInput& input, std::span<const TensorId> cards,
                  Box column) {
    const auto n = static_cast<float>(cards.size());
    const float height = (column.height - kGap * (n - 1)) / n;
    float y = column.y;
    for (const TensorId id : cards) {
        flow.cards.push_back(place_card(input, id, {column.x, y, column.width, height}));
        y += height + kGap;
    }
}

/// Cards of a row are equally wide and high and stand on the bottom line. Returns the top of the
/// row.
float place_row(FlowFigure& flow, const FlowInput& input, std::span<const TensorId> cards,
                Box room) {
    const auto n = static_cast<float>(cards.size());
    const float gap = n > 8 ? kGap / 2 : kGap;
    const float width = std::min(kLargestSide + 2 * kCardPad, (room.width - gap * (n - 1)) / n);
    const std::size_t first = flow.cards.size();
    float x = room.x, height = 0;
    for (const TensorId id : cards) {
        flow.cards.push_back(place_card(input, id, {x, 0, width, room.height}));
        height = std::max(height, flow.cards.back().box.height);
        x += width + gap;
    }
    x = room.x;
    for (std::size_t i = first; i < flow.cards.size(); ++i, x += width + gap) {
        FlowCard& card = flow.cards[i];
        const Box cells = card.grid.cells;
        card.box = {x, room.bottom() - height, width, height};
        const float free_height = height - kCardHeader - kCardPad - cells.height;
        card.grid.cells.x = x + (width - cells.width) / 2;
        card.grid.cells.y = card.box.y + kCardHeader + free_height / 2;
    }
    return room.bottom() - height;
}

/// One row at the bottom, two where one has no room, none in a small window. Returns the bottom of
/// what is above.
float place_rows(FlowFigure& flow, const FlowInput& input, Cards cards) {
    if (input.height < kLeastForRow) return input.height - kMargin;
    const float width = input.width - 2 * kMargin;
    const std::size_t in_row = count_fitting(width, kLeastWidth, kGap / 2);
    const auto is_activation = [&](TensorId id) { return !is_weight(input.trace[id]); };
    const auto n_activations = std::count_if(cards.begin(), cards.end(), is_activation);
    const bool are_two =
        static_cast<std::size_t>(n_activations) > in_row && input.height >= kLeastForTwoRows;
    leave_out(cards, are_two ? 2 * in_row : in_row, input);
    const float height = are_two ? std::clamp(input.height * 0.17f, kLeastHeight, 140.0f)
                                 : std::clamp(input.height * 0.27f, 92.0f, 210.0f);
    const std::size_t above = are_two ? (cards.size() + 1) / 2 : 0;
    float bottom = input.height - kMargin;
    for (const auto& row : {std::span(cards).subspan(above), std::span(cards).first(above)})
        if (!row.empty())
            bottom = place_row(flow, input, row, {kMargin, bottom - height, width, height}) - kGap;
    return bottom;
}

/// Cards above each other, in one column or in two beside each other.
struct Column {
    Cards cards;
    std::size_t n_lanes = 1;
};

bool has(const Cards& cards, TensorId id) {
    return std::find(cards.begin(), cards.end(), id) != cards.end();
}

/// Columns get a second lane where one is too short; of more lanes than there is room for the
/// weights' go first, in a small window all of them.
std::vector<Column> make_columns(const FlowInput& input, FlowOrder order, float height) {
    const std::size_t fitting = count_fitting(height, kLeastHeight, kGap);
    std::array<Column, 3> columns{Column{std::move(order.inputs)}, Column{std::move(order.weights)},
                                  Column{std::move(order.projections)}};
    std::size_t n_lanes = 0;
    for (Column& column : columns) {
        column.n_lanes = column.cards.empty() ? 0 : column.cards.size() > fitting ? 2 : 1;
        n_lanes += column.n_lanes;
    }
    const float widest = std::min(input.width * 0.56f, input.width - 2 * kMargin - kLeastMain);
    const std::size_t room = count_fitting(widest, kLeastWidth, kWireGap);
    for (const std::size_t c : {1, 0, 2})
        if (n_lanes > room && columns[c].n_lanes == 2) columns[c].n_lanes = 1, --n_lanes;
    for (const std::size_t c : {1, 0})
        if (n_lanes > room && columns[c].n_lanes == 1 && !has(columns[c].cards, input.chosen))
            columns[c].n_lanes = 0, --n_lanes;
    std::vector<Column> placed;
    for (Column& column : columns) {
        if (column.n_lanes == 0) continue;
        leave_out(column.cards, column.n_lanes * fitting, input);
        placed.push_back(std::move(column));
    }
    return placed;
}

/// Returns where the next column begins.
float place_lanes(FlowFigure& flow, const FlowInput& input, const Column& column, Box lane) {
    const std::span<const TensorId> cards(column.cards);
    const std::size_t in_lane = (cards.size() + column.n_lanes - 1) / column.n_lanes;
    for (std::size_t begin = 0; begin < cards.size(); begin += in_lane) {
        place_column(flow, input, cards.subspan(begin, std::min(in_lane, cards.size() - begin)),
                     lane);
        lane.x += lane.width + kGap;
    }
    return lane.x - kGap + kWireGap;
}

bool has_large_main(const FlowFigure& flow, const FlowInput& input) {
    return flow.main.width * flow.main.height >= input.least_main;
}

/// Columns at the left of the large picture, which are so high.
void lay_out_beside(FlowFigure& flow, const FlowInput& input, FlowOrder order, float height) {
    const std::vector<Column> columns = make_columns(input, std::move(order), height);
    std::size_t n_lanes = 0;
    for (const Column& column : columns) n_lanes += column.n_lanes;
    const float three = std::clamp(input.width * 0.42f, 240.0f, 480.0f);
    const auto n = static_cast<float>(std::max<std::size_t>(1, n_lanes));
    const float pitch = std::max(std::min(three / 3, input.width * 0.56f / n), kLeastPitch);
    float x = kMargin;
    for (const Column& column : columns)
        x = place_lanes(flow, input, column, {x, kMargin, pitch - kWireGap, height});
    flow.main = {x, kMargin, input.width - kMargin - x, height};
}

/// No card, and little around the large picture.
void lay_out_alone(FlowFigure& flow, const FlowInput& input) {
    constexpr float kEdge = 8, kTopEdge = 4;
    flow.cards.clear();
    flow.main = {kEdge, kTopEdge, input.width - 2 * kEdge, input.height - kTopEdge - kEdge};
}

void lay_out_around(FlowFigure& flow, const FlowInput& input) {
    FlowOrder order = order_flow(input);
    const float height = place_rows(flow, input, order.row) - kMargin;
    lay_out_beside(flow, input, order, height);
    if (has_large_main(flow, input)) return;
    flow.cards.clear();
    lay_out_beside(flow, input, order, input.height - 2 * kMargin);
    if (!has_large_main(flow, input)) lay_out_alone(flow, input);
}

void lay_out_row(FlowFigure& flow, const FlowInput& input) {
    const float bottom = place_rows(flow, input, in_one_row(order_flow(input)));
    flow.main = {kMargin, kMargin, input.width - 2 * kMargin, bottom - kMargin};
    if (!has_large_main(flow, input)) lay_out_alone(flow, input);
}

/// A column of small cards, the newest at the bottom, and one of larger ones that are wired to the
/// large picture, in the order in which it reads them.
void lay_out_walk(FlowFigure& flow, const FlowInput& input) {
    const float height = input.height;
    const std::size_t fitting = count_fitting(height, kLeastHeight, kGap);
    Cards read, before;
    for (const TensorId id : input.trace[input.chosen].inputs())
        if (has(input.shown, id) && !has(read, id)) read.push_back(id);
    for (const TensorId id : input.shown)
        if (id != input.chosen && !has(read, id) && !is_weight(input.trace[id]))
            before.push_back(id);
    if (read.size() > fitting) read.resize(fitting);
    leave_out(before, fitting, input);
    float x = 0;
    const auto place = [&](const Cards& cards, float width, float gap) {
        if (cards.empty()) return;
        const auto n = static_cast<float>(cards.size());
        const float most = n * (kWalkCard + kGap) - kGap, used = std::min(height, most);
        place_column(flow, input, cards, {x, (height - used) / 2, width, used});
        x += width + gap;
    };
    if (input.width >= kLeastForBefore) place(before, kLeastWidth + 6, kGap);
    place(read, std::clamp(input.width * 0.15f, kLeastWidth, 132.0f), kWireGap + 14);
    flow.main = {x, 0, input.width - x, height};
}

}  // namespace

FlowFigure lay_out_flow(const FlowInput& input) {
    FlowFigure flow;
    if (input.arrangement == FlowArrangement::AroundMain)
        lay_out_around(flow, input);
    else if (input.arrangement == FlowArrangement::Row)
        lay_out_row(flow, input);
    else
        lay_out_walk(flow, input);
    return flow;
}

}  // namespace headlight
