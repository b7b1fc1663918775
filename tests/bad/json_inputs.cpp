// JSON: studies, the window's state, node-link graphs.
#include <utility>

#include "bad/bad_inputs.h"

namespace headlight::bad {
namespace {

using namespace std::string_literals;

/// Inputs that every reader of JSON must refuse.
std::vector<BadInput> broken_json(const std::string& no_object) {
    return {
        {"empty", "", "is empty"},
        {"10 million [", repeated("[", 10'000'000),
         "line 1: nested too deep; at most 64 levels are read"},
        {"1 million {\"a\":", repeated("{\"a\":", 1'000'000),
         "line 1: nested too deep; at most 64 levels are read"},
        {"65 levels", repeated("[", 65) + repeated("]", 65),
         "line 1: nested too deep; at most 64 levels are read"},
        {"trailing garbage", "{} x",
         "line 1: syntax error while parsing value - invalid literal; last read: '{} x'; expected "
         "end of input"},
        {"trailing NUL", "{}\0"s, "line 1: a zero byte; this is not a text file"},
        {"UTF-16", "\xFF\xFE{\0}\0"s, "is in UTF-16; save it as UTF-8"},
        {"UTF-16 without mark", "{\0}\0"s, "line 1: a zero byte; this is not a text file"},
        {"a byte that is not UTF-8", "{\"a\": \"\xFF\"}",
         "line 1: not UTF-8 at byte 7; save it as UTF-8"},
        {"a lone surrogate", "{\"a\": \"\\ud800\"}",
         "line 1: syntax error while parsing value - invalid string: surrogate U+D800..U+DBFF must "
         "be followed by U+DC00..U+DFFF; last read: '\"\\ud800\"'"},
        {"NaN", "{\"a\": NaN}",
         "line 1: syntax error while parsing value - invalid literal; last read: '\"a\": N'"},
        {"Infinity", "{\"a\": Infinity}",
         "line 1: syntax error while parsing value - invalid literal; last read: '\"a\": I'"},
        {"1e999", "{\"a\": 1e999}", "line 1: number overflow parsing '1e999'"},
        {"a comment", "{} // x",
         "line 1: syntax error while parsing value - invalid literal; last read: '{} /'; expected "
         "end of input"},
        {"the same key twice", "{\"a\": 1,\n\"a\": 2}",
         "line 2: the key 'a' is here for the second time (first on line 1); keep one"},
        {"a list", "[]", no_object + ", not a list"},
        {"null", "null", no_object + ", not null"},
        {"a string of 10 million characters that does not end",
         "{\"a\": \"" + repeated("x", 10'000'000),
         "line 1: syntax error while parsing value - invalid string: missing closing quote; last "
         "read: '\"" +
             repeated("x", 112) + "…"},
    };
}

std::vector<BadInput> with_broken_json(std::vector<BadInput> rows) {
    for (BadInput& row : broken_json("line 1: must be an object { … }"))
        rows.push_back(std::move(row));
    return rows;
}

std::string graph_study(const std::string& members) {
    return R"({"kind": "graph", "graph": {)" + members + "}}";
}

}  // namespace

std::string good_study() {
    return R"({"headlight": 1, "kind": "graph", "graph": {"title": "t", "nodes": [
{"name": "a", "x": 0, "y": 1, "group": 1, "features": [1, 2]}, {"name": "b", "x": 1, "y": 0.5}],
"edges": [["a", "b", 0.5]]}, "layer": {"n_heads": 2}, "seed": 7,
"edits": {"embed": {"cells": [[0, 1, "-inf"]]}}})";
}

std::string good_window_state() {
    return R"({"width": 800, "height": 600, "maximised": false, "place": [1, -2], "theme": "dark",
"zoom": 1.25, "workspace": 1, "files": ["", {"open": ["a.headlight"], "shown": 0}, "", ""]})";
}

