// The karate club from its embedded edge list.
#include "graph/karate.h"

#include "embedded_graphs.h"
#include "graph/edge_list.h"
#include "graph/layout.h"

namespace headlight {

Graph karate_club() {
    constexpr auto kFile = "karate.edges";
    Graph graph = read_edge_list(embedded_graphs(kFile), Directed::No, kFile).graph;
    graph.title = "Zachary's karate club";
    lay_out(graph);
    return graph;
}

}  // namespace headlight
