#include "io/study.h"

#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <random>

#include "broken_input.h"
#include "io/file.h"
#include "model/evaluate.h"

using namespace headlight;

namespace {

Document parse(const std::string& bytes) {
    return read_study(bytes, "input.headlight");
}

std::string refusal(const std::string& bytes) {
    return error_of([&] { parse(bytes); });
}

const std::string kHead = R"({"kind": "sentence", "text": "a b")";

/// Refusal of a sentence with one more member.
std::string refusal_with(const std::string& member) {
    return refusal(kHead + ",\n" + member + "}");
}

/// Refusal of a graph with these members.
std::string graph_refusal(const std::string& members) {
    return refusal("{\"kind\": \"graph\", \"graph\": {\n" + members + "}}");
}

// Random documents.

class RandomDocument {
  public:
    explicit RandomDocument(unsigned seed) : random_(seed) {}

    Document make() {
        Document document;
        if (below(2) == 0)
            document.study = sentence();
        else
            document.study = graph();
        document.seed = random_();
        for (int i = below(4); i > 0; --i) document.holds[text(1 + below(8))] = hold();
        return document;
    }

  private:
    int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

    std::string text(int n_pieces) {
        static const std::string pieces[] = {"a",  "Ж",    "\"", "\\", "\n", "\t",   "😀",
                                             "\r", "\x01", "é",  " ",  ".",  "\x7F", "</"};
        std::string result;
        for (int i = 0; i < n_pieces; ++i) result += pieces[below(std::size(pieces))];
        return result;
    }

    /// Any finite float or ±∞, by its bits.
    float number() {
        while (true) {
            const auto bits = static_cast<std::uint32_t>(random_());
            float value;
            std::memcpy(&value, &bits, sizeof value);
            if (!std::isnan(value)) return value;
        }
    }

    Hold hold() {
        Hold hold;
        if (below(2)) hold.rows = RowRule::Renormalise;
        if (below(2)) {
            Matrix values(1 + below(4), 1 + below(4));
            for (Index i = 0; i < values.size(); ++i) values.data()[i] = number();
            hold.cells = hold_all(values).cells;
        } else {
            for (int i = below(5); i > 0; --i) hold.set(below(5), below(5), number());
        }
        if (below(4) == 0) hold.set(0, 0, -0.0f);
        return hold;
    }

    SentenceStudy sentence() {
        SentenceStudy study;
        study.text = text(below(20));
        study.layer = {.n_layers = 1 + below(kMaxLayers),
                       .n_heads = 1 + below(kMaxHeads),
                       .d_model = 1 + below(kMaxWidth),
                       .d_k = 1 + below(kMaxWidth),
                       .d_v = 1 + below(kMaxWidth),
                       .mask = below(2) ? MaskKind::Causal : MaskKind::None,
                       .positions = below(2) ? PositionKind::Sinusoidal : PositionKind::None,
                       .residual = below(2) ? Residual::On : Residual::Off};
        return study;
    }

    GraphStudy graph() {
        GraphStudy study;
        study.graph.title = text(below(5));
        study.graph.directed = below(2);
        const int n_nodes = below(6);
        for (int i = 0; i < n_nodes; ++i)
            study.graph.nodes.push_back({text(2) + std::to_string(i),
                                         static_cast<float>(below(1000)) / 999,
                                         static_cast<float>(below(1000)) / 999, below(3)});
        for (int i = 0; i < n_nodes; ++i)
            for (int j = 0; j < n_nodes; ++j)
                if (below(3) == 0 && !study.graph.has_edge(i, j)) study.graph.add_edge(i, j);
        study.layer = {.n_heads = 1 + below(kMaxHeads),
                       .d_in = 1 + below(kMaxWidth),
                       .d_out = 1 + below(kMaxWidth),
                       .slope = static_cast<float>(below(1000)) / 999,
                       .combine = below(2) ? Combine::Mean : Combine::Concat,
                       .activation = below(2) ? Activation::None : Activation::Elu};
        study.self_loops = below(2) ? SelfLoops::Off : SelfLoops::On;
        return study;
    }

    std::mt19937_64 random_;
};

/// The JSON examples of the documentation.
std::vector<std::string> documented_examples() {
    const std::string page = read_file(HEADLIGHT_SOURCE_DIR "/docs/study-format.md");
    const std::string begin_mark = "```json\n", end_mark = "```";
    std::vector<std::string> examples;
    for (std::size_t at = page.find(begin_mark); at != std::string::npos;
         at = page.find(begin_mark, at)) {
        at += begin_mark.size();
        examples.push_back(page.substr(at, page.find(end_mark, at) - at));
    }
    return examples;
}

bool same_bits(const Holds& a, const Holds& b) {
    if (a != b) return false;
    for (const auto& [path, hold] : a)
        for (std::size_t i = 0; i < hold.cells.size(); ++i)
            if (std::signbit(hold.cells[i].value) != std::signbit(b.at(path).cells[i].value))
                return false;
    return true;
}

}  // namespace