std::vector<BadInput> study_inputs() {
    const std::string sentence = R"({"kind": "sentence", "text": "a b", )";
    const auto heads = [&](const std::string& value) {
        return sentence + R"("layer": {"attention": {"n_heads": )" + value + "}}}";
    };
    std::vector<BadInput> rows = {
        {"count 2^64", heads("18446744073709551616"),
         "line 1, layer.attention.n_heads: must be a whole number from 1 to 256, not "
         "18446744073709551616"},
        {"count -1", heads("-1"),
         "line 1, layer.attention.n_heads: must be a whole number from 1 to 256, not -1"},
        {"count 3.7", heads("3.7"),
         "line 1, layer.attention.n_heads: must be a whole number from 1 to 256, not 3.7"},
        {"count true", heads("true"),
         "line 1, layer.attention.n_heads: must be a whole number from 1 to 256, not true"},
        {"count \"5\"", heads("\"5\""),
         "line 1, layer.attention.n_heads: must be a whole number from 1 to 256, not the text '5'"},
        {"count null", heads("null"),
         "line 1, layer.attention.n_heads: must be a whole number from 1 to 256, not null"},
        {"object for a list", graph_study(R"("nodes": {})"),
         "line 1, graph.nodes: must be a list [ … ], not an object"},
        {"list for a text", R"({"kind": "sentence", "text": []})",
         "line 1, text: must be a text between \"quotes\", not a list"},
        {"an unknown key", sentence + R"("zebra": 1})",
         "line 1, zebra: unknown key; known here: 'headlight', 'kind', 'text', 'seed', "
         "'weights', 'view', 'edits', 'layer', 'decoding'"},
        {"weights in two places", sentence + R"("weights": {"file": "a", "matrices": {}}})",
         "line 1, weights: has both 'matrices' and a 'file' or 'model'; keep one"},
        {"a checksum of letters", sentence + R"("weights": {"file": "a", "checksum": "x"}})",
         "line 1, weights.checksum: is no checksum"},
        {"weights with a ragged row",
         sentence + R"("weights": {"matrices": {"W": {"values": [[1, 2], [3]]}}}})",
         "line 1, weights.matrices.W.values[1]: is not as long as the first row"},
        {"weights with too few words",
         sentence + R"("weights": {"matrices": {"embed": {"values": [[1]], "rows": []}}}})",
         "line 1, weights.matrices.embed.rows: has 0 names for 1 rows"},
        {"a newer version", R"({"headlight": 2, "kind": "sentence"})",
         "line 1, headlight: format version 2 is newer than this program, which reads up to 1; get "
         "a newer Headlight"},
        {"a negative version", R"({"headlight": -1, "kind": "sentence"})",
         "line 1, headlight: must be a whole number from 1 to 2147483647, not -1"},
        {"rows of different length", sentence + R"("edits": {"x": {"matrix": [[1, 2], [3]]}}})",
         "line 1, edits.x.matrix[1]: this row has 1 value, the first has 2"},
        {"row 2^32", sentence + R"("edits": {"x": {"cells": [[4294967296, 0, 1]]}}})",
         "line 1, edits.x.cells[0][0]: must be a whole number from 0 to 2147483647, not "
         "4294967296"},
        {"a cell that is NaN", sentence + R"("edits": {"x": {"cells": [[0, 0, "nan"]]}}})",
         "line 1, edits.x.cells[0][2]: must be a number or \"-inf\", not the text 'nan'"},
        {"an edit of +inf, after which nothing is a number",
         sentence + R"("edits": {"x": {"cells": [[0, 0, "inf"]]}}})",
         "line 1, edits.x.cells[0][2]: must be a number or \"-inf\", not the text 'inf'"},
        {"a cell of -0", sentence + R"("edits": {"x": {"cells": [[0, 0, -0.0]]}}})", "read"},
        {"a view that is a text", sentence + R"("view": "heads"})",
         "line 1, view: must be an object { … }, not the text 'heads'"},
        {"a number in a view", sentence + R"("view": {"row": 7}})",
         "line 1, view.row: must be a text between \"quotes\", not 7"},
        {"a number in a list of a view", sentence + R"("view": {"row": ["7", 8]}})",
         "line 1, view.row[1]: must be a text between \"quotes\", not 8"},
        {"a view of nothing that is known", sentence + R"("view": {"zebra": "1", "row": []}})",
         "read"},
        {"a label of control characters",
         graph_study("\"title\": \"\\u0000\\u001b\\u202e\", \"nodes\": [\"a\"]"), "read"},
        {"an edge of an unknown node",
         graph_study(R"("nodes": ["a"], "edges": [["a", "\u202eb"]])"),
         "line 1, graph.edges[0][1]: no node is called '\\u202eb'"},
        {"features of different length",
         graph_study(
             R"("nodes": [{"name": "a", "features": [1]}, {"name": "b", "features": [1, 2]}])"),
         "line 1, graph.nodes[1].features: has 2 features; all nodes that have some have as many, "
         "1 or more"},
        {"a weight that is text", graph_study(R"("nodes": ["a"], "edges": [["a", "a", "1"]])"),
         "line 1, graph.edges[0][2]: must be a number, not the text '1'"},
        {"an image of 65 rows",
         R"({"kind": "image", "pixels": [)" + repeated("[[0]],", 64) + "[[0]]]}",
         "line 1, pixels: must have 1 to 64 rows, not 65"},
        {"a byte order mark", "\xEF\xBB\xBF" + sentence + R"("seed": 1})", "read"},
        {"a text of 1,000,001 bytes",
         R"({"kind": "sentence", "text": ")" + repeated("a", 1'000'001) + "\"}",
         "line 1, text: must be at most 1000000 bytes long, not 1000001"},
    };
    return with_broken_json(std::move(rows));
}

