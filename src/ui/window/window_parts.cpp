#include "ui/window/window_parts.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>

#include "figure/graphs/graph_figure.h"
#include "figure/labels.h"
#include "ui/pictures/graph_pointer.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/graph_view.h"
#include "views/word_lines_view.h"

namespace headlight {

void FirstNode::draw(PanelContext& context, Box box) {
    context.regions.add("canvas Graph", box);
    if (naming_.is_on()) {
        const Point place = naming_.place();
        naming_.draw(context, {box.x + place.x * box.width, box.y + place.y * box.height});
        return;
    }
    const Point pointer = widgets::pointer_in({box.x, box.y});
    const bool is_inside = Box{0, 0, box.width, box.height}.contains(pointer);
    if (!is_inside || !ImGui::IsMouseReleased(ImGuiMouseButton_Left)) return;
    clicked_ = {box.x + pointer.x, box.y + pointer.y};
    naming_.begin_new(context, {pointer.x / box.width, pointer.y / box.height});
}

/// Puts the node in its place: the picture has another box than the empty canvas, because controls
/// and matrices stand beside it.
void FirstNode::put_in_place(Workspace& space, const Regions& regions) {
    if (!clicked_ || naming_.is_on()) return;
    const GraphStudy* study = space.session.document().graph();
    if (!study || study->graph.nodes.size() != 1) {
        clicked_.reset();  // no name was given, or it is another study
        return;
    }
    const auto canvas = regions.find("canvas Graph");
    const bool is_shown = space.trace && space.trace->items().size() == 1 && canvas;
    if (!is_shown) return;
    GraphInput input = graph_input(make_scene(space, theme_named(ThemeName::Light)));
    input.box = *canvas;
    const Point place = graph_geometry(input).place_from(*clicked_);
    clicked_.reset();
    space.session.amend([place](Document& document) {
        Node& node = document.graph()->graph.nodes.front();
        node.x = place.x;
        node.y = place.y;
    });
}

namespace {

constexpr ImGuiWindowFlags kFixed =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground;

void begin_fixed(const char* id, Box box, ImGuiWindowFlags flags) {
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::Begin(id, nullptr, kFixed | flags);
}

/// Begins a part that lies over others.
void begin_over(const char* id, Box box) {
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin(id, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
}

const Box& drawer_box(Drawer drawer, const Places& places) {
    return drawer == Drawer::Left    ? places.left
           : drawer == Drawer::Right ? places.right
                                     : places.bottom;
}

/// Returns the part of the middle that an open drawer leaves.
Box beside(Drawer drawer, const Places& places) {
    Box left = places.middle;
    if (drawer == Drawer::Left) left.x = places.left.right();
    if (drawer == Drawer::Left || drawer == Drawer::Right)
        left.width = places.middle.width - drawer_box(drawer, places).width;
    if (drawer == Drawer::Bottom) left.height -= places.bottom.height;
    return left;
}

/// Returns the heads' share of the bottom: where there is only one head, the words matter more.
float heads_share(const PanelContext& context) {
    const Component* attention = shown_attention(context.components, context.selection);
    return attention && attention->n_heads == 1 ? 0.24f : 0.58f;
}

void draw_help_mark(PanelContext& context, const Panel& panel, Point at) {
    ImGui::SetCursorScreenPos({at.x, at.y});
    context.painter.push_font(Font::Bold, 11);
    ImGui::TextDisabled("?");
    context.painter.pop_font();
    widgets::tooltip(panel.help());
}

}  // namespace

void draw_frame_lines(const Places& places, Point size, const Theme& theme) {
    // The first one among fixed windows is in front.
    begin_fixed("lines", {0, 0, size.x, size.y}, ImGuiWindowFlags_NoInputs);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 color = im_color(theme.border);
    const auto line = [&](float x0, float y0, float x1, float y1) {
        list.AddLine({x0, y0}, {x1, y1}, color, 1);
    };
    line(0, places.top.bottom(), places.top.right(), places.top.bottom());
    if (!places.tabs.is_empty())
        line(0, places.tabs.bottom(), places.tabs.right(), places.tabs.bottom());
    const Box& middle = places.middle;
    if (!places.folded.left) line(middle.x, middle.y, middle.x, size.y);
    if (!places.folded.right) line(middle.right(), middle.y, middle.right(), size.y);
    if (!places.folded.bottom) line(middle.x, middle.bottom(), middle.right(), middle.bottom());
    ImGui::End();
}

void draw_highlights(const PanelContext& context, const Places& places, Drawer drawer) {
    const Box box = beside(drawer, places);
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.PushClipRect({box.x, box.y}, {box.right(), box.bottom()});
    for (const CellPlace& cell : context.selection.highlighted()) {
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

/// Says why nothing can be shown, on as many lines as it needs.
void add_problem(Figure& figure, const std::string& problem, Point center, const Theme& theme,
                 const MeasureText& measure) {
    constexpr float kSize = 13, kMargin = 24;
    TextMark line{
        {center.x, center.y + 48}, problem, kSize, theme.text, Font::Regular, Align::Middle};
    for (std::string& words : wrapped_lines(line, figure.width - 2 * kMargin, measure)) {
        line.text = std::move(words);
        figure.add(line);
        line.at.y += kLineHeight * kSize;
    }
}

void draw_empty(PanelContext& context, Box box, FirstNode& first_node) {
    const bool is_graph = context.document.graph() != nullptr;
    const bool has_two = context.document.alignment() != nullptr;
    const bool is_recorded = context.document.recorded() != nullptr;
    const bool is_too_large = (context.error && context.error->place().name == "memory");
    const bool says_problem = context.error && (!is_graph || is_too_large);
    const SentenceStudy* sentence = context.document.sentence();
    const bool fails = sentence && sentence->text.find_first_not_of(" \n\t") != std::string::npos;
    const char* title = is_too_large  ? "This is too large"
                        : fails       ? "This cannot be computed"
                        : is_recorded ? "The recording cannot be read"
                        : is_graph    ? "Add a node"
                        : has_two     ? "Type a source and a target"
                                      : "Type a sentence";
    const char* text = is_too_large  ? "Undo restores the text"
                       : fails       ? "Nothing of the study is lost"
                       : is_recorded ? "Open its file again, or undo"
                       : is_graph    ? "Click the canvas and type its name"
                                     : "Each word becomes a row of every matrix";
    Figure figure{box.width, box.height, {}};
    const Point center{box.width / 2, box.height / 2};
    figure.add(TextMark{
        {center.x, center.y - 8}, title, 22, context.theme.text, Font::Bold, Align::Middle});
    figure.add(TextMark{
        {center.x, center.y + 18}, text, 13, context.theme.muted, Font::Regular, Align::Middle});
    add_problem(figure, says_problem ? text_for_user(*context.error) : "", center, context.theme,
                context.painter.measure());
    context.painter.draw(figure, {box.x, box.y});
    if (is_graph && !is_too_large) first_node.draw(context, box);
}

void WindowParts::begin(PanelContext& context, WindowPart part, const char* id, Box box,
                        Color background) {
    context.regions.begin_part(part);
    backgrounds_.push_back({box, background});
    begin_fixed(id, box, ImGuiWindowFlags_NoScrollWithMouse);
}

void WindowParts::begin_tabs(PanelContext& context, const Places& places) {
    if (!places.tabs_lie_over)
        return begin(context, WindowPart::TopBar, "tabs", places.tabs, context.theme.window);
    context.regions.begin_part(WindowPart::TopBar);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im_vec(context.theme.window));
    begin_over("tabs over others", places.tabs);
    ImGui::PopStyleColor();
}

void WindowParts::draw_sides(PanelContext& context, const Places& places, std::size_t workspace) {
    if (!places.folded.left) {
        begin(context, WindowPart::Left, "left", places.left, context.theme.panel);
        draw_side(context, panels_.left[workspace]);
    }
    if (!places.folded.right) {
        begin(context, WindowPart::Right, "right", places.right, context.theme.panel);
        draw_side(context, right_panels(context, workspace));
    }
}

void WindowParts::draw_drawer(PanelContext& context, const Places& places, Drawer drawer,
                              std::size_t workspace) {
    if (drawer == Drawer::None) return;
    const bool is_left = drawer == Drawer::Left, is_right = drawer == Drawer::Right;
    context.regions.begin_part(is_left    ? WindowPart::Left
                               : is_right ? WindowPart::Right
                                          : WindowPart::Bottom);
    begin_over(is_left    ? "left drawer"
               : is_right ? "right drawer"
                          : "bottom drawer",
               drawer_box(drawer, places));
    if (is_left || is_right)
        draw_side(context, is_left ? panels_.left[workspace] : right_panels(context, workspace));
    else
        draw_heads(context);
}

/// Returns the results of a training; or the inspector, where a part of the network is shown large.
const Panels& WindowParts::right_panels(const PanelContext& context, std::size_t workspace) const {
    const bool is_training = workspace == kTraining && context.selection.view == ViewId::Heads;
    return is_training ? panels_.training : panels_.right;
}

/// Draws into the window that was begun, and ends it.
void WindowParts::draw_side(PanelContext& context, const Panels& panels) {
    // A side scrolls when it is too long.
    compat::begin_child("scroll", {0, 0}, compat::Border::No);
    for (const auto& panel : panels) {
        if (!panel->has_own_heading()) widgets::heading(context, panel->title(), panel->help());
        ImGui::PushID(panel->title());
        panel->draw(context);
        ImGui::PopID();
    }
    keyboard_.scroll_to(context.regions);
    ImGui::EndChild();
    ImGui::End();
}

Panel& WindowParts::middle_panel(ViewId view, std::size_t workspace) {
    const auto found = panels_.views.find(view);
    const bool is_training = view == ViewId::Heads && workspace == kTraining;
    if (found != panels_.views.end() && !is_training) return *found->second;
    return *panels_.middle[workspace];
}

void WindowParts::draw_middle(PanelContext& context, Box box, std::size_t workspace) {
    Panel& panel = middle_panel(context.selection.view, workspace);
    panel.draw(context);
    draw_help_mark(context, panel, {box.x + 5, box.y + 3});
}

void WindowParts::draw_bottom(PanelContext& context, const Places& places) {
    context.regions.begin_part(WindowPart::Bottom);
    if (places.folded.bottom || !(places.bottom.height > 0)) return;
    begin(context, WindowPart::Bottom, "bottom", places.bottom, context.theme.panel);
    draw_heads(context);
}

void WindowParts::draw_over_slide(PanelContext& context, Point size) {
    constexpr float kShare = 0.5f;
    const auto& cell = context.selection.held().cell;
    if (!context.selection.explains || !cell) return;
    const auto place = context.regions.find_cell(cell->path, cell->row, cell->column);
    const bool is_low = place && place->center().y > size.y / 2;
    const float height = std::floor(kShare * size.y);
    begin_over("explanation", {0, is_low ? 0 : size.y - height, size.x, height});
    context.regions.begin_part(WindowPart::Bottom);
    draw_heads(context);
}

/// Draws into the window that was begun, and ends it.
void WindowParts::draw_heads(PanelContext& context) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const Box box{at.x, at.y, size.x, size.y};
    if (context.selection.explains) {
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
