// Readers of graphs.
#include "fuzz/expectations.h"
#include "fuzz/readers.h"
#include "graph/edge_list.h"
#include "graph/matrix_market.h"
#include "graph/node_table.h"
#include "io/graphs/graphml.h"
#include "io/graphs/node_link.h"

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
            expect(read_edge_list(written, directed, "written").graph == graph);
        });
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
        expect_sound(read_node_link(source, Directed::No).graph);
    });
}

}  // namespace headlight::fuzz
