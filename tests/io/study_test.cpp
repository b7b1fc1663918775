#include "io/studies/study.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <random>

#include "io/files/file.h"
#include "io/open_document.h"
#include "model/evaluate.h"
#include "model/settings/study_settings.h"
#include "source_folder.h"
#include "study_input.h"

namespace headlight::study_test {
namespace {

/// Gives every setting a random legal value.
class RandomSettings {
  public:
    explicit RandomSettings(unsigned seed) : random_(seed) {}

    void section(const char*) {}
    void number(const Field&, int& value, Range<int> range) { value = between(range); }
    void number(const Field&, float& value, Range<float> range) {
        value = std::uniform_real_distribution(range.low, range.high)(random_);
    }
    void widths(const Field&, Widths& value, Range<int> range) {
        value.values.resize(static_cast<std::size_t>(between(Range{1, kMaxHeads})));
        for (int& width : value.values)
            width = between(value.is_list() ? Range{1, range.high} : range);
    }
    template <typename Choice, std::size_t n>
    void choice(const Field&, Choice& value, const EnumNames<Choice, n>& words) {
        value = words[random_() % n].second;
    }
    void flag(const Field&, Switch& value) { value = random_() % 2 ? Switch::On : Switch::Off; }
    void group(const Field&, auto& settings) { visit_fields(settings, *this); }

  private:
    int between(Range<int> range) {
        return std::uniform_int_distribution(range.low, range.high)(random_);
    }

    std::mt19937 random_;
};

class RandomDocument {
  public:
    explicit RandomDocument(unsigned seed) : random_(seed) {}

