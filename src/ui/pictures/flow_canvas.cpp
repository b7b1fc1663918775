#include "ui/pictures/flow_canvas.h"

#include <imgui.h>

#include "paint/figures/heatmap_figure.h"
#include "paint/figures/tensor_figure.h"
#include "paint/words/plain_formula.h"
#include "scene/figures/step_figure.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kFlowMargin = 16;
constexpr float kLeastForCards = 300;  // height of what is compared that they have to leave

/// True for a tensor that every head has one of.
bool is_of_head(const PanelContext& context, TensorId id) {
    const Tensor& tensor = (*context.trace)[id];
    return tensor.identity().head >= 0 && tensor.stage() != Stage::Weight;
}

/// In a small window all room is the cells'.
void fill_small_card(HeatmapInput& input) {
    constexpr float kLeastForFormula = 280, kLeastForTitle = 210;
    input.stretch = kSlideStretch;
    if (input.height < kLeastForFormula) input.formula.clear();
    if (input.height >= kLeastForTitle) return;
    input.title.clear();
    input.caption.clear();
}

void choose_on_click(PanelContext& context, const FlowFigure& flow, Point origin) {
    const Point pointer = widgets::pointer_in(origin);
    const FlowCard* card = flow.card_at(pointer);
    if (!card) return;
    if (!card->grid.cell_at(pointer) && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        context.selection.choose_tensor(*context.trace, context.components,
                                        (*context.trace)[card->tensor].path());
    if (pointer.y < card->box.y + 36) {
        const Tensor& tensor = (*context.trace)[card->tensor];
        const std::string shape = shape_text(tensor.rows().size, tensor.columns().size);
        const bool has_equation = tensor.equation() != shape;
        widgets::draw_tooltip(tensor.path() + "\n" +
                              (has_equation ? plain_formula(tensor.equation()) + "\n" : "") +
                              shape);
    }
}

}  // namespace

FlowCanvas::PicturePlace FlowCanvas::draw_cards_below(PanelContext& context, Point size) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Selection& selection = context.selection;
    std::vector<TensorId> shown = shown_tensors(
        *context.trace, open_component(context.components, selection), selection.head);
    for (const bool is_all : {true, false}) {
        if (!is_all) std::erase_if(shown, [&](TensorId id) { return !is_of_head(context, id); });
        FlowFigure flow = lay_out_cards(context, FlowArrangement::Row, size, shown);
        if (shown.empty() || flow.main.height < kLeastForCards) continue;
        const Drawn drawn = draw_flow(context, std::move(flow));
        return {drawn.flow.main, drawn.origin};
    }
    return {{kFlowMargin, 6, size.x - 2 * kFlowMargin, size.y - kFlowMargin}, {at.x, at.y}};
}

FlowCanvas::PicturePlace FlowCanvas::draw_beside_picture(PanelContext& context,
                                                         bool is_picture_alone, float share) {
    const ImVec2 size = ImGui::GetContentRegionAvail();
    const Drawn drawn = draw_cards(context, FlowArrangement::Row, {size.x, size.y});
    Box box = drawn.flow.main;
    if (!is_picture_alone) {
        Box matrix = box;
        box.width *= share;
        matrix.x = box.right() + 12;
        matrix.width = drawn.flow.main.right() - matrix.x;
        draw_chosen(context, matrix, drawn.origin);
    }
    return {box, drawn.origin};
}

FlowCanvas::Drawn FlowCanvas::draw_cards(PanelContext& context, FlowArrangement arrangement,
                                         Point size, const Prediction* prediction) {
    const Trace& trace = *context.trace;
    const Selection& selection = context.selection;
    const TensorId chosen = trace.id_at(selection.chosen);
    std::vector<TensorId> shown =
        shown_tensors(trace, open_component(context.components, selection), selection.head);
    if (arrangement == FlowArrangement::Walk)  // what is to come is not there yet
        std::erase_if(shown, [&](TensorId id) { return id >= chosen; });
    if (prediction)
        std::erase_if(shown,
                      [&](TensorId id) { return prediction->hides_beside(trace, id, chosen); });
    return draw_flow(context, lay_out_cards(context, arrangement, size, shown));
}

FlowFigure FlowCanvas::lay_out_cards(const PanelContext& context, FlowArrangement arrangement,
                                     Point size, const std::vector<TensorId>& shown) {
    const Trace& trace = *context.trace;
    const Selection& selection = context.selection;
    const FlowInput input{.trace = trace,
                          .component = open_component(context.components, selection),
                          .shown = shown,
                          .chosen = trace.id_at(selection.chosen),
                          .hovered = selection.hovered().focus,
                          .held = selection.held().focus,
                          .scales = selection.scales,
                          .arrangement = arrangement,
                          .width = size.x,
                          .height = size.y,
                          .least_main = context.least_main};
    return flow_figure(input, context.theme, context.painter.measure());
}

FlowCanvas::Drawn FlowCanvas::draw_flow(PanelContext& context, FlowFigure flow) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    Drawn drawn{std::move(flow), {at.x, at.y}};
    context.painter.draw(drawn.flow.figure, drawn.origin);
    for (const FlowCard& card : drawn.flow.cards) {
        const Tensor& tensor = (*context.trace)[card.tensor];
        const Box& box = card.box;
        context.regions.add("card " + tensor.path(),
                            {at.x + box.x, at.y + box.y, box.width, box.height});
        if (tensor.value) cards_.point(context, tensor, card.grid, drawn.origin);
    }
    choose_on_click(context, drawn.flow, drawn.origin);
    return drawn;
}

void FlowCanvas::draw_chosen(PanelContext& context, Box box, Point origin) {
    const Tensor& tensor = context.trace->at(context.selection.chosen);
    Figure card;
    card.add(
        RectMark{{0, 0, box.width, box.height}, context.theme.card, context.theme.accent, 2, 8});
    const Point at{origin.x + box.x, origin.y + box.y};
    context.painter.draw(card, at);
    context.regions.add("large matrix", {at.x, at.y, box.width, box.height});
    if (!tensor.value) return;
    HeatmapInput input =
        heatmap_input(*context.trace, tensor, context.theme, context.selection.scales);
    input.selected = cell_pick(tensor, context.selection.held().focus);
    input.hovered = cell_pick(tensor, context.selection.hovered().focus);
    input.width = box.width;
    input.height = box.height;
    input.view = context.selection.views.of(tensor);
    input.corner = hand_.corner_width(input.view);
    if (context.least_main > 0) fill_small_card(input);
    const HeatmapFigure picture = heatmap_figure(input, context.theme, context.painter.measure());
    context.painter.draw(picture.figure, at);
    if (hand_.hold(context, {tensor, input.selected, picture, at})) return;
    large_.point(context, tensor, picture.grid, at);
    large_.point_names(context, tensor, picture.grid, at);
    point_at_labels(context, tensor, picture.grid, at);
}

}  // namespace headlight
