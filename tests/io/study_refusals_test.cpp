// Invalid studies, with the text of the error.
#include <doctest/doctest.h>

#include "model/document.h"
#include "study_input.h"

namespace headlight::study_refusals_test {

TEST_CASE("study: wrong values are refused with line, key and the allowed values") {
    const auto layer = [](const std::string& member) {
        return refusal_with("\"layer\": {" + member + "}");
    };
    CHECK(
        layer(R"("n_layers": 257)") ==
        "[input.headlight] line 2, layer.n_layers: must be a whole number from 1 to 256, not 257");
    CHECK(
        layer("\"attention\": {\"n_heads\":\n\n4.5\n}") ==
        "[input.headlight] line 4, layer.attention.n_heads: must be a whole number from 1 to 256, "
        "not 4.5");
    for (const char* value : {"0", "-1", "18446744073709551616", "\"4\"", "true", "null", "[4]"}) {
        INFO(value);
        CHECK(contains(layer("\"attention\": {\"n_heads\": " + std::string(value) + "}"),
                       "must be a whole number from 1 to 256"));
    }
    CHECK(contains(
        layer(R"("block": {"norm": "pro"})"),
        "line 2, layer.block.norm: must be one of 'none', 'pre', 'post', 'both', not the text "
        "'pro'; did you mean 'pre'?"));
    CHECK(contains(layer(R"("block": {"residual": 1})"),
                   "layer.block.residual: must be true or false, not 1"));
    CHECK(contains(refusal_with(R"("layer": [])"), "layer: must be an object { … }, not a list"));
    CHECK(contains(layer(R"("mask": [])"), "layer.mask: must be an object { … }, not a list"));
    CHECK(contains(layer(R"("attention": {"temperature": 0})"),
                   "layer.attention.temperature: must be a number from 0.01 to 100, not 0"));
    CHECK(contains(refusal_with(R"("seed": -1)"), "seed: must be a whole number from 0 to 1844"));
    CHECK(contains(refusal(R"({"kind": "sentence", "text": 5})"),
                   "line 1, text: must be a text between \"quotes\", not 5"));
    CHECK(contains(refusal("[1]"), "line 1: must be an object { … }, not a list"));
}

TEST_CASE("study: widths are one number, or a list with one for each head") {
    const auto widths = [](const std::string& value) {
        return kHead + R"(, "layer": {"attention": {"d_k": )" + value + "}}}";
    };
    std::string many;
    for (int k = 0; k < 256; ++k) many += "1, ";
    CHECK(parse(widths("3")).sentence()->layer.attention.d_k == Widths{{3}});
    CHECK(parse(widths("[3, 4]")).sentence()->layer.attention.d_k == Widths{{3, 4}});
    CHECK(contains(refusal(widths("[]")), "d_k: a list has one number for each head, 1 to 256"));
    CHECK(contains(refusal(widths("[" + many + "1]")), "1 to 256"));
    CHECK(contains(refusal(widths("[3, 0]")),
                   "layer.attention.d_k[1]: must be a whole number from 1 to 100000, not 0"));
    CHECK(contains(refusal(widths("\"8\"")), "d_k: must be a whole number from 0 to 100000"));
}

TEST_CASE("study: unknown, missing and repeated keys are named") {
    CHECK(refusal_with(R"("layer": {"attention": {"heads": 4}})") ==
          "[input.headlight] line 2, layer.attention.heads: unknown key; did you mean 'n_heads'?");
    CHECK(contains(refusal_with(R"("zebra": 4)"),
                   "line 2, zebra: unknown key; known here: 'headlight', 'kind', 'text'"));
    CHECK(contains(refusal_with(R"("graph": {})"), "line 2, graph: unknown key"));
    CHECK(refusal("{}") == "[input.headlight] line 1: the key 'kind' is missing");
    CHECK(contains(refusal(R"({"kind": "sentence"})"), "the key 'text' is missing"));
    CHECK(contains(refusal(R"({"kind": "graph"})"), "the key 'graph' is missing"));
    CHECK(contains(refusal_with("\"seed\": 1,\n\"seed\": 2"),
                   "line 3: the key 'seed' is here for the second time (first on line 2)"));
}

TEST_CASE("study: a newer version is reported as newer, even with unknown keys") {
    CHECK(contains(refusal(R"({"headlight": 2, "kind": "image"})"),
                   "headlight: format version 2 is newer than this program, which reads up to 1"));
    CHECK(contains(refusal(R"({"headlight": 0, "kind": "sentence", "text": ""})"),
                   "headlight: must be a whole number from 1"));
    CHECK(contains(refusal(R"({"kind": "video"})"),
                   "kind: must be one of 'sentence', 'alignment', 'graph', 'image'"));
}

TEST_CASE("study: invalid JSON is refused with its line") {
    CHECK(refusal("") == "[input.headlight] is empty");
    CHECK(contains(refusal_with("\"seed\": NaN"), "line 2: syntax error"));
    CHECK(contains(refusal_with("\"seed\": 1e999"), "line 2: number overflow"));
    CHECK(contains(refusal_with("\"edits\": {\"x\": {\"cells\": [[0, 0, Infinity]]}}"), "line 2"));
    CHECK(contains(refusal(kHead + "} x"), "line 1: syntax error"));
    CHECK(contains(refusal(kHead + "}" + '\0'), "line 1: a zero byte"));
    CHECK(contains(refusal(kHead + ", // no\n\"seed\": 1}"), "line 1: syntax error"));
    CHECK(contains(refusal("{\n\n\"kind\": \"sen"), "line 3: "));
    CHECK(contains(refusal("{\n\"kind\": \"\xC3(\"}"), "line 2: not UTF-8 at byte 11"));
    CHECK(contains(refusal(R"({"kind": "sentence", "text": "\ud800"})"), "line 1: "));
    CHECK(contains(refusal("\xFF\xFE{"), "is in UTF-16; save it as UTF-8"));
    CHECK(contains(refusal(std::string(10'000'000, '[')), "nested too deep; at most 64"));
    CHECK(contains(refusal("PK\x03\x04 zip"), "a zip archive"));
}

TEST_CASE("study: broken edits are refused") {
    const auto edit = [](const std::string& intervention) {
        return refusal_with("\"edits\": {\"x\": {" + intervention + "}}");
    };
    CHECK(contains(edit(""), "line 2, edits.x: needs 'cells', 'matrix', 'ablation' or 'add'"));
    CHECK(contains(edit(R"("on": 0, "cells": [])"), "edits.x.on: must be true or false, not 0"));
    CHECK(contains(edit(R"("cells": [], "matrix": [])"), "has both 'cells' and 'matrix'"));
    CHECK(contains(edit(R"("cells": [[0, 0, 1], [0, 1]])"),
                   "edits.x.cells[1]: a cell is [row, column, value]"));
    CHECK(contains(edit(R"("cells": [[0, 0, 1], [0, 0, 2]])"), "cell [0, 0] is here twice"));
    CHECK(
        contains(edit(R"("cells": [[-1, 0, 1]])"), "edits.x.cells[0][0]: must be a whole number"));
    CHECK(contains(edit(R"("cells": [[0, 4294967296, 1]])"), "from 0 to 2147483647"));
    CHECK(contains(edit(R"("cells": [[0, 0, "nan"]])"),
                   "must be a number or \"-inf\", not the text 'nan'"));
    CHECK(contains(edit(R"("cells": [[0, 0, null]])"), "must be a number or \"-inf\""));
    CHECK(contains(edit(R"("cells": [[0, 0, 1e39]])"), "must be a number of at most 3.4e38"));
    CHECK(contains(edit(R"("matrix": [[1, 2], [3]])"),
                   "edits.x.matrix[1]: this row has 1 value, the first has 2"));
    CHECK(contains(edit(R"("rows": "keep it", "cells": [])"), "must be one of 'keep'"));
    CHECK(contains(edit(R"("cell": [])"), "edits.x.cell: unknown key; did you mean 'cells'?"));
}

TEST_CASE("study: broken graphs are refused") {
    CHECK(contains(graph_refusal(R"("nodes": ["a", "a"])"),
                   "line 2, graph.nodes[1]: a second node is called 'a'"));
    CHECK(contains(graph_refusal(R"("nodes": [""])"), "graph.nodes[0]: must not be empty"));
    CHECK(contains(graph_refusal(R"("nodes": [{"x": 0, "y": 0}])"), "the key 'name' is missing"));
    CHECK(contains(graph_refusal(R"("nodes": [{"name": "a", "x": 0}])"), "needs both x and y"));
    CHECK(contains(graph_refusal(R"("nodes": ["a", {"name": "b", "x": 0, "y": 0}])"),
                   "give x and y to all or to none"));
    CHECK(contains(graph_refusal("\"nodes\": [\"a\"],\n\"edges\": [[\"a\", \"c\"]]"),
                   "line 3, graph.edges[0][1]: no node is called 'c'"));
    CHECK(contains(graph_refusal(R"("nodes": ["a"], "edges": [["a"]])"), "two node names"));
    CHECK(contains(graph_refusal(R"("nodes": ["a", "b"], "edges": [["a", "b"], ["b", "a"]])"),
                   "graph.edges[1]: this edge is here for the second time"));
    CHECK(graph_refusal(
              R"("directed": true, "nodes": ["a", "b"], "edges": [["a", "b"], ["b", "a"]])") == "");
    CHECK(contains(refusal(R"({"kind": "graph", "graph": {"nodes": []}, "layer": {"slope": 2}})"),
                   "layer.slope: must be a number from 0 to 1"));
}

TEST_CASE("study: broken alignments and images are refused") {
    CHECK(contains(refusal(R"({"kind": "alignment", "source": "a"})"), "'target' is missing"));
    CHECK(
        contains(refusal(R"({"kind": "alignment", "source": "a", "target": 1})"), "target: must"));
    CHECK(contains(refusal(R"({"kind": "image"})"), "the key 'pixels' is missing"));
    const auto picture = [](const std::string& members, const std::string& more = "") {
        return refusal(R"({"kind": "image", "picture": {)" + members + "}" + more + "}");
    };
    CHECK(picture("") == "");
    CHECK(picture(R"("file": "cat.png", "size": [224, 196], "crop": [9, 9])") == "");
    CHECK(contains(picture("", R"(, "pixels": [[[0]]])"),
                   "picture: stands in place of pixels; keep one of the two"));
    CHECK(contains(picture(R"("size": [224])"), "picture.size: must be [rows, columns]"));
    CHECK(contains(picture(R"("crop": [0, 1])"), "picture.crop[0]"));
    CHECK(contains(picture(R"("resample": "cubic")"), "picture.resample"));
    CHECK(contains(picture(R"("checksum": "x")"), "must be the 16 digits of a checksum"));
    CHECK(contains(picture(R"("shortest": 9, "size": [9, 9])"),
                   "has a size or its shortest side, not both"));
    CHECK(contains(picture(R"("where": "cat.png")"), "where"));
    const auto pixels = [](const std::string& list) {
        return refusal(R"({"kind": "image", "pixels": )" + list + "}");
    };
    CHECK(pixels("[[[0], [1]]]") == "");
    CHECK(contains(pixels("[]"), "pixels: must have 1 to 64 rows, not 0"));
    CHECK(contains(pixels("[[]]"), "pixels[0]: must have 1 to 64 pixels, not 0"));
    CHECK(contains(pixels("[[[]]]"), "pixels[0][0]: must have 1 to 16 channels, not 0"));
    CHECK(contains(pixels("[[[0]], [[0], [1]]]"), "pixels[1]: has 2 pixels, the first has 1"));
    CHECK(contains(pixels("[[[0], [0, 1]]]"), "pixels[0][1]: has 2 channels, the first has 1"));
    CHECK(contains(pixels("[[[2]]]"), "pixels[0][0][0]: must be a number from 0 to 1, not 2"));
}

TEST_CASE("study: a text beyond the limits is refused") {
    const auto with_text = [](const std::string& text) {
        return refusal(R"({"kind": "sentence", "text": ")" + text + "\"}");
    };
    CHECK(
        contains(with_text(std::string(kMaxTextBytes + 1, 'a')), "text: must be at most 1000000"));
    std::string words;
    for (int i = 0; i < 4097; ++i) words += "w ";
    CHECK(contains(with_text(words), "text: must have at most 4096 words, not 4097"));
    CHECK(with_text(std::string(kMaxTextBytes, 'a')) == "");
}

}  // namespace headlight::study_refusals_test