std::vector<BadInput> window_state_inputs() {
    const std::string front = R"({"height": 600, "maximised": false, "theme": "dark", "zoom": 1, )";
    const std::string back = R"(, "workspace": 0, "files": ["", "", "", ""]})";
    std::vector<BadInput> rows = {
        {"a width of 1e30", front + "\"width\": 1e30" + back,
         "line 1, width: must be a number from 320 to 20000, not 1e+30"},
        {"a negative width", front + "\"width\": -800" + back,
         "line 1, width: must be a number from 320 to 20000, not -800"},
        {"one number for a place", front + "\"width\": 800, \"place\": [1]" + back,
         "line 1, place: must be two numbers"},
        {"a place far off", front + "\"width\": 800, \"place\": [1, 1e9]" + back,
         "line 1, place[1]: must be a whole number from -100000 to 100000, not 1e+09"},
        {"an unknown theme",
         R"({"width": 800, "height": 600, "maximised": false, "theme": "pink"})",
         "line 1, theme: must be one of 'light', 'dark', 'contrast', not the text 'pink'"},
        {"workspace 7",
         R"({"width": 800, "height": 600, "maximised": false, "theme": "dark", "zoom": 1,
"files": ["", "", "", ""], "workspace": 7})",
         "line 2, workspace: must be a whole number from 0 to 5, not 7"},
        {"too few files",
         R"({"width": 800, "height": 600, "maximised": false, "theme": "dark", "zoom": 1,
"files": [""], "workspace": 0})",
         "line 2, files: must be one for each workspace"},
        {"a tab before the first",
         R"({"width": 800, "height": 600, "maximised": false, "theme": "dark", "zoom": 1,
"files": [{"open": ["a"], "shown": -1}, "", "", ""], "workspace": 0})",
         "line 2, files[0].shown: must be a whole number from 0 to 64, not -1"},
        {"a number for a file",
         R"({"width": 800, "height": 600, "maximised": false, "theme": "dark", "zoom": 1,
"files": [{"open": [7], "shown": 0}, "", "", ""], "workspace": 0})",
         "line 2, files[0].open[0]: must be a text between \"quotes\", not 7"},
        {"an unknown key", R"({"zebra": 1})",
         "line 1, zebra: unknown key; known here: 'width', 'height', 'maximised', 'place', "
         "'theme', 'zoom', 'workspace', 'files', 'lecture', 'lecture_page'"},
    };
    return with_broken_json(std::move(rows));
}

