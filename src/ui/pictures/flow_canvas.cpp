// The hand on the large picture, which zooms and moves it with wheel, drags, buttons and keys.
#include "ui/pictures/flow_canvas.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <string>

#include "figure/heatmap_figure.h"
#include "figure/tensor_figure.h"
#include "figure/words/formula.h"
#include "ui/compat.h"
#include "ui/pictures/canvas.h"
#include "ui/widgets/widgets.h"
#include "views/head_thumbnail.h"
#include "views/matrix_view.h"
#include "views/step_figure.h"

namespace headlight {
namespace {

constexpr double kZoomStep = 1.3;                       // of the wheel and of a key
constexpr float kWheelPoints = 48;                      // the distance of a step to the side
constexpr float kColorsButton = 64, kWholeButton = 56;  // with what is beside them

Point nearest_in(const Box& box, Point p) {
    return {std::clamp(p.x, box.x, box.right()), std::clamp(p.y, box.y, box.bottom())};
}

/// Draws in place of a matrix that comes later why it is not there, and below it the overview of
/// its head.
void draw_waiting(PanelContext& context, const Tensor& tensor, const Box& card) {
    std::string text = waiting_text(*context.trace, tensor);
    if (text.empty()) return;
    constexpr float kPad = 16, kLines = 64;
    const Tensor* overview = tensor.identity().role == Role::Pattern
                                 ? context.trace->find(tensor.identity().at(Role::Overview).path)
                                 : nullptr;
    const float side = std::min(card.width - 2 * kPad, card.height - 2 * kPad - kLines);
    if (overview && overview->value && side > 0) {
        const MatrixColors colors =
            context.selection.scales.colors(*overview, overview->value, context.theme);
        Figure picture{side, side, {}};
        picture.add(
            HeatmapMark{.box = {0, 0, side, side}, .values = colors.values, .scale = colors.scale});
        context.painter.draw(picture, {card.x + (card.width - side) / 2, card.y + kPad + kLines});
        text = "This is an overview " + overview_text(*context.trace, *overview) + ": " + text;
    }
    const ImVec2 before = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({card.x + kPad, card.y + kPad});
    compat::begin_child("waiting", {card.width - 2 * kPad, kLines}, compat::Border::No);
    widgets::hint(context, text);
    ImGui::EndChild();
    ImGui::SetCursorScreenPos(before);
}

}  // namespace

float PanZoom::corner_width(const PictureView& view) {
    return kColorsButton + (view.is_whole() ? 0 : kWholeButton);
}

void PanZoom::offer(PanelContext& context, const DrawnPicture& drawn) {
    ImGui::PushID(this);  // another matrix may stand beside this one
    draw_buttons(context, drawn);
    ImGui::PopID();
    if (!drawn.picture.legend.contains(widgets::pointer_in(drawn.origin))) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) context.requests.run("picture-form");
}

bool PanZoom::hold(PanelContext& context, const DrawnPicture& drawn) {
    name_places(context, drawn);
    offer(context, drawn);
    PictureViews& views = context.selection.views;
    const PictureView before = views.of(drawn.tensor);
    PictureView view = requested(context, drawn, before);
    view = turned(drawn, view);
    begin_drag(drawn);
    if (drag_ != Drag::None) view = dragged(drawn, view);
    if (!(view == before)) views.set(drawn.tensor, view);
    const bool is_held = drag_ != Drag::None;
    const bool is_over = is_held && !ImGui::IsMouseDown(button_);
    if (is_over) drag_ = Drag::None;
    const ImVec2 way = ImGui::GetMouseDragDelta(button_);
    const bool was_click = is_over && way.x == 0 && way.y == 0;  // the cell answers it
    return is_held && !was_click;
}

void PanZoom::name_places(PanelContext& context, const DrawnPicture& drawn) {
    const CellGrid grid = drawn.picture.grid.moved(drawn.origin);
    context.regions.add_grid(drawn.tensor.path(), grid);
    context.regions.add("picture", grid.seen());
    context.regions.add("legend", drawn.picture.legend.moved(drawn.origin));
    if (drawn.picture.overview.rows > 0)
        context.regions.add("overview", drawn.picture.overview.cells.moved(drawn.origin));
}

void PanZoom::draw_buttons(PanelContext& context, const DrawnPicture& drawn) {
    const PictureView view = context.selection.views.of(drawn.tensor);
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    const float right = drawn.origin.x + drawn.picture.figure.width - 8;
    context.painter.push_font(Font::Regular, 12);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {7, 2});
    ImGui::SetCursorScreenPos({right - corner_width(view), drawn.origin.y + 8});
    if (!view.is_whole()) {
        if (widgets::button(context, "Whole", "See the whole matrix  (Home)"))
            context.requests.picture.ask(PictureRequest::Whole);
        ImGui::SetCursorScreenPos({right - kColorsButton, drawn.origin.y + 8});
    }
    if (widgets::button(context, "Colours", "Colours, scale, range and numbers of the picture"))
        context.requests.run("picture-form");
    ImGui::PopStyleVar();
    context.painter.pop_font();
    ImGui::SetCursorScreenPos(cursor);
}

