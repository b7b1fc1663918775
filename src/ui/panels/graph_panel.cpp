// The graph in words, how to change it, and its canvas: nodes and edges under the chosen head's
// attention, and the flow of its matrices.
#include <array>
#include <fmt/format.h>
#include <imgui.h>

#include "graph/graph_builder.h"
#include "model/changes.h"
#include "text/strings.h"
#include "ui/panel.h"
#include "ui/panels/component_strip.h"
#include "ui/panels/origin_view.h"
#include "ui/panels/panels.h"
#include "ui/pictures/comparison_canvas.h"
#include "ui/pictures/flow_canvas.h"
#include "ui/pictures/graph_canvas.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/graph_view.h"

namespace headlight {
namespace {

class GraphInputPanel final : public Panel {
  public:
    const char* title() const override { return "Graph"; }
    const char* help() const override {
        return "Each node reads its neighbours: α(i,j) is the softmax over j of a score. GAT: "
               "LeakyReLU(a_dst·W x_i + a_src·W x_j). GATv2: a·LeakyReLU(W_dst x_i + W_src x_j). "
               "Transformer: q_i·k_j / √d. An arrow goes from the node that is read to its reader.";
    }

    void draw(PanelContext& context) override {
        if (const RecordedStudy* recorded = context.document.recorded()) {
            recording_.draw(context, *recorded);
            return widgets::hint(context,
                                 "Drag a node: its place · Shift-drag the canvas: mark nodes · "
                                 "wheel: zoom");
        }
        const GraphStudy* study = context.document.graph();
        if (!study) return;
        const Graph& graph = study->graph;
        context.painter.push_font(Font::Bold, 13);
        ImGui::PushTextWrapPos(0);
        ImGui::TextUnformatted(
            graph.title.empty() ? "Graph"
                                : context.painter.drawn_text(graph.title, Font::Regular).c_str());
        ImGui::PopTextWrapPos();
        context.painter.pop_font();
        const auto n_features =  // those that the graph brings
            graph.nodes.empty() ? 0 : std::ssize(graph.nodes.front().features.values());
        widgets::hint(context,
                      fmt::format("{} · {} · {}{}", counted(graph.nodes.size(), "node"),
                                  counted(graph.edges.size(), "edge"),
                                  graph.directed ? "directed" : "undirected",
                                  n_features == 0 ? "" : " · " + counted(n_features, "feature")));
        if (widgets::button(context, "New graph", "An empty one, to draw"))
            context.requests.run("new-graph");
        widgets::same_line_if_fits("Select all");
        if (widgets::button(context, "Select all", "All nodes  (Ctrl+A)"))
            context.requests.run("select-all");
        const bool draws = context.selection.looks.graph.tool == GraphLook::Tool::Draw;
        widgets::hint(
            context,
            draws
                ? "Click the canvas and type a name: a node. Drag from node to node: an edge. "
                  "Double-click a node: its name."
                : "Double-click the canvas: new node; a node: its name · Shift-drag from node to "
                  "node: new edge · Shift-drag the canvas: mark nodes · Del: remove · wheel: zoom");
        draw_weights(context);
    }

