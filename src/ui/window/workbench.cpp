#include "ui/window/workbench.h"

#include <algorithm>
#include <imgui.h>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "scene/figures/word_lines_view.h"
#include "scene/held_steps.h"
#include "ui/pictures/graph_pointer.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "ui/window/comparison_bar.h"
#include "ui/window/window_places.h"

namespace headlight {
namespace {

enum PartOfWindow { kTopBar, kLeft, kMiddle, kBottom, kRight };  // as one reads them
constexpr ImGuiWindowFlags kFixed =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground;

void begin_fixed(const char* id, Box box, ImGuiWindowFlags flags) {
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::Begin(id, nullptr, kFixed | flags);
}

/// Hair lines between the parts: over them, and under everything that opens over the window. Of
/// windows that stay where they are the first one is in front.
void draw_frame_lines(const Places& places, Point size, const Theme& theme) {
    begin_fixed("lines", {0, 0, size.x, size.y}, ImGuiWindowFlags_NoInputs);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 color = im_color(theme.border);
    const auto line = [&](float x0, float y0, float x1, float y1) {
        list.AddLine({x0, y0}, {x1, y1}, color, 1);
    };
    line(0, places.top.bottom(), places.top.right(), places.top.bottom());
    const Box& middle = places.middle;
    if (!places.folded.left) line(middle.x, middle.y, middle.x, size.y);
    if (!places.folded.right) line(middle.right(), middle.y, middle.right(), size.y);
    if (!places.folded.bottom) line(middle.x, middle.bottom(), middle.right(), middle.bottom());
    ImGui::End();
}

/// The cells that somebody speaks of, wherever they are drawn.
void draw_lit_cells(const PanelContext& context, Box box) {
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.PushClipRect({box.x, box.y}, {box.right(), box.bottom()});
    for (const PointedCell& cell : context.selection.lit()) {
        const auto at = context.regions.find_cell(cell.path, cell.row, cell.column);
        if (!at) continue;
        constexpr float kLeast = 7;
        const float x = std::max(0.0f, kLeast - at->width) / 2 + 1.5f;
        const float y = std::max(0.0f, kLeast - at->height) / 2 + 1.5f;
        list.AddRect({at->x - x, at->y - y}, {at->right() + x, at->bottom() + y},
                     im_color(context.theme.selection), 2, 0, 2.5f);
    }
    list.PopClipRect();
}

const Box& box_of(Drawer drawer, const Places& places) {
    return drawer == Drawer::Left    ? places.left
           : drawer == Drawer::Right ? places.right
                                     : places.bottom;
}

/// What an open drawer leaves of the middle.
Box beside(Drawer drawer, const Places& places) {
    Box left = places.middle;
    if (drawer == Drawer::Left) left.x = places.left.right();
    if (drawer == Drawer::Left || drawer == Drawer::Right)
        left.width = places.middle.width - box_of(drawer, places).width;
    if (drawer == Drawer::Bottom) left.height -= places.bottom.height;
    return left;
}

/// How much of the bottom the heads get: where there is only one, the words are what is looked at.
float heads_share(const PanelContext& context) {
    const Part* attention = shown_attention(context.parts, context.selection);
    return attention && attention->n_heads == 1 ? 0.24f : 0.58f;
}

void draw_help_mark(PanelContext& context, const Panel& panel, Point at) {
    ImGui::SetCursorScreenPos({at.x, at.y});
    context.painter.push_font(Font::Bold, 11);
    ImGui::TextDisabled("?");
    context.painter.pop_font();
    widgets::tooltip(panel.help());
}

/// What to do where there is nothing to attend to.
void draw_empty(PanelContext& context, Box box) {
    const bool is_graph = context.document.graph() != nullptr;
    const bool has_two = context.document.alignment() != nullptr;
    const bool is_recorded = context.document.recorded() != nullptr;
    const bool is_too_large = context.problem.starts_with("[memory]");
    const char* title = is_too_large  ? "This is too large"
                        : is_recorded ? "The recording cannot be read"
                        : is_graph    ? "Add a node"
                        : has_two     ? "Type a source and a target"
                                      : "Type a sentence";
    const char* text = is_too_large  ? "Undo brings back what was there"
                       : is_recorded ? "Open its file again"
                       : is_graph    ? "Double-click the canvas"
                                     : "Each word becomes a row of every matrix";
    Figure figure{box.width, box.height, {}};
    const Point center{box.width / 2, box.height / 2};
    figure.add(TextMark{
        {center.x, center.y - 8}, title, 22, context.theme.text, Font::Bold, Align::Middle});
    figure.add(TextMark{
        {center.x, center.y + 18}, text, 13, context.theme.muted, Font::Regular, Align::Middle});
    figure.add(TextMark{{center.x, center.y + 44},
                        context.problem,
                        11,
                        context.theme.muted,
                        Font::Regular,
                        Align::Middle});
    context.painter.draw(figure, {box.x, box.y});
    const Point pointer = widgets::pointer_in({box.x, box.y});
    if (is_too_large) return;
    const bool is_inside = Box{0, 0, box.width, box.height}.contains(pointer);
    if (is_graph && is_inside && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        push_add_node(context, {pointer.x / box.width, pointer.y / box.height});
}

}  // namespace

Workbench::Workbench(std::function<void()> wake)
    : wake_(std::move(wake)),
      workspaces_{Workspace(built_in_sentence(), wake_), Workspace(built_in_alignment(), wake_),
                  Workspace(built_in_graph(), wake_), Workspace(built_in_image(), wake_)},
      panels_(make_window_panels()),
      exports_(wake_) {}

WorkbenchWishes Workbench::draw(WorkbenchFrame& frame) {
    window_ = frame.unzoomed;
    magnified_ = frame.magnified;
    finish_opening();
    workspace().exported = workspace().page ? exports_.watch(scene()) : std::vector<std::string>{};
    prepare(workspace());
    const Theme& theme = theme_named(theme_name_);
    apply_style(theme);
    if (exports_.is_photographing()) ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
    regions_.clear();
    grounds_.clear();
    Edits edits;
    Painter painter(frame.figures, frame.fonts);
    Workspace& space = workspace();
    // The frame shows this one, whatever a key or a dialog makes of it meanwhile.
    const std::shared_ptr<const Document> document = space.session.history().shared_document();
    PanelContext context{*document,
                         space.page.get(),
                         space.whole.get(),
                         space.comparison,
                         space.parts,
                         session().problem(),
                         selection(),
                         edits,
                         theme,
                         painter,
                         regions_,
                         frame.codes};
    WorkbenchWishes wishes;
    const bool is_popup_open = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
    const bool has_popup = std::exchange(had_popup_, is_popup_open) || is_popup_open;
    is_presenting_ ? draw_slide(context, frame) : draw_panels(context, frame);
    draw_file_questions(context, wishes, frame.close_asked);
    answer_dialog(context);
    answer_import(context);
    draw_export(context);
    answer_chooser(context);
    const std::function<void()> found = dialogs_.palette.draw(context);
    draw_help(context);
    // Else the keys are the popup's, the one that closed it as well.
    if (!has_popup) press_keys(context);
    wishes.events = keyboard_.draw(context, {has_popup, zoom()});
    if (session().history().shared_document() == document) animator_.advance(context);
    const bool is_released = ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    if (is_released && !animator_.is_playing()) edits.end_gesture();
    apply(edits);
    if (found) run(found);
    recovery_.follow(workspaces_);
    wishes.draw_again |= selection().advance();
    if (animator_.is_playing()) wishes.next_frame_secs = 1e-3;
    if (is_computing()) wishes.next_frame_secs = std::min(wishes.next_frame_secs, 0.1);
    wishes.next_frame_secs = std::min(wishes.next_frame_secs, notice_.secs_left());
    draw_laser(wishes);
    photograph(wishes);
    const TopBarState bar = top_bar_state();
    wishes.background = theme_named(theme_name_).canvas;
    wishes.grounds = grounds_;
    wishes.title = bar.study_name + (bar.is_changed ? " · edited" : "") + " – Headlight";
    return wishes;
}

void Workbench::press_keys(PanelContext& context) {
    run(pressed_shortcuts());
    is_presenting_ ? slide_.press_keys(context) : press_panel_keys(context);
}

void Workbench::show(const std::string& name) {
    Workspace& space = workspace();
    if (!space.page) throw Error("window", "there is nothing to show: " + space.session.problem());
    if (name == kAllHeads)
        space.selection.view = MiddleView::AllHeads;
    else if (name == kWordLines)
        show_words(space);
    else if (find_part(space.parts, name))
        space.selection.choose_part(*space.page, space.parts, name);
    else
        show_tensor(space.selection, *space.page, space.parts, space.page->at(name).path());
}

void Workbench::draw_panels(PanelContext& context, const WorkbenchFrame& frame) {
    Places places =
        place_parts(frame.size, selection().explains ? Below::Explanation : Below::Heads);
    if (!places.folded.has(drawer_)) drawer_ = Drawer::None;
    context.least_main = places.least_main;
    draw_frame_lines(places, frame.size, context.theme);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {16, (places.top.height - 30) / 2});
    regions_.begin_part(kTopBar);
    begin_part("top", places.top, context.theme.window);
    TopBarState bar = top_bar_state();
    bar.folded = places.folded;
    bar.open = drawer_;
    const Commands commands = draw_top_bar(context, bar);
    ImGui::End();
    ImGui::PopStyleVar();

