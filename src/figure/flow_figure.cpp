#include "figure/flow_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <unordered_set>

#include "figure/labels.h"
#include "figure/words/formula.h"
#include "text/strings.h"

namespace headlight {
namespace {

using Cards = std::vector<TensorId>;

constexpr std::size_t kManyWeights = 4;

bool grows_with_input(const Axis& axis) {
    switch (axis.kind) {
        case AxisKind::Query:
        case AxisKind::Key:
        case AxisKind::Item:
        case AxisKind::Edge:
        case AxisKind::Position:
            return true;
        default:
            return false;
    }
}

/// Sorts the shown tensors into columns.
class Sorter {
  public:
    explicit Sorter(const FlowInput& input) : input_(input), trace_(input.trace) {}

    FlowOrder sort() {
        FlowOrder order;
        for (const TensorId id : input_.shown) find_column(order, id).push_back(id);
        const auto stage = [&](TensorId id) { return trace_[id].stage(); };
        std::stable_sort(order.row.begin(), order.row.end(),
                         [&](TensorId a, TensorId b) { return stage(a) < stage(b); });
        // Q stands before K and V, and tensors made from one of them after all three.
        const Cards& cards = order.projections;
        std::ranges::stable_sort(order.projections, {}, [&](TensorId id) {
            return std::pair(depth(id, cards), trace_[id].rows().kind == AxisKind::Key);
        });
        sort_weights(order);
        return order;
    }

  private:
    Cards& find_column(FlowOrder& order, TensorId id) const {
        const Tensor& tensor = trace_[id];
        const auto& own = input_.component.tensors;
        const bool is_read = !tensor.is_leaf() && !is_among(id, own);
        if (is_read || tensor.stage() == Stage::Input || leads_to_weights(id)) return order.inputs;
        if (tensor.stage() == Stage::Weight) return order.weights;
        return tensor.stage() == Stage::Projection ? order.projections : order.row;
    }

    /// True of a layer norm before the projections: it has no weight of its own in the picture, and
    /// its reader has one.
    bool leads_to_weights(TensorId id) const {
        if (trace_[id].stage() != Stage::Projection || reads(id, is_weight)) return false;
        const bool is_first = reads(id, [&](const Tensor& t) { return t.stage() == Stage::Input; });
        return is_first && std::any_of(input_.shown.begin(), input_.shown.end(), [&](TensorId by) {
                   return trace_[by].stage() == Stage::Projection &&
                          is_among(id, trace_[by].inputs()) && reads(by, is_weight);
               });
    }

    /// True if one of the shown inputs is of a kind.
    template <class Kind>
    bool reads(TensorId id, Kind kind) const {
        const Cards& inputs = trace_[id].inputs();
        return std::any_of(inputs.begin(), inputs.end(), [&](TensorId input) {
            return is_among(input, input_.shown) && kind(trace_[input]);
        });
    }

    int depth(TensorId id, const Cards& cards) const {
        int deepest = 0;
        for (const TensorId input : trace_[id].inputs())
            if (is_among(input, cards)) deepest = std::max(deepest, 1 + depth(input, cards));
        return deepest;
    }

    /// Sorts weights in the order of their use. Where there are many, those that no shown tensor
    /// reads are dropped.
    void sort_weights(FlowOrder& order) const {
        Cards sorted;
        const auto add_sorted_inputs = [&](TensorId id) {
            for (const TensorId input : trace_[id].inputs())
                if (is_among(input, order.weights) && !is_among(input, sorted))
                    sorted.push_back(input);
        };
        for (const TensorId id : order.projections) add_sorted_inputs(id);
        for (const TensorId id : input_.shown) add_sorted_inputs(id);
        const bool are_many = !sorted.empty() && order.weights.size() > kManyWeights;
        for (const TensorId id : order.weights)
            if (!is_among(id, sorted) && (!are_many || id == input_.chosen)) sorted.push_back(id);
        order.weights = std::move(sorted);
    }

