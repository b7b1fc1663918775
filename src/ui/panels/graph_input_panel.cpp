// The graph in words: its name, its size, how to change it.
#include <fmt/format.h>
#include <imgui.h>

#include "graph/graph_builder.h"
#include "model/changes.h"
#include "text/strings.h"
#include "ui/panels/panels.h"
#include "ui/panels/recording_view.h"
#include "ui/panels/weights_view.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

/// Returns " · 1433 features" where the graph brings its own.
std::string features_text(const Graph& graph) {
    if (graph.nodes.empty()) return "";
    const auto n = std::ssize(graph.nodes.front().features.values());
    return n == 0 ? "" : " · " + counted(n, "feature");
}

const char* hint_for(GraphLook::Tool tool) {
    return tool == GraphLook::Tool::Draw
               ? "Click the canvas and type a name: a node. Drag from node to node: an edge. "
                 "Double-click a node: its name."
               : "Double-click the canvas: new node; a node: its name · Shift-drag from node to "
                 "node: new edge · Shift-drag the canvas: mark nodes · Del: remove · wheel: zoom";
}

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
        widgets::hint(
            context, fmt::format("{} · {} · {}{}", counted(graph.nodes.size(), "node"),
                                 counted(graph.edges.size(), "edge"),
                                 graph.directed ? "directed" : "undirected", features_text(graph)));
        if (widgets::button(context, "New graph", "An empty one, to draw"))
            context.requests.run("new-graph");
        widgets::same_line_if_fits("Select all");
        if (widgets::button(context, "Select all", "All nodes  (Ctrl+A)"))
            context.requests.run("select-all");
        widgets::hint(context, hint_for(context.selection.looks.graph.tool));
        draw_weights(context);
    }

  private:
    RecordingView recording_;
};

}  // namespace

std::unique_ptr<Panel> make_graph_input_panel() {
    return std::make_unique<GraphInputPanel>();
}

}  // namespace headlight
