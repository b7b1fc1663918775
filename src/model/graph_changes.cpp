#include "model/graph_changes.h"

#include <algorithm>

#include "core/error.h"
#include "model/changes.h"

namespace headlight {

Edges graph_edges(const Graph& graph, Switch self_loops) {
    const auto n = static_cast<Index>(graph.nodes.size());
    std::vector<EdgeEnds> list;
    for (const Edge& edge : graph.edges) {
        list.push_back({edge.target, edge.source});
        if (!graph.directed) list.push_back({edge.source, edge.target});
    }
    if (self_loops == Switch::On)
        for (Index i = 0; i < n; ++i) list.push_back({i, i});
    return make_edges(n, std::move(list));
}

Edges graph_edges(const GraphStudy& study) {
    return graph_edges(study.graph, study.self_loops);
}

bool are_same_but_for_places(Graph a, const Graph& b) {
    for (std::size_t k = 0; k < std::min(a.nodes.size(), b.nodes.size()); ++k)
        a.nodes[k].x = b.nodes[k].x, a.nodes[k].y = b.nodes[k].y;
    return a == b;
}

void change_graph(Document& document, const std::function<void(Graph&)>& change) {
    if (const GraphStudy* study = document.graph()) {
        GraphStudy changed = *study;
        change(changed.graph);
        return set_graph_study(document, std::move(changed));
    }
    Graph* graph = document.drawn_graph();
    if (!graph) throw Error("edit", "this study has no graph");
    Graph changed = *graph;
    change(changed);
    if (!are_same_but_for_places(changed, *graph))
        throw Error("edit",
                    "attention was recorded on this graph: its nodes can be moved, and "
                    "nothing else of it changed");
    *graph = std::move(changed);
}

}  // namespace headlight
