// The hand on the large picture: what zooms it and moves it, with wheel, drags, buttons and keys.
#include "ui/pictures/picture_hand.h"

#include <cmath>
#include <imgui.h>

#include "ui/pictures/picture_form.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr double kZoomStep = 1.3;                       // of the wheel and of a key
constexpr float kWheelPoints = 48;                      // that a step to the side moves
constexpr float kColorsButton = 64, kWholeButton = 56;  // with what is beside them
constexpr const char* kForm = "picture form";

Box placed(Box box, Point origin) {
    return {box.x + origin.x, box.y + origin.y, box.width, box.height};
}

Point nearest_in(const Box& box, Point p) {
    return {std::clamp(p.x, box.x, box.right()), std::clamp(p.y, box.y, box.bottom())};
}

}  // namespace

float PictureHand::corner_width(const PictureView& view) {
    return kColorsButton + (view.is_whole() ? 0 : kWholeButton);
}

bool PictureHand::hold(PanelContext& context, const DrawnPicture& drawn) {
    name_places(context, drawn);
    ImGui::PushID(this);  // another matrix may stand beside this one
    draw_buttons(context, drawn);
    draw_form(context, drawn);
    ImGui::PopID();
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

void PictureHand::name_places(PanelContext& context, const DrawnPicture& drawn) {
    CellGrid grid = drawn.picture.grid;
    grid.cells = placed(grid.cells, drawn.origin);
    if (!grid.frame.is_empty()) grid.frame = placed(grid.frame, drawn.origin);
    context.regions.add_grid(drawn.tensor.path(), grid);
    context.regions.add("picture", grid.seen());
    context.regions.add("legend", placed(drawn.picture.legend, drawn.origin));
    if (drawn.picture.overview.rows > 0)
        context.regions.add("overview", placed(drawn.picture.overview.cells, drawn.origin));
}

void PictureHand::draw_buttons(PanelContext& context, const DrawnPicture& drawn) {
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
        context.requests.picture.ask(PictureRequest::Form);
    ImGui::PopStyleVar();
    context.painter.pop_font();
    ImGui::SetCursorScreenPos(cursor);
}

/// The settings, which a click at the legend opens as well.
void PictureHand::draw_form(PanelContext& context, const DrawnPicture& drawn) {
    const Point at = widgets::pointer_in(drawn.origin);
    const bool is_on_legend = drawn.picture.legend.contains(at);
    if (is_on_legend) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const bool is_clicked = is_on_legend && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    Request<PictureRequest>& request = context.requests.picture;
    if (is_clicked || request.asked() == PictureRequest::Form) {
        request.take();
        ImGui::OpenPopup(kForm);
    }
    // Beside the picture, so that its changes are seen; in it where there is no room.
    constexpr float kWidth = 250, kGap = 8;
    const bool is_beside = drawn.origin.x > kWidth + kGap;
    const float right = is_beside ? -kGap : drawn.picture.figure.width - kGap;
    ImGui::SetNextWindowPos({drawn.origin.x + right, drawn.origin.y + (is_beside ? 0.0f : 36.0f)},
                            ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowSize({kWidth, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {14, 12});
    const bool is_open = ImGui::BeginPopup(kForm, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (!is_open) return;
    context.regions.begin_popup();
    draw_picture_form(context, drawn.tensor);
    if (context.regions.is_dismissed()) ImGui::CloseCurrentPopup();
    context.regions.end_popup();
    ImGui::EndPopup();
}

/// The view that a command asked for.
PictureView PictureHand::requested(PanelContext& context, const DrawnPicture& drawn,
                                   PictureView view) {
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
        case PictureRequest::Form:
            return view;
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

/// The wheel zooms at the pointer; to the side, or with Shift, it moves along a row.
PictureView PictureHand::turned(const DrawnPicture& drawn, const PictureView& view) {
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

void PictureHand::begin_drag(const DrawnPicture& drawn) {
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

PictureView PictureHand::dragged(const DrawnPicture& drawn, const PictureView& view) const {
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

}  // namespace headlight