/// Returns the view that a command asked for.
PictureView PanZoom::requested(PanelContext& context, const DrawnPicture& drawn, PictureView view) {
    const ZoomRoom& room = drawn.picture.room;
    const CellGrid& grid = drawn.picture.grid;
    const CellPick& held = drawn.held;
    const bool has_cell = !held.rows.empty() && held.rows.front() < grid.rows &&
                          held.column.value_or(0) < grid.columns;
    const Index row = has_cell ? held.rows.front() : 0;
    const CellIndex cell{row, has_cell && held.column ? *held.column : 0};
    Point middle = grid.seen().center();
    if (has_cell && held.column)
        middle = nearest_in(grid.seen(), grid.cell_box(cell.row, cell.column).center());
    const auto request = context.requests.picture.take();
    if (!request) return view;
    switch (*request) {
        case PictureRequest::Whole:
            return {};
        case PictureRequest::Larger:
            return zoomed_at(room, view, middle, kZoomStep);
        case PictureRequest::Smaller:
            return zoomed_at(room, view, middle, 1 / kZoomStep);
        case PictureRequest::SeeHeld:
            return has_cell ? seeing(room, view, cell) : view;
    }
    return view;
}

/// Zooms at the pointer with the wheel; to the side, or with Shift, it moves along a row.
PictureView PanZoom::turned(const DrawnPicture& drawn, const PictureView& view) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl || (io.MouseWheel == 0 && io.MouseWheelH == 0)) return view;
    const Figure& figure = drawn.picture.figure;
    const Point at = widgets::pointer_in(drawn.origin);
    if (!Box{0, 0, figure.width, figure.height}.contains(at)) return view;
    const float side = io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0);
    if (side != 0) return moved(drawn.picture.room, view, {side * kWheelPoints, 0});
    return zoomed_at(drawn.picture.room, view, nearest_in(drawn.picture.grid.seen(), at),
                     std::pow(kZoomStep, io.MouseWheel));
}

void PanZoom::begin_drag(const DrawnPicture& drawn) {
    if (drag_ != Drag::None) return;
    const Point at = widgets::pointer_in(drawn.origin);
    const bool is_left = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    const bool moves_with_left = is_left && compat::is_key_down(Key::Space);
    if (is_left && drawn.picture.overview.rows > 0 && drawn.picture.overview.cells.contains(at)) {
        drag_ = Drag::Overview;
        button_ = ImGuiMouseButton_Left;
    } else if (drawn.picture.grid.seen().contains(at)) {
        for (const int button : {ImGuiMouseButton_Right, ImGuiMouseButton_Middle})
            if (ImGui::IsMouseClicked(button)) drag_ = Drag::Picture, button_ = button;
        if (moves_with_left) drag_ = Drag::Picture, button_ = ImGuiMouseButton_Left;
    }
}

PictureView PanZoom::dragged(const DrawnPicture& drawn, const PictureView& view) const {
    const ZoomRoom& room = drawn.picture.room;
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    const ImVec2 by = ImGui::GetIO().MouseDelta, mouse = ImGui::GetIO().MousePos;
    if (drag_ == Drag::Picture) return moved(room, view, {by.x, by.y});
    const CellGrid& overview = drawn.picture.overview;
    const Box& all = overview.cells;
    const Point at{mouse.x - drawn.origin.x, mouse.y - drawn.origin.y};
    return settled(room, {view.zoom, (at.y - all.y) / all.height * overview.rows,
                          (at.x - all.x) / all.width * overview.columns});
}

namespace {

constexpr float kFlowMargin = 16;
constexpr float kLeastForCards = 300;  // height of what is compared that they have to leave

/// Gives all room to the cells in a small window.
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
        widgets::draw_tooltip(
            fmt::format("{}\n{}{}", tensor.path(),
                        has_equation ? plain_formula(tensor.equation()) + "\n" : "", shape));
    }
}

}  // namespace

FlowCanvas::PicturePlace FlowCanvas::draw_cards_below(PanelContext& context, Point size) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    FlowInput input = flow_input(context.scene, FlowArrangement::Row, size);
    // Every head has one of these.
    const auto is_of_head = [&](TensorId id) {
        const Tensor& tensor = (*context.trace)[id];
        return tensor.identity().head >= 0 && tensor.stage() != Stage::Weight;
    };
    for (const bool is_all : {true, false}) {
        if (!is_all) std::erase_if(input.shown, std::not_fn(is_of_head));
        FlowFigure flow = lay_out_cards(context, input);
        if (input.shown.empty() || flow.main.height < kLeastForCards) continue;
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
    FlowInput input = flow_input(context.scene, arrangement, size);
    if (prediction)
        std::erase_if(input.shown, [&](TensorId id) {
            return prediction->hides_beside(*context.trace, id, input.chosen);
        });
    return draw_flow(context, lay_out_cards(context, std::move(input)));
}

FlowFigure FlowCanvas::lay_out_cards(const PanelContext& context, FlowInput input) {
    input.hovered = context.selection.hovered().indices;
    input.least_main = context.least_main;
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
    if (!tensor.value) return draw_waiting(context, tensor, {at.x, at.y, box.width, box.height});
    HeatmapInput input =
        heatmap_input(*context.trace, tensor, context.theme, context.selection.scales);
    input.selected = cell_pick(tensor, context.selection.held().indices);
    input.hovered = cell_pick(tensor, context.selection.hovered().indices);
    input.width = box.width;
    input.height = box.height;
    input.view = context.selection.views.of(tensor);
    input.corner = hand_.corner_width(input.view);
    const auto part = shown_part(context.scene, tensor);
    if (part) show_part(input, *part);
    if (context.least_main > 0) fill_small_card(input);
    const HeatmapFigure picture = heatmap_figure(input, context.theme, context.painter.measure());
    context.painter.draw(picture.figure, at);
    if (part) {
        hand_.offer(context, {tensor, input.selected, picture, at});
        return point_at_targets(context, picture.figure, at);
    }
    if (hand_.hold(context, {tensor, input.selected, picture, at})) return;
    large_.point(context, tensor, picture.grid, at);
    large_.point_names(context, tensor, picture.grid, at);
    point_at_labels(context, tensor, picture.grid, at);
}

}  // namespace headlight
