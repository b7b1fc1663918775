#include "graph/node_table.h"

#include <doctest/doctest.h>
#include <string>

#include "core/error.h"
#include "graph/edge_list.h"

namespace headlight::node_table_test {
namespace {

const std::string kTable =
    "31336\t0\t1\t0\tNeural Networks\n1061127\t1\t0\t0.5\tRules\n13195\t0\t0\t1\tRules\n";

std::vector<float> features_of(const Graph& graph, std::size_t node) {
    const auto values = graph.nodes[node].features.values();
    return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("read_node_table: a row has a name, features and a label") {
    const ReadGraph read = read_node_table(kTable, "cora.content");
    REQUIRE(read.graph.nodes.size() == 3);
    CHECK(read.graph.nodes[1].name == "1061127");
    CHECK(features_of(read.graph, 1) == std::vector<float>{1, 0, 0.5});
    CHECK(read.graph.n_features() == 3);
    CHECK(read.graph.nodes[0].group == 1);
    CHECK(read.graph.nodes[2].group == 2);
    CHECK(notes_text(read.notes) == "groups 1 'Neural Networks', 2 'Rules'");
}

TEST_CASE("read_node_table: column names are skipped, and the label is optional") {
    const ReadGraph read = read_node_table("paper,a,b\nx,1,2\ny,3,4\n", "t.csv");
    REQUIRE(read.graph.nodes.size() == 2);
    CHECK(features_of(read.graph, 1) == std::vector<float>{3, 4});
    CHECK(read.graph.nodes[0].group == 0);
}

TEST_CASE("read_citations: the citing paper reads the cited one") {
    const std::string cites = "31336\t1061127\n1061127\t13195\n31336\t999\n31336\t1061127\n";
    const ReadGraph read = read_citations({kTable, "cora.content", cites, "cora.cites"});
    CHECK(read.graph.directed);
    CHECK(read.graph.edges == std::vector<Edge>{{0, 1}, {1, 2}});
    CHECK(notes_text(read.notes) ==
          "1 duplicate edge left out, 1 edge of unknown nodes left out, groups 1 'Neural "
          "Networks', 2 'Rules'");
}

TEST_CASE("is_node_table_line: it tells the table from the citations") {
    CHECK(is_node_table_line("31336\t0\t1\t0\tNeural_Networks"));
    CHECK(is_node_table_line("31336\t0\tNeural_Networks"));
    CHECK(is_node_table_line("31336\t0\t1\t0"));
    for (const char* line : {"31336\t1061127", "a b 0.5", "a", "", "a b c d"}) {
        CAPTURE(line);
        CHECK_FALSE(is_node_table_line(line));
    }
}

TEST_CASE("add_features: features are added by name, and missing ones are counted") {
    ReadGraph read = read_edge_list("13195 31336\n31336 other", Directed::No, "e");
    add_features(read, read_node_table(kTable, "t"));
    CHECK(features_of(read.graph, 0) == std::vector<float>{0, 0, 1});
    CHECK(features_of(read.graph, 2).empty());
    CHECK(read.graph.nodes[0].group == 2);
    CHECK(read.notes.others.front() == "1 node without features have zeros");
}

}  // namespace headlight::node_table_test
