// The words for how a graph is shown: read and written, they stay the same.
#include "scene/export/graph_words.h"

#include <doctest/doctest.h>

namespace headlight::graph_words_test {

TEST_CASE("graph words: what is written is read back") {
    for (const char* word : {"all", "strongest:3", "strongest:12", "weight:0.25", "chosen"}) {
        GraphLook look;
        REQUIRE(read_edges_word(look, word));
        CHECK(edges_word(look) == word);
    }
    for (const char* word : {"class", "group", "feature:0", "output:17"}) {
        GraphLook look;
        REQUIRE(read_nodes_word(look, word));
        CHECK(nodes_word(look) == word);
    }
    GraphZoom zoom;
    REQUIRE(read_graph_zoom_word(zoom, "2.5:0.25:1"));
    CHECK(zoom == GraphZoom{2.5, 0.25, 1});
    GraphZoom again;
    REQUIRE(read_graph_zoom_word(again, graph_zoom_word(zoom)));
    CHECK(again == zoom);
}

TEST_CASE("graph words: anything else is refused, and changes nothing") {
    GraphLook look;
    for (const char* word : {"", "some", "strongest", "strongest:", "strongest:0", "strongest:2.5",
                             "weight:2", "weight:-1", "weight:nan", "weight:0.1x"})
        CHECK_FALSE(read_edges_word(look, word));
    for (const char* word : {"", "classes", "feature", "feature:-1", "output:x"})
        CHECK_FALSE(read_nodes_word(look, word));
    GraphZoom zoom;
    for (const char* word : {"", "2", "2:1", "0.5:0:0", "2:1.5:0", "nan:0:0", "2:0:0:0"})
        CHECK_FALSE(read_graph_zoom_word(zoom, word));
    CHECK(look == GraphLook{});
    CHECK(zoom == GraphZoom{});
}

}  // namespace headlight::graph_words_test