  private:
    RecordingView recording_;
};

}  // namespace

std::unique_ptr<Panel> make_graph_input_panel() {
    return std::make_unique<GraphInputPanel>();
}

namespace {

constexpr float kControlsMargin = 16, kControlsGap = 14, kNumberField = 64, kEdgesField = 190;
constexpr int kMostStrongest = 100;

/// Puts the next control beside the last one if it has room there.
void make_graph_room(float width) {
    widgets::same_line_if_fits(width, kControlsGap);
}

/// Draws one of two tools; the one that is in hand is pressed in.
void draw_tool(PanelContext& context, GraphLook::Tool tool, const char* name, const char* what) {
    GraphLook::Tool& now = context.selection.looks.graph.tool;
    const bool is_clicked = now == tool ? widgets::primary_button(context, name, what)
                                        : widgets::button(context, name, what);
    if (is_clicked) now = tool;
}

void draw_tools(PanelContext& context) {
    draw_tool(context, GraphLook::Tool::Select, "Select",
              "Click: hold. Drag a node: move it. Drag the canvas: pan. Shift-drag the canvas: "
              "mark nodes. Double-click: a new node, or a node's name");
    ImGui::SameLine(0, 4);
    draw_tool(context, GraphLook::Tool::Draw, "Draw",
              "Click the canvas: a new node, whose name is typed at once. Drag from node to node: "
              "a new edge");
}

void draw_edges(PanelContext& context) {
    static constexpr std::array kChoices = {"all", "strongest of each node", "weight of at least",
                                            "of the chosen node"};
    GraphLook& look = context.selection.looks.graph;
    int shown = static_cast<int>(look.edges);
    if (widgets::row_choice(context, "Edges", shown, kChoices, kEdgesField))
        look.edges = static_cast<GraphLook::EdgesShown>(shown);
    if (look.edges == GraphLook::EdgesShown::Strongest) {
        ImGui::SameLine(0, 6);
        ImGui::SetNextItemWidth(kNumberField);
        ImGui::DragInt("##Edges of each", &look.n_strongest, 0.1f, 1, kMostStrongest, "%d",
                       ImGuiSliderFlags_AlwaysClamp);
        widgets::name_item(context, "field Edges of each");
        widgets::tooltip("So many of the edges that each node reads");
    }
    if (look.edges == GraphLook::EdgesShown::Weight) {
        ImGui::SameLine(0, 6);
        ImGui::SetNextItemWidth(kNumberField);
        ImGui::DragFloat("##Least weight", &look.least_weight, 0.005f, 0, 1, "%.3g",
                         ImGuiSliderFlags_AlwaysClamp);
        widgets::name_item(context, "field Least weight");
        widgets::tooltip("Edges with smaller weights are not drawn");
    }
}

void draw_nodes(PanelContext& context) {
    static constexpr std::array kChoices = {"class or group", "given group", "feature", "output"};
    GraphLook& look = context.selection.looks.graph;
    make_graph_room(widgets::labelled_width("Nodes", 124));
    int shown = static_cast<int>(look.nodes);
    if (widgets::row_choice(context, "Nodes", shown, kChoices, 124)) {
        look.nodes = static_cast<GraphLook::NodeColors>(shown);
        look.column = 0;
    }
    const Tensor* matrix = colored_matrix(*context.trace, context.components, context.selection);
    if (!matrix || matrix->columns().size < 1) return;
    make_graph_room(widgets::labelled_width("Column", kNumberField));
    widgets::row_label("Column");
    ImGui::SetNextItemWidth(kNumberField);
    ImGui::DragInt("##Column of the nodes", &look.column, 0.05f, 0,
                   static_cast<int>(matrix->columns().size) - 1, "%d",
                   ImGuiSliderFlags_AlwaysClamp);
    widgets::name_item(context, "field Column");
    widgets::tooltip("The column of the matrix whose values colour the nodes");
}

void draw_graph_controls(PanelContext& context) {
    ImGui::SetCursorPosX(kControlsMargin);
    ImGui::BeginGroup();
    if (context.document.graph()) {  // that of a recording is not drawn here
        draw_tools(context);
        make_graph_room(widgets::labelled_width("Edges", kEdgesField));
    }
    draw_edges(context);
    draw_nodes(context);
    if (!context.selection.looks.graph.zoom.is_whole()) {
        make_graph_room(widgets::labelled_width("Whole graph", 14));
        if (widgets::button(context, "Whole graph", "See all of it  (Home)"))
            context.selection.looks.graph.zoom = {};
    }
    ImGui::EndGroup();
}

class GraphPanel final : public Panel {
  public:
    const char* title() const override { return "Graph canvas"; }
    const char* help() const override {
        return "Width and colour of an edge show α, the share of the neighbour in what the node "
               "reads. The arrow goes from the node that is read to its reader; a loop is a node "
               "that reads itself. The wheel zooms at the pointer, a drag of the canvas pans, Home "
               "shows the whole graph. A click holds a node, Shift-click adds one, a Shift-drag of "
               "the canvas marks all nodes in a rectangle; Del removes what is held, a drag moves "
               "it. Double-click: a new node, or the name of a node.";
    }

    void draw(PanelContext& context) override {
        draw_component_strip(context, ImGui::GetContentRegionAvail().x);
        if (context.comparison.is_on()) return draw_comparison(context);
        draw_graph_controls(context);
        const auto place = canvas_.draw_beside_picture(
            context, shows_picture_alone(*context.trace, context.selection), 0.56f);
        graph_.draw(context, place.box, place.origin);
    }

  private:
    void draw_comparison(PanelContext& context) {
        const ImVec2 size = ImGui::GetContentRegionAvail();
        const auto place = canvas_.draw_cards_below(context, {size.x, size.y});
        comparison_.draw(context, place.box, place.origin);
    }

    FlowCanvas canvas_;
    ComparisonCanvas comparison_;
    GraphCanvas graph_;
};

}  // namespace

std::unique_ptr<Panel> make_graph_panel() {
    return std::make_unique<GraphPanel>();
}

}  // namespace headlight
