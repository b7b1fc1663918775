// Readers of graphs.
#include "fuzz/expectations.h"
#include "fuzz/readers.h"
#include "graph/adjacency.h"
#include "graph/dot.h"
#include "graph/edge_list.h"
#include "graph/gml.h"
#include "graph/matrix_market.h"
#include "graph/node_table.h"
#include "graph/pajek.h"
#include "io/graphs/gexf.h"
#include "io/graphs/graph_formats.h"
#include "io/graphs/graphml.h"
#include "io/graphs/json_graphs.h"

namespace headlight::fuzz {
void try_citations(std::string_view bytes) {
    const std::size_t end = std::min(bytes.find('\f'), bytes.size());
    const std::string_view citations = bytes.substr(std::min(end + 1, bytes.size()));
    expect_only_errors([&] {
        expect_sound(read_citations({bytes.substr(0, end), "table", citations, "cites"}).graph);
    });
}

void try_edge_list(std::string_view bytes) {
    for (const Directed directed : {Directed::No, Directed::Yes})
        expect_only_errors([&] {
            const Graph graph = read_edge_list(bytes, directed, "input").graph;
            const std::string written = write_edge_list(graph);
            const Directed as_read = graph.directed ? Directed::Yes : Directed::No;
            expect(read_edge_list(written, as_read, "written").graph == graph);
            const std::string name = "written";
            expect(format_of({written, name}).name == "edge list");
        });
}

void try_adjacency(std::string_view bytes) {
    expect_only_errors([&] {
        const bool is_list = bytes.starts_with('\f');
        expect_sound(is_list ? read_adjacency_list(bytes.substr(1), Directed::No, "input").graph
                             : read_adjacency_matrix(bytes, Directed::No, "input").graph);
    });
}

void try_dot(std::string_view bytes) {
    expect_only_errors([&] { expect_sound(read_dot(bytes, "input").graph); });
}

void try_gexf(std::string_view bytes) {
    expect_only_errors([&] { expect_sound(read_gexf(bytes, "input").graph); });
}

void try_gml(std::string_view bytes) {
    expect_only_errors([&] { expect_sound(read_gml(bytes, Directed::No, "input").graph); });
}

void try_graph(std::string_view bytes) {
    const std::string name = "input";
    expect_only_errors([&] { expect_sound(read_graph({bytes, name}).graph); });
}

void try_pajek(std::string_view bytes) {
    expect_only_errors([&] { expect_sound(read_pajek(bytes, "input").graph); });
}

void try_graphml(std::string_view bytes) {
    expect_only_errors([&] { expect_sound(read_graphml(bytes, "input").graph); });
}

void try_matrix_market(std::string_view bytes) {
    expect_only_errors([&] { expect_sound(read_matrix_market(bytes, "input").graph); });
}

void try_node_link(std::string_view bytes) {
    expect_only_errors([&] {
        const JsonSource source{"input", parse_json(bytes, "input")};
        expect_sound(read_json_graph(source, Directed::No).graph);
    });
}

}  // namespace headlight::fuzz