    regions_.begin_part(kLeft);
    if (!places.folded.left) {
        begin_part("left", places.left, context.theme.panel);
        draw_side(context, panels_.left[shown_]);
    }
    regions_.begin_part(kRight);
    if (!places.folded.right) {
        begin_part("right", places.right, context.theme.panel);
        draw_side(context, panels_.right);
    }
    regions_.begin_part(kMiddle);
    animator_.take_wish(context);
    const float notice = draw_notice(context, places.middle);
    places.middle.y += notice;
    places.middle.height -= notice + animator_.draw(context, places.middle);
    places.middle.height -= draw_greeting(context, places.middle);
    draw_middle(context, places.middle);
    regions_.begin_part(kBottom);
    if (!places.folded.bottom) {
        begin_part("bottom", places.bottom, context.theme.panel);
        draw_bottom(context);
    }
    draw_drawer(context, places);
    draw_work(context, places.middle);
    draw_lit_cells(context, beside(drawer_, places));
    run(commands);
}

void Workbench::begin_part(const char* id, Box box, Color ground) {
    grounds_.push_back({box, ground});
    begin_fixed(id, box, ImGuiWindowFlags_NoScrollWithMouse);
}

/// A folded part over the middle.
void Workbench::draw_drawer(PanelContext& context, const Places& places) {
    if (drawer_ == Drawer::None) return;
    const bool is_left = drawer_ == Drawer::Left, is_right = drawer_ == Drawer::Right;
    regions_.begin_part(is_left ? kLeft : is_right ? kRight : kBottom);
    const Box& box = box_of(drawer_, places);
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin(is_left    ? "left drawer"
                 : is_right ? "right drawer"
                            : "bottom drawer",
                 nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    if (is_left || is_right)
        draw_side(context, is_left ? panels_.left[shown_] : panels_.right);
    else
        draw_bottom(context);
}

/// Into the window that was begun, which it ends.
void Workbench::draw_side(PanelContext& context, const Panels& panels) {
    // A side scrolls when it is too long.
    compat::begin_child("scroll", {0, 0}, compat::Border::No);
    for (const auto& panel : panels) {
        if (!panel->has_own_heading()) widgets::heading(context, panel->title(), panel->help());
        ImGui::PushID(panel->title());
        panel->draw(context);
        ImGui::PopID();
    }
    keyboard_.scroll_to(regions_);
    ImGui::EndChild();
    ImGui::End();
}

Panel* Workbench::middle_panel() {
    switch (selection().view) {
        case MiddleView::AllHeads:
            return panels_.all_heads.get();
        case MiddleView::Words:
            return panels_.words.get();
        case MiddleView::Part:
            break;
    }
    return panels_.middle[shown_].get();
}

void Workbench::draw_middle(PanelContext& context, Box box) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_part("middle", box, context.theme.canvas);
    context.regions.add("bar middle", box);
    Panel& panel = *middle_panel();
    if (context.trace) {
        Commands commands;
        if (context.comparison.is_on() && selection().view == MiddleView::Part)
            commands = draw_comparison_bar(context);
        panel.draw(context);
        run(commands);
        draw_help_mark(context, panel, {box.x + 5, box.y + 3});
    } else if (!session().is_busy() && !session().is_stopped()) {
        draw_empty(context, box);
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

/// Into the window that was begun, which it ends.
void Workbench::draw_bottom(PanelContext& context) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const Box box{at.x, at.y, size.x, size.y};
    if (selection().explains) {
        panels_.explanation->draw(context);
        return ImGui::End();
    }
    if (context.trace) {
        const bool has_arcs = has_word_lines(*context.trace);
        const float heads_width = box.width * (has_arcs ? heads_share(context) : 1.0f) - 28;
        compat::begin_child("heads", {heads_width, 0}, compat::Border::No,
                            ImGuiWindowFlags_HorizontalScrollbar);
        panels_.heads->draw(context);
        ImGui::EndChild();
        draw_help_mark(context, *panels_.heads, {box.x + 5, box.bottom() - 17});
        if (has_arcs) {
            ImGui::SetCursorScreenPos({box.x + heads_width + 28, box.y + 8});
            compat::begin_child("arcs", {0, 0}, compat::Border::No);
            panels_.arcs->draw(context);
            ImGui::EndChild();
            draw_help_mark(context, *panels_.arcs, {box.right() - 12, box.y + 3});
        }
    }
    ImGui::End();
}

}  // namespace headlight