    Document make() {
        Document document;
        const std::function<Study()> kinds[] = {[&] { return sentence(); },
                                                [&] { return alignment(); },
                                                [&] { return graph(); }, [&] { return image(); }};
        document.study = kinds[below(4)]();
        RandomSettings settings(static_cast<unsigned>(random_()));
        std::visit([&](auto& study) { visit_fields(study, settings); }, document.study);
        document.seed = random_();
        for (int i = below(4); i > 0; --i)
            document.interventions[text(1 + below(8))] = intervention();
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

    /// A finite float or ±∞ with random bits.
    float number() {
        while (true) {
            const auto bits = static_cast<std::uint32_t>(random_());
            float value;
            std::memcpy(&value, &bits, sizeof value);
            if (!std::isnan(value)) return value;
        }
    }

    Intervention intervention() {
        Intervention intervention;
        if (below(2)) intervention.rows = RowRule::Renormalise;
        if (below(4) == 0) intervention.ablation = below(2) ? Ablation::Zero : Ablation::Mean;
        for (int i = below(4); i > 0; --i)
            if (const float added = number(); std::isfinite(added))
                intervention.added.push_back(added);
        if (below(2)) {
            Matrix values(1 + below(4), 1 + below(4));
            for (Index i = 0; i < values.size(); ++i) values.data()[i] = number();
            intervention.cells = intervene_on_all(values).cells;
        } else {
            for (int i = below(5); i > 0; --i) intervention.set(below(5), below(5), number());
        }
        if (below(4) == 0) intervention.set(0, 0, -0.0f);
        intervention.is_on = below(4) > 0;
        return intervention;
    }

    SentenceStudy sentence() {
        SentenceStudy study;
        study.text = text(below(20));
        return study;
    }

    AlignmentStudy alignment() {
        AlignmentStudy study;
        study.source = text(below(20));
        study.target = text(below(20));
        return study;
    }

    ImageStudy image() {
        ImageStudy study;
        study.rows = 1 + below(4), study.columns = 1 + below(4), study.channels = 1 + below(4);
        for (int i = study.rows * study.columns * study.channels; i > 0; --i)
            study.pixels.push_back(static_cast<float>(below(1000)) / 999);
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
        return study;
    }

    std::mt19937_64 random_;
};

/// The JSON examples of the documentation.
std::vector<std::string> documented_examples() {
    const std::string page = read_file(source_folder() / "docs/study-format.md");
    const std::string begin_mark = "```json\n", end_mark = "```";
    std::vector<std::string> examples;
    for (std::size_t at = page.find(begin_mark); at != std::string::npos;
         at = page.find(begin_mark, at)) {
        at += begin_mark.size();
        examples.push_back(page.substr(at, page.find(end_mark, at) - at));
    }
    return examples;
}

bool same_bits(const Interventions& a, const Interventions& b) {
    if (a != b) return false;
    for (const auto& [path, intervention] : a)
        for (std::size_t i = 0; i < intervention.cells.size(); ++i)
            if (std::signbit(intervention.cells[i].value) !=
                std::signbit(b.at(path).cells[i].value))
                return false;
    return true;
}

}  // namespace

TEST_CASE("study: load ∘ save is the identity, bit for bit") {
    for (unsigned seed = 0; seed < 3000; ++seed) {
        const Document document = RandomDocument(seed).make();
        const std::string bytes = write_study(document);
        INFO(bytes);
        const Document again = parse(bytes);
        REQUIRE(again == document);
        REQUIRE(same_bits(again.interventions, document.interventions));
        REQUIRE(write_study(again) == bytes);
    }
}

TEST_CASE("study: the identity law notices a single changed bit") {
    Document document = built_in_sentence();
    document.interventions["embed"].set(0, 0, 0.1f);
    Document other = document;
    other.interventions["embed"].set(0, 0, std::nextafter(0.1f, 1.0f));
    CHECK(parse(write_study(document)) != other);
}

TEST_CASE("study: the built-in studies are read back") {
    for (const Document& document :
         {built_in_sentence(), built_in_alignment(), built_in_graph(), built_in_image()})
        CHECK(parse(write_study(document)) == document);
}

TEST_CASE("study: the file is formatted for people") {
    Document document;
    SentenceStudy study;
    study.text = "Hi";
    study.layer.attention.d_v.values = {8, 4};
    document.study = study;
    document.interventions["mask"].set(1, 0, kMasked);
    Matrix values(2, 2);
    values << 1, 0.1f, -2.5f, 0;
    document.interventions["blocks.0.attn.heads.0.W_Q"] = intervene_on_all(values);
    CHECK(write_study(document) == R"({
  "headlight": 1,
  "kind": "sentence",
  "text": "Hi",
  "layer": {
    "n_layers": 1,
    "d_model": 32,
    "positions": "sinusoidal",
    "embedding_norm": false,
    "attention": {
      "n_heads": 4,
      "n_kv_heads": 0,
      "d_k": 0,
      "d_v": [8, 4],
      "output": true,
      "query": "learned",
      "key": "learned",
      "value": "learned",
      "bias": false,
      "qkv_bias": true,
      "output_bias": true,
      "qk_norm": false,
      "score": "scaled_dot",
      "d_power": 0.5,
      "score_cap": 0,
      "d_hidden": 16,
      "temperature": 1,
      "addressing": "softmax",
      "top_k": 3,
      "relative": "none",
      "rotary_pairs": "interleaved",
      "rotary_base": 10000,
      "rotary_window_base": 0,
      "rotary_dims": 0,
      "rotary_layers": 1,
      "rotary_scaling": "none",
      "rotary_factor": 1,
      "rotary_length": 8192,
      "rotary_low": 1,
      "rotary_high": 4,
      "max_distance": 8,
      "n_buckets": 8,
      "shared_buckets": false,
      "alpha": 1
    },
    "mask": {
      "causal": false,
      "window": 0,
      "dilation": 1,
      "documents": false
    },
    "block": {
      "residual": true,
      "parallel": false,
      "norm": "none",
      "mlp": "none",
      "mlp_gate": false,
      "mlp_bias": true,
      "d_ff": 64
    },
    "norm_type": "layer",
    "norm_epsilon": 1e-05,
    "final_norm": false,
    "embedding_scale": 1,
    "token_types": 0,
    "last_layer": "block",
    "unembedding": "none",
    "unembedding_bias": false,
    "logit_scale": 1,
    "logit_cap": 0,
    "readout": "next-word"
  },
  "decoding": false,
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

TEST_CASE("study: kind and text suffice; everything else has defaults") {
    Document expected;
    expected.study = SentenceStudy{.text = "a b", .layer = {}};
    CHECK(parse(kHead + "}") == expected);
    CHECK(parse("\xEF\xBB\xBF \r\n\t" + kHead + "}\n") == expected);  // byte order mark, space
}

TEST_CASE("study: nodes may be bare names, without positions") {
    const Document document = parse(
        R"({"kind": "graph", "graph": {"nodes": ["a", {"name": "b"}], "edges": [["b", "a"]]}})");
    const Graph& graph = document.graph()->graph;
    REQUIRE(graph.nodes.size() == 2);
    CHECK(graph.nodes[1].name == "b");
    CHECK(graph.edges == std::vector<Edge>{{1, 0}});
    CHECK(needs_places(document));
    CHECK(document.graph()->layer == GraphSettings{});
}

TEST_CASE("study: node features and edge weights are kept") {
    const Document document = parse(R"({"kind": "graph", "graph": {
        "nodes": [{"name": "a", "features": [0.1, -2]}, "b"], "edges": [["a", "b", 0.3]]}})");
    const Graph& graph = document.graph()->graph;
    CHECK(graph.nodes[0].features == Features({0.1f, -2}));
    CHECK(graph.edges == std::vector<Edge>{{0, 1, 0.3f}});
    CHECK(parse(write_study(document)) == document);
    CHECK(plan(document)->find("embed")->columns.size == 2);
}

TEST_CASE("study: cells may be in any order; numbers round to the nearest float") {
    const Document document = parse(kHead + R"(, "edits": {"x": {"cells":
        [[1, 0, 16777217], [0, 1, 1e-50], [0, 0, 3.4028235e+38], [2, 0, "-inf"], [3, 0, -3]]}}})");
    const Intervention& intervention = document.interventions.at("x");
    CHECK(intervention.find(0, 0)->value == std::numeric_limits<float>::max());
    CHECK(intervention.find(0, 1)->value == 0);
    CHECK(intervention.find(1, 0)->value == 16777216);
    CHECK(intervention.find(2, 0)->value == -std::numeric_limits<float>::infinity());
    CHECK(intervention.find(3, 0)->value == -3);
    CHECK(std::ranges::is_sorted(intervention.cells, {},
                                 [](const CellValue& c) { return std::pair(c.row, c.column); }));
}

TEST_CASE("study: a decimal is rounded once, not via double") {
    // Just above the middle of two floats, closer to it than a double can express.
    const Document document =
        parse(kHead + R"(, "edits": {"x": {"matrix": [[1.00000005960464477539062500001]]}}})");
    CHECK(document.interventions.at("x").cells[0].value == std::nextafter(1.0f, 2.0f));
}

TEST_CASE("study: every example of the documentation loads and evaluates") {
    const std::vector<std::string> examples = documented_examples();
    REQUIRE(examples.size() == 5);
    for (const std::string& example : examples) {
        const Document document = parse(example);
        CHECK_NOTHROW(evaluate(document, nullptr, {}));
        CHECK(parse(write_study(document)) == document);
    }
    // Complete examples are exactly what Headlight writes.
    for (const std::size_t i : {1u, 2u, 3u, 4u})
        CHECK(write_study(parse(examples[i])) == examples[i]);
}

TEST_CASE("study: a truncated or corrupted study is read or refused, never a crash") {
    std::string good = documented_examples()[3];
    good.pop_back();  // the final line end is optional
    check_every_truncation(good, parse);
    check_every_bit_flip(good, good.size(), parse);
}

}  // namespace headlight::study_test