    const FlowInput& input_;
    const Trace& trace_;
};

}  // namespace

FlowOrder order_flow(const FlowInput& input) {
    return Sorter(input).sort();
}

std::vector<TensorId> in_one_row(const FlowOrder& order) {
    Cards all;
    for (const Cards* cards : {&order.inputs, &order.weights, &order.projections, &order.row})
        all.insert(all.end(), cards->begin(), cards->end());
    return all;
}

bool is_weight(const Tensor& tensor) {
    return tensor.is_leaf() && !grows_with_input(tensor.rows()) &&
           !grows_with_input(tensor.columns());
}

void leave_out(std::vector<TensorId>& cards, std::size_t room, const FlowInput& input) {
    if (cards.size() <= room) return;
    const auto is_free = [&](TensorId id) { return id != input.chosen; };
    const auto activations = std::count_if(
        cards.begin(), cards.end(), [&](TensorId id) { return !is_weight(input.trace[id]); });
    if (activations > 0)
        std::erase_if(cards,
                      [&](TensorId id) { return is_free(id) && is_weight(input.trace[id]); });
    while (cards.size() > std::max<std::size_t>(room, 1))
        cards.erase(std::find_if(cards.begin(), cards.end(), is_free));
}

namespace {

constexpr float kCardPad = 9;

constexpr float kCardHeader = 40;  // title and formula

constexpr float kMargin = 16, kGap = 16, kWireGap = 26;
constexpr float kSmallestSide = 24, kLargestSide = 150;
constexpr float kLeastWidth = 66, kLeastHeight = 84;   // of a card with a title that can be read
constexpr float kLeastPitch = kLeastWidth + kWireGap;  // of columns
constexpr float kLeastMain = 200;                      // width of the large picture
constexpr float kWalkCard = 150;                       // height at most
constexpr float kLeastForBefore = 680;                 // width of a walk
constexpr float kLeastForRow = 340, kLeastForTwoRows = 480;  // height of the whole

using Cards = std::vector<TensorId>;

/// Returns how many of `size` fit into `room`.
std::size_t count_fitting(float room, float size, float gap) {
    return static_cast<std::size_t>(std::max(1.0f, std::floor((room + gap) / (size + gap))));
}

/// Returns a card of the tensor inside `room`, as large as fits, centred.
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

/// Places cards in a row: they are equally wide and high and stand on the bottom line. Returns the
/// top of the row.
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

/// Places one row at the bottom, two where one has no room, none in a small window. Returns the
/// bottom of the space above.
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

/// Makes columns, with a second lane where one is too short. If there are more lanes than room,
/// those of the weights are dropped first, in a small window all of them.
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
        if (n_lanes > room && columns[c].n_lanes == 1 && !is_among(input.chosen, columns[c].cards))
            columns[c].n_lanes = 0, --n_lanes;
    std::vector<Column> placed;
    for (Column& column : columns) {
        if (column.n_lanes == 0) continue;
        leave_out(column.cards, column.n_lanes * fitting, input);
        placed.push_back(std::move(column));
    }
    return placed;
}

/// Places the lanes of a column; returns the left edge of the next one.
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

/// Lays out columns of that height at the left of the large picture.
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

/// Lays out only the large picture, without cards and with little space around it.
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

/// Lays out a column of small cards, the newest at the bottom, and one of larger ones that are
/// wired to the large picture, in the order in which it reads them.
void lay_out_walk(FlowFigure& flow, const FlowInput& input) {
    const float height = input.height;
    const std::size_t fitting = count_fitting(height, kLeastHeight, kGap);
    Cards read, before;
    for (const TensorId id : input.trace[input.chosen].inputs())
        if (is_among(id, input.shown) && !is_among(id, read)) read.push_back(id);
    for (const TensorId id : input.shown)
        if (id != input.chosen && !is_among(id, read) && !is_weight(input.trace[id]))
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

/// Places the cards and the large picture; draws nothing.
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

constexpr float kCardTitleSize = 13, kLeastTitleSize = 10, kCardFormulaSize = 11.5f;

bool is_input_of(const Trace& trace, TensorId input, TensorId tensor) {
    return is_among(input, trace[tensor].inputs());
}

/// Draws the cards and their connections.
class FlowDrawing {
  public:
    FlowDrawing(const FlowInput& input, FlowFigure& flow, const Theme& theme,
                const MeasureText& measure)
        : input_(input), flow_(flow), theme_(theme), measure_(measure) {}

    void draw() {
        if (input_.arrangement == FlowArrangement::AroundMain) draw_wires();
        if (input_.arrangement == FlowArrangement::Walk) draw_wires_of_walk();
        for (FlowCard& card : flow_.cards) draw_card(card);
    }

  private:
    void draw_wires() {
        for (const FlowCard& to : flow_.cards) {
            const std::vector<TensorId>& inputs = input_.trace[to.tensor].inputs();
            for (const FlowCard& from : flow_.cards)
                if (is_input_of(input_.trace, from.tensor, to.tensor)) draw_wire(from, to);
            draw_sum_signs(to, inputs);
        }
        draw_wires_of_main();
    }

    /// Draws a wire from the right edge to the left edge of a neighbour. A matrix that a weight
    /// multiplies (X in Q = X W) is wired to the weight, which stands between the two.
    void draw_wire(const FlowCard& from, const FlowCard& to) {
        const float gap = to.box.x - from.box.right();
        if (input_.trace[to.tensor].stage() == Stage::Mix &&
            input_.trace[from.tensor].stage() == Stage::Projection)
            return add_falling_wire(from, to);
        const bool touches_chosen = to.tensor == input_.chosen || from.tensor == input_.chosen;
        if (gap >= 0 && gap <= kLongestWire)
            return add_wire(right_end(from), left_end(to), touches_chosen);
        if (input_.trace[to.tensor].stage() != Stage::Projection) return;
        for (const TensorId other : input_.trace[to.tensor].inputs()) {
            const FlowCard* between = flow_.find(other);
            if (between && between->box.x > from.box.right() && between->box.right() < to.box.x)
                add_wire(right_end(from), left_end(*between), false);
        }
    }

    /// Adds a wire from the bottom of one card to the top of another below it.
    void add_falling_wire(const FlowCard& from, const FlowCard& to) {
        const Point start{from.box.center().x, from.box.bottom()}, end{to.box.center().x, to.box.y};
        const float bend = std::max(8.0f, (end.y - start.y) * 0.75f);
        flow_.figure.add(CurveMark{
            start, {start.x, start.y + bend}, {end.x, end.y - bend}, end, theme_.wire, 1.5f});
    }

    static Point right_end(const FlowCard& card) { return {card.box.right(), card.box.center().y}; }
    static Point left_end(const FlowCard& card) { return {card.box.x, card.box.center().y}; }

    /// Draws "+" and "=" between cards above each other whose last one is the sum of the others.
    void draw_sum_signs(const FlowCard& sum, const std::vector<TensorId>& inputs) {
        if (input_.trace[sum.tensor].stage() != Stage::Input || inputs.size() != 2) return;
        const FlowCard* first = flow_.find(inputs[0]);
        const FlowCard* second = flow_.find(inputs[1]);
        if (!first || !second) return;
        add_sign(*first, *second, "+");
        add_sign(*second, sum, "=");
    }

    void add_sign(const FlowCard& above, const FlowCard& below, const char* sign) {
        const float y = (above.box.bottom() + below.box.y) / 2;
        const bool is_beside = std::abs(above.box.center().x - below.box.center().x) > 1;
        if (is_beside || below.box.y - above.box.bottom() < 14) return;
        flow_.figure.add(TextMark{.at = {below.box.center().x, y + 6},
                                  .text = sign,
                                  .size = 17,
                                  .color = theme_.muted,
                                  .font = Font::Regular,
                                  .align = Align::Middle});
    }

    void draw_wires_of_main() {
        const bool is_score = input_.trace[input_.chosen].stage() == Stage::Score;
        const Box& main = flow_.main;
        for (const FlowCard& card : flow_.cards) {
            if (!is_score || !makes_scores(card.tensor)) continue;
            const float share = (card.box.center().y - main.y) / std::max(1.0f, main.height);
            const float y = main.y + main.height * std::clamp(share, 0.1f, 0.9f);
            add_wire(right_end(card), {main.x, y}, false);
        }
    }

    void draw_wires_of_walk() {
        for (const FlowCard& card : flow_.cards)
            if (is_input_of(input_.trace, card.tensor, input_.chosen))
                flow_.figure.add(
                    wire(right_end(card), {flow_.main.x, card.box.center().y}, theme_.accent, 2));
    }

    bool makes_scores(TensorId id) const {
        const Trace& trace = input_.trace;
        return trace[id].stage() == Stage::Projection &&
               std::any_of(input_.shown.begin(), input_.shown.end(), [&](TensorId by) {
                   return trace[by].stage() == Stage::Score && is_input_of(trace, id, by);
               });
    }

    void add_wire(Point from, Point to, bool is_strong) {
        flow_.figure.add(is_strong ? wire(from, to, theme_.accent, 2)
                                   : wire(from, to, theme_.wire, 1.5f));
    }

    static CurveMark wire(Point from, Point to, Color color, float width) {
        const float bend = std::max(10.0f, (to.x - from.x) * 0.5f);
        return {from, {from.x + bend, from.y}, {to.x - bend, to.y}, to, color, width};
    }

    void draw_card(FlowCard& card) {
        const Tensor& tensor = input_.trace[card.tensor];
        const bool is_chosen = card.tensor == input_.chosen;
        const bool feeds_chosen = is_input_of(input_.trace, card.tensor, input_.chosen);
        flow_.figure.add(RectMark{card.box, is_chosen ? theme_.accent_soft : theme_.card,
                                  is_chosen || feeds_chosen ? theme_.accent : theme_.border,
                                  is_chosen ? 2.0f : 1.0f, 6});
        draw_header(card, tensor);
        if (!tensor.value) return;
        const MatrixColors colors = input_.scales.colors(
            tensor, tensor.value, theme_, input_.scales.mask_for(input_.trace, tensor));
        flow_.figure.add(HeatmapMark{.box = card.grid.cells,
                                     .values = colors.values,
                                     .scale = colors.scale,
                                     .grid_color = theme_.grid,
                                     .grid_width = grid_width(card.grid),
                                     .far_out = colors.far_out});
        flow_.figure.targets.push_back({.path = tensor.path(), .grid = card.grid});
        draw_pick(card, cell_pick(tensor, input_.held), theme_.outline);
        draw_pick(card, cell_pick(tensor, input_.hovered), theme_.accent);
    }

    /// Returns the width of lines between cells: 0 where cells are so small that only lines would
    /// be seen.
    static float grid_width(const CellGrid& grid) {
        return std::min(grid.cell_width(), grid.cell_height()) < 5 ? 0.0f : 0.75f;
    }

    void draw_header(const FlowCard& card, const Tensor& tensor) {
        const float left = card.box.x + kCardPad, room = card.box.width - 2 * kCardPad;
        const bool has_intervention = !tensor.intervention.is_empty();
        const float title_end = left + draw_title({left, card.box.y + 17}, tensor, room);
        if (has_intervention)
            flow_.figure.add(
                CircleMark{{title_end + 7, card.box.y + 13}, 3, theme_.selection, {}, 0});
        const FormulaStyle formula{kCardFormulaSize, theme_.muted, Font::Math};
        if (formula_width(tensor.equation(), formula, measure_) <= room)
            add_formula(flow_.figure, {left, card.box.y + 32}, tensor.equation(), formula,
                        measure_);
        else if (const std::string shape = shape_text(tensor.rows().size, tensor.columns().size);
                 measure_(shape, kCardFormulaSize, Font::Math) <= room)
            flow_.figure.add(TextMark{
                {left, card.box.y + 32}, shape, kCardFormulaSize, theme_.muted, Font::Math});
    }

    /// Draws the symbol; where it is too long to be read, or of several cards, the name of the
    /// step. Returns its width.
    float draw_title(Point at, const Tensor& tensor, float room) {
        FormulaStyle style{kCardTitleSize, theme_.text, Font::Bold};
        while (style.size > kLeastTitleSize &&
               formula_width(tensor.symbol(), style, measure_) > room)
            style.size -= 0.5f;
        const auto has_symbol_too = [&](const Tensor& other) {
            return other.symbol() == tensor.symbol();
        };
        if (formula_width(tensor.symbol(), style, measure_) <= room &&
            !has_another(tensor, has_symbol_too))
            return add_formula(flow_.figure, at, tensor.symbol(), style, measure_);
        TextMark name{.at = at,
                      .text = step_name(tensor),
                      .size = kLeastTitleSize + 1,
                      .color = theme_.text,
                      .font = Font::Bold};
        shorten(name, room, measure_);
        const float width = measure_(name.text, name.size, name.font);
        flow_.figure.add(std::move(name));
        return width;
    }

    template <class Same>
    bool has_another(const Tensor& tensor, Same same) const {
        return std::any_of(flow_.cards.begin(), flow_.cards.end(), [&](const FlowCard& card) {
            const Tensor& other = input_.trace[card.tensor];
            return &other != &tensor && same(other);
        });
    }

    /// Returns "k_new"; "rollout.2" and "source.out" where the last part of the path says too
    /// little.
    std::string step_name(const Tensor& tensor) const {
        const std::string_view name = tensor.name();
        const bool is_number = name.find_first_not_of("0123456789") == std::string_view::npos;
        const bool is_shared = has_another(tensor, [&](const Tensor& other) {
            return other.name() == name || other.symbol() == name;
        });
        return std::string(is_number || is_shared ? last_segments(tensor.path(), 2) : name);
    }

    void draw_pick(const FlowCard& card, const CellPick& pick, Color color) {
        std::unordered_set<long> framed;  // whole points: of very many rows some share one
        for (const Index row : pick.rows) {
            Box box = card.grid.row_box(row);
            const bool is_crowded = static_cast<float>(pick.rows.size()) > card.grid.cells.height;
            if (is_crowded && !framed.insert(std::lround(box.y)).second) continue;
            if (pick.column && card.grid.columns > 1) box = card.grid.cell_box(row, *pick.column);
            add_frame(box, kLeastFrame, color);
        }
        if (!pick.rows.empty() || !pick.column) return;
        add_column_frame(card, *pick.column, color);
        for (const Index column : pick.also_columns) add_column_frame(card, column, color);
    }

    void add_column_frame(const FlowCard& card, Index column, Color color) {
        Box box = card.grid.cell_box(0, column);
        box.y = card.grid.cells.y;
        box.height = card.grid.cells.height;
        add_frame(box, kLeastFrame, color);
    }

    void add_frame(Box box, float least, Color color) {
        if (box.width < least) box.x -= (least - box.width) / 2, box.width = least;
        if (box.height < least) box.y -= (least - box.height) / 2, box.height = least;
        flow_.figure.add(RectMark{box, {0, 0, 0, 0}, color, 1.25f, 0});
    }

    static constexpr float kLongestWire = 90;
    static constexpr float kLeastFrame = 3;  // a row of a large matrix stays visible

    const FlowInput& input_;
    FlowFigure& flow_;
    const Theme& theme_;
    const MeasureText& measure_;
};

}  // namespace

const FlowCard* FlowFigure::card_at(Point p) const {
    for (const FlowCard& card : cards)
        if (card.box.contains(p)) return &card;
    return nullptr;
}

const FlowCard* FlowFigure::find(TensorId tensor) const {
    for (const FlowCard& card : cards)
        if (card.tensor == tensor) return &card;
    return nullptr;
}

FlowFigure flow_figure(const FlowInput& input, const Theme& theme, const MeasureText& measure) {
    FlowFigure flow = lay_out_flow(input);
    flow.figure.width = input.width;
    flow.figure.height = input.height;
    FlowDrawing(input, flow, theme, measure).draw();
    const auto n_shown = static_cast<Index>(input.shown.size());
    if (input.arrangement == FlowArrangement::AroundMain)
        flow.figure.leave_out(
            {"matrices", n_shown - static_cast<Index>(flow.cards.size()), n_shown});
    return flow;
}

}  // namespace headlight
