#include "paint/figures/flow_figure.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "paint/figures/flow_layout.h"
#include "paint/labels.h"
#include "paint/words/formula.h"

namespace headlight {
namespace {

constexpr float kCardTitleSize = 13, kLeastTitleSize = 10, kCardFormulaSize = 11.5f;

bool is_input_of(const Trace& trace, TensorId input, TensorId tensor) {
    const std::vector<TensorId>& inputs = trace[tensor].inputs();
    return std::find(inputs.begin(), inputs.end(), input) != inputs.end();
}

/// Draws the cards and what connects them.
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

    /// A wire goes from the right edge to the left edge of a neighbour. What a weight multiplies
    /// (X in Q = X W) is wired to the weight, which stands between the two.
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

    /// From the bottom of one card to the top of another below it.
    void add_falling_wire(const FlowCard& from, const FlowCard& to) {
        const Point start{from.box.center().x, from.box.bottom()}, end{to.box.center().x, to.box.y};
        const float bend = std::max(8.0f, (end.y - start.y) * 0.75f);
        flow_.figure.add(CurveMark{
            start, {start.x, start.y + bend}, {end.x, end.y - bend}, end, theme_.wire, 1.5f});
    }

    static Point right_end(const FlowCard& card) { return {card.box.right(), card.box.center().y}; }
    static Point left_end(const FlowCard& card) { return {card.box.x, card.box.center().y}; }

    /// Cards above each other whose last one is the sum of the others: "+" and "=" between them.
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
        for (const FlowCard& card : flow_.cards) {
            if (is_score && makes_scores(card.tensor))
                add_wire(right_end(card),
                         {flow_.main.x, flow_.main.y + flow_.main.height * main_entry(card)},
                         false);
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

    float main_entry(const FlowCard& card) const {
        return std::clamp((card.box.center().y - flow_.main.y) / std::max(1.0f, flow_.main.height),
                          0.1f, 0.9f);
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
        draw_picks(card, tensor);
    }

    /// Lines between cells that are too small for them would be all there is to see.
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
        else
            draw_shape(left, card.box.y + 32, tensor, room);
    }

    /// The symbol; where it is too long to be read, or of several cards, the name of the step.
    /// Returns its width.
    float draw_title(Point at, const Tensor& tensor, float room) {
        FormulaStyle style{kCardTitleSize, theme_.text, Font::Bold};
        while (style.size > kLeastTitleSize &&
               formula_width(tensor.symbol(), style, measure_) > room)
            style.size -= 0.5f;
        if (formula_width(tensor.symbol(), style, measure_) <= room && !shares_symbol(tensor))
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

    bool shares_symbol(const Tensor& tensor) const {
        return has_another(tensor,
                           [&](const Tensor& other) { return other.symbol() == tensor.symbol(); });
    }

    /// "k_new"; "rollout.2" and "source.out" where the last part of the path says too little.
    std::string step_name(const Tensor& tensor) const {
        const std::string_view name = tensor.name();
        const bool is_number = name.find_first_not_of("0123456789") == std::string_view::npos;
        const bool is_shared = has_another(tensor, [&](const Tensor& other) {
            return other.name() == name || other.symbol() == name;
        });
        return std::string(is_number || is_shared ? last_segments(tensor.path(), 2) : name);
    }

    /// A formula that does not fit gives way to the shape.
    void draw_shape(float left, float baseline, const Tensor& tensor, float room) {
        const std::string shape = shape_text(tensor.rows().size, tensor.columns().size);
        if (measure_(shape, kCardFormulaSize, Font::Math) > room) return;
        flow_.figure.add(
            TextMark{{left, baseline}, shape, kCardFormulaSize, theme_.muted, Font::Math});
    }

    void draw_picks(const FlowCard& card, const Tensor& tensor) {
        draw_pick(card, cell_pick(tensor, input_.held), theme_.outline);
        draw_pick(card, cell_pick(tensor, input_.hovered), theme_.accent);
    }

    void draw_pick(const FlowCard& card, const CellPick& pick, Color color) {
        std::unordered_set<long> framed;  // whole points: of very many rows some share one
        for (const Index row : pick.rows) {
            Box box = card.grid.row_box(row);
            const bool is_crowded = static_cast<float>(pick.rows.size()) > card.grid.cells.height;
            if (is_crowded && !framed.insert(std::lround(box.y)).second) continue;
            if (pick.column && tensor_has_many_columns(card))
                box = card.grid.cell_box(row, *pick.column);
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

    bool tensor_has_many_columns(const FlowCard& card) const { return card.grid.columns > 1; }

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