TEST_CASE("study: load ∘ save = identity, to the last bit") {
    for (unsigned seed = 0; seed < 3000; ++seed) {
        const Document document = RandomDocument(seed).make();
        const std::string bytes = write_study(document);
        INFO(bytes);
        const Document again = parse(bytes);
        REQUIRE(again == document);
        REQUIRE(same_bits(again.holds, document.holds));
        REQUIRE(write_study(again) == bytes);
    }
}

TEST_CASE("study: the law of identity notices one changed bit") {
    Document document = built_in_sentence();
    document.holds["embed"].set(0, 0, 0.1f);
    Document other = document;
    other.holds["embed"].set(0, 0, std::nextafter(0.1f, 1.0f));
    CHECK(parse(write_study(document)) != other);
}

TEST_CASE("study: the built-in studies come back") {
    for (const Document& document : {built_in_sentence(), built_in_graph()})
        CHECK(parse(write_study(document)) == document);
}

TEST_CASE("study: the text is laid out for people") {
    Document document;
    document.study = SentenceStudy{.text = "Hi", .layer = {}};
    document.holds["mask"].set(1, 0, kMasked);
    Matrix values(2, 2);
    values << 1, 0.1f, -2.5f, 0;
    document.holds["blocks.0.attn.heads.0.W_Q"] = hold_all(values);
    CHECK(write_study(document) == R"({
  "headlight": 1,
  "kind": "sentence",
  "text": "Hi",
  "layer": {
    "n_layers": 1,
    "n_heads": 4,
    "d_model": 32,
    "d_k": 8,
    "d_v": 8,
    "mask": "none",
    "positions": "sinusoidal",
    "residual": true
  },
  "seed": 1,
  "edits": {
    "blocks.0.attn.heads.0.W_Q": {
      "matrix": [
        [1, 0.1],
        [-2.5, 0]
      ]
    },
    "mask": {
      "cells": [
        [1, 0, "-inf"]
      ]
    }
  }
}
)");
}

TEST_CASE("study: kind and text are enough, the rest has the defaults of its types") {
    Document expected;
    expected.study = SentenceStudy{.text = "a b", .layer = {}};
    CHECK(parse(kHead + "}") == expected);
    CHECK(parse("\xEF\xBB\xBF \r\n\t" + kHead + "}\n") == expected);  // byte order mark, space
}

TEST_CASE("study: nodes may be bare names; a graph without places is laid out") {
    const Document document = parse(
        R"({"kind": "graph", "graph": {"nodes": ["a", {"name": "b"}], "edges": [["b", "a"]]}})");
    const Graph& graph = document.graph()->graph;
    REQUIRE(graph.nodes.size() == 2);
    CHECK(graph.nodes[1].name == "b");
    CHECK(graph.edges == std::vector<Edge>{{1, 0}});
    CHECK(std::pair(graph.nodes[0].x, graph.nodes[0].y) !=
          std::pair(graph.nodes[1].x, graph.nodes[1].y));
    CHECK(document.graph()->layer == GraphAttentionSettings{});
}

TEST_CASE("study: cells in any order; large, small and whole numbers round to the nearest float") {
    const Document document = parse(kHead + R"(, "edits": {"x": {"cells":
        [[1, 0, 16777217], [0, 1, 1e-50], [0, 0, 3.4028235e+38], [2, 0, "inf"], [3, 0, -3]]}}})");
    const Hold& hold = document.holds.at("x");
    CHECK(hold.find(0, 0)->value == std::numeric_limits<float>::max());
    CHECK(hold.find(0, 1)->value == 0);
    CHECK(hold.find(1, 0)->value == 16777216);
    CHECK(hold.find(2, 0)->value == std::numeric_limits<float>::infinity());
    CHECK(hold.find(3, 0)->value == -3);
    CHECK(std::ranges::is_sorted(hold.cells, {},
                                 [](const HeldCell& c) { return std::pair(c.row, c.column); }));
}

TEST_CASE("study: a decimal is rounded once, not to double first") {
    // Just above the middle of two floats, and nearer to it than a double can say.
    const Document document =
        parse(kHead + R"(, "edits": {"x": {"matrix": [[1.00000005960464477539062500001]]}}})");
    CHECK(document.holds.at("x").cells[0].value == std::nextafter(1.0f, 2.0f));
}

TEST_CASE("study: every example of the documentation loads and evaluates") {
    const std::vector<std::string> examples = documented_examples();
    REQUIRE(examples.size() == 3);
    for (const std::string& example : examples) {
        const Document document = parse(example);
        CHECK_NOTHROW(evaluate(document, nullptr, {}));
        CHECK(parse(write_study(document)) == document);
    }
    // The complete ones are exactly what Headlight writes.
    for (const std::size_t i : {1u, 2u}) CHECK(write_study(parse(examples[i])) == examples[i]);
}