std::vector<BadInput> node_link_inputs() {
    const auto graph = [](const std::string& nodes, const std::string& links) {
        return "{\"nodes\": [" + nodes + "],\n\"links\": [" + links + "]}";
    };
    std::vector<BadInput> rows = {
        {"no nodes member", R"({"links": []})", "line 1: the key 'nodes' is missing"},
        {"no links member", R"({"nodes": []})", "line 1: the key 'links' is missing"},
        {"links and edges", R"({"nodes": ["a"], "links": [], "edges": []})",
         "line 1: has both 'links' and 'edges'; keep one"},
        {"no nodes", graph("", ""),
         "line 1, nodes: there are no nodes; a graph needs at least one"},
        {"the same id as number and text", graph(R"({"id": 1}, {"id": "1"})", ""),
         "line 1, nodes[1]: two nodes are called '1'; names must differ"},
        {"id 1.5", graph(R"({"id": 1.5})", ""),
         "line 1, nodes[0].id: an id must be a text or a whole number"},
        {"id null", graph(R"({"id": null})", ""),
         "line 1, nodes[0].id: an id must be a text or a whole number"},
        {"an empty id", graph(R"({"id": ""})", ""),
         "line 1, nodes[0]: a node has no name; give it one"},
        {"a link of an unknown node", graph(R"({"id": "a"})", R"({"source": "a", "target": "b"})"),
         "line 2, links[0].target: there is no node 'b'"},
        {"a link without target", graph(R"({"id": "a"})", R"({"source": "a"})"),
         "line 2, links[0]: the key 'target' is missing"},
        {"an index beyond the nodes", graph(R"({"group": 1})", R"({"source": 0, "target": 1})"),
         "line 2, links[0].target: must be a whole number from 0 to 0, not 1"},
        {"a negative index", graph(R"({"group": 1})", R"({"source": 0, "target": -1})"),
         "line 2, links[0].target: must be a whole number from 0 to 0, not -1"},
        {"a weight that is text",
         graph(R"({"id": "a"})", R"({"source": "a", "target": "a", "weight": "1"})"),
         "line 2, links[0].weight: must be a number, not the text '1'"},
        {"a weight of 1e39",
         graph(R"({"id": "a"})", R"({"source": "a", "target": "a", "weight": 1e39})"),
         "line 2, links[0].weight: must be a number of at most 3.4e38 in size, not 1e+39"},
        {"directed: 1", R"({"directed": 1, "nodes": ["a"], "links": []})",
         "line 1, directed: must be true or false, not 1"},
        {"features of different length",
         graph(R"({"id": "a", "features": [1]}, {"id": "b", "features": []})", ""),
         "line 1, nodes[1].features: has 0 features; all nodes that have some have as many, 1 or "
         "more"},
        {"places that are no numbers",
         graph(R"({"id": "a", "x": "nan", "y": 0}, {"id": "b", "x": 1, "y": 2})", ""),
         "read: without effect: attributes 'x', 'y' of nodes"},
        {"all places the same",
         graph(R"({"id": "a", "x": 5, "y": 5}, {"id": "b", "x": 5, "y": 5})", ""), "read"},
        {"a link that is a number", graph(R"({"id": "a"})", "3"),
         "line 2, links[0]: must be an object { … }, not 3"},
        {"nested data of nodes", graph(R"({"id": "a", "more": {"deep": [1, {"x": 2}]}})", ""),
         "read"},
    };
    return with_broken_json(std::move(rows));
}

}  // namespace headlight::bad