TEST_CASE("study: wrong values are refused with line, key and what is allowed") {
    CHECK(refusal_with(R"("layer": {"n_heads": 17})") ==
          "[input.headlight] line 2, layer.n_heads: must be a whole number from 1 to 16, not 17");
    CHECK(refusal_with("\"layer\": {\"n_heads\":\n\n4.5\n}") ==
          "[input.headlight] line 4, layer.n_heads: must be a whole number from 1 to 16, not 4.5");
    for (const char* value : {"0", "-1", "18446744073709551616", "\"4\"", "true", "null", "[4]"}) {
        INFO(value);
        CHECK(contains(refusal_with("\"layer\": {\"n_heads\": " + std::string(value) + "}"),
                       "must be a whole number from 1 to 16"));
    }
    CHECK(contains(refusal_with(R"("layer": {"mask": "casual"})"),
                   "line 2, layer.mask: must be one of 'none', 'causal', not the text 'casual'; "
                   "did you mean 'causal'?"));
    CHECK(contains(refusal_with(R"("layer": {"residual": 1})"),
                   "layer.residual: must be true or false, not 1"));
    CHECK(contains(refusal_with(R"("layer": [])"), "layer: must be an object { … }, not a list"));
    CHECK(contains(refusal_with(R"("seed": -1)"), "seed: must be a whole number from 0 to 1844"));
    CHECK(contains(refusal(R"({"kind": "sentence", "text": 5})"),
                   "line 1, text: must be a text between \"quotes\", not 5"));
    CHECK(contains(refusal("[1]"), "line 1: a study is an object"));
}

TEST_CASE("study: unknown, missing and repeated keys are named") {
    CHECK(refusal_with(R"("layer": {"heads": 4})") ==
          "[input.headlight] line 2, layer.heads: unknown key; did you mean 'n_heads'?");
    CHECK(contains(refusal_with(R"("zebra": 4)"),
                   "line 2, zebra: unknown key; known here: 'headlight', 'kind', 'text'"));
    CHECK(contains(refusal_with(R"("graph": {})"), "line 2, graph: unknown key"));
    CHECK(refusal("{}") == "[input.headlight] line 1: the key 'kind' is missing");
    CHECK(contains(refusal(R"({"kind": "sentence"})"), "the key 'text' is missing"));
    CHECK(contains(refusal(R"({"kind": "graph"})"), "the key 'graph' is missing"));
    CHECK(contains(refusal_with("\"seed\": 1,\n\"seed\": 2"),
                   "line 3: the key 'seed' is here for the second time (first on line 2)"));
}

TEST_CASE("study: a newer version is said to be newer, even with keys of its own") {
    CHECK(contains(refusal(R"({"headlight": 2, "kind": "image"})"),
                   "headlight: format version 2 is newer than this program, which reads up to 1"));
    CHECK(contains(refusal(R"({"headlight": 0, "kind": "sentence", "text": ""})"),
                   "headlight: must be a whole number from 1"));
    CHECK(contains(refusal(R"({"kind": "image"})"), "kind: must be one of 'sentence', 'graph'"));
}

TEST_CASE("study: what is not JSON is refused with its line") {
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
    const auto edit = [](const std::string& hold) {
        return refusal_with("\"edits\": {\"x\": {" + hold + "}}");
    };
    CHECK(contains(edit(""), "line 2, edits.x: needs 'cells' or 'matrix'"));
    CHECK(contains(edit(R"("cells": [], "matrix": [])"), "has both 'cells' and 'matrix'"));
    CHECK(contains(edit(R"("cells": [[0, 0, 1], [0, 1]])"),
                   "edits.x.cells[1]: a cell is [row, column, value]"));
    CHECK(contains(edit(R"("cells": [[0, 0, 1], [0, 0, 2]])"), "cell [0, 0] is here twice"));
    CHECK(
        contains(edit(R"("cells": [[-1, 0, 1]])"), "edits.x.cells[0][0]: must be a whole number"));
    CHECK(contains(edit(R"("cells": [[0, 4294967296, 1]])"), "from 0 to 2147483647"));
    CHECK(contains(edit(R"("cells": [[0, 0, "nan"]])"),
                   "must be a number, \"-inf\" or \"inf\", not the text 'nan'"));
    CHECK(contains(edit(R"("cells": [[0, 0, null]])"), "must be a number, \"-inf\" or \"inf\""));
    CHECK(contains(edit(R"("cells": [[0, 0, 1e39]])"), "must be a number of at most 3.4e38"));
    CHECK(contains(edit(R"("matrix": [[1, 2], [3]])"),
                   "edits.x.matrix[1]: this row has 1 values, the first has 2"));
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

TEST_CASE("study: cut at any byte or with any bit changed, it is refused or read, never a crash") {
    std::string good = documented_examples()[2];
    good.pop_back();  // the last line's end is not needed
    check_every_truncation(good, parse);
    check_every_bit_flip(good, good.size(), parse);
}
