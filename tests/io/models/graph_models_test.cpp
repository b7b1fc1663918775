// Models of graphs against what PyTorch Geometric's modules compute with the same files.
#include <doctest/doctest.h>

#include "../../golden/golden_file.h"
#include "golden_model.h"
#include "io/arrays/weights_file.h"
#include "io/models/open_model.h"
#include "io/open_document.h"
#include "model/evaluate.h"

namespace headlight::graph_models_test {
namespace {

const char* const kModels[] = {"gat", "gat-mean", "gatv2", "transformer-conv",
                               "transformer-conv-plain"};

Graph graph_of(const GoldenModel& golden) {
    return open_document(golden.file("graph.json")).document.graph()->graph;
}

Document study_of(const GoldenModel& golden) {
    return model_study(open_model(golden.folder()), graph_of(golden));
}

bool is_transformer(const Document& document) {
    return document.graph()->layer.mechanism == GraphMechanism::Transformer;
}

/// What layer l gives: "gat.0.out", or what the next layer of a graph transformer reads.
std::string output_path(const Document& document, int layer) {
    if (!is_transformer(document)) return "gat." + std::to_string(layer) + ".out";
    const bool is_last = layer + 1 == document.graph()->layer.n_layers;
    if (!is_last) return "blocks." + std::to_string(layer + 1) + ".resid_pre";
    const bool has_skip = document.graph()->layer.skip == Switch::On;
    return "blocks." + std::to_string(layer) + (has_skip ? ".sum" : ".attn.out");
}

std::string pattern_path(const Document& document, int layer, Index head) {
    return (is_transformer(document) ? "blocks." : "gat.") + std::to_string(layer) +
           (is_transformer(document) ? ".attn.heads." : ".heads.") + std::to_string(head) +
           ".pattern";
}

/// The first difference between the network and the golden file, or "".
std::string find_wrong(const Document& document, const GoldenModel& golden) {
    const Trace trace = evaluate(document, nullptr, {.everything = true});
    for (int l = 0; golden.has("hidden." + std::to_string(l)); ++l) {
        const Matrix patterns = read_matrix(golden.array("patterns." + std::to_string(l)));
        for (Index h = 0; h < patterns.rows(); ++h) {
            const std::string path = pattern_path(document, l, h);
            const std::string wrong =
                find_difference(path, *trace.at(path).value, patterns.row(h).transpose(), 4e-6, 1);
            if (!wrong.empty()) return wrong;
        }
        const std::string path = output_path(document, l);
        const std::string wrong =
            find_difference(path, *trace.at(path).value,
                            read_matrix(golden.array("hidden." + std::to_string(l))), 1e-5, 1);
        if (!wrong.empty()) return wrong;
    }
    return "";
}

/// config.json with `text` in the place of `old`.
void change_config(const GoldenModel& golden, const std::string& old, const std::string& text) {
    std::string config = read_file(golden.file("config.json"));
    const std::size_t at = config.find(old);
    REQUIRE(at != std::string::npos);
    write_file(golden.file("config.json"), config.replace(at, old.size(), text));
}

}  // namespace

TEST_CASE("every kind of graph model computes what PyTorch Geometric does") {
    for (const std::string name : kModels) {
        CAPTURE(name);
        const GoldenModel golden(name);
        const OpenedModel model = open_model(golden.folder());
        CHECK(input_of(model) == ModelInput::Graph);
        CHECK(model.notes == std::vector<std::string>{});
        const Document document = study_of(golden);
        CHECK(golden.has("hidden." + std::to_string(document.graph()->layer.n_layers - 1)));
        CHECK(find_wrong(document, golden) == "");
        CHECK(dormant_weights(*plan(document), *model.weights) == std::vector<std::string>{});
    }
}

TEST_CASE("a graph model with another setting computes something else") {
    const GoldenModel golden("gat");
    const auto wrong_after = [&](auto change) {
        Document document = study_of(golden);
        change(*document.graph());
        return find_wrong(document, golden);
    };
    CHECK(wrong_after([](GraphStudy&) {}) == "");
    CHECK(wrong_after([](GraphStudy& s) { s.layer.slope = 0.1f; }) != "");
    CHECK(wrong_after([](GraphStudy& s) { s.layer.activation = Activation::Relu; }) != "");
    CHECK(wrong_after([](GraphStudy& s) { s.layer.bias = Switch::Off; }) != "");
    CHECK(wrong_after([](GraphStudy& s) { s.self_loops = Switch::Off; }) != "");
    CHECK(wrong_after([](GraphStudy& s) { s.graph.directed = true; }) != "");
}

TEST_CASE("a study of a graph model opens again") {
    const GoldenModel golden("gatv2");
    const Document document = study_of(golden);
    const TemporaryFolder folder;
    save_document(folder.file("a.headlight"), document);
    CHECK(folder.count() == 1);
    const Document opened = open_document(folder.file("a.headlight")).document;
    CHECK(opened == document);
    CHECK(find_wrong(opened, golden) == "");
}

TEST_CASE("a graph model by itself says what it needs") {
    const GoldenModel golden("gat"), text("gpt2");
    CHECK_THROWS_WITH(open_document(golden.folder()),
                      doctest::Contains("is a model of graphs, and needs one: `headlight new"));
    const OpenedModel model = open_model(golden.folder());
    CHECK_THROWS_WITH(model_study(model, "a text"), doctest::Contains("reads a graph, not a text"));
    CHECK_THROWS_WITH(model_study(open_model(text.folder()), graph_of(golden)),
                      doctest::Contains("reads a text, not a graph"));
    const GoldenModel other("gatv2");
    CHECK_THROWS_WITH(
        model_study(model, graph_of(other)),
        doctest::Contains("reads 6 features of each node; the nodes of the graph have 4"));
    Graph plain = graph_of(golden);
    for (Node& node : plain.nodes) node.features = {};
    CHECK_THROWS_WITH(model_study(model, plain), doctest::Contains("have none"));
}

TEST_CASE("what graph models do not support is refused by its key") {
    struct Refusal {
        std::string model, old, text, said;
    };
    const Refusal refusals[] = {
        {"gat", "\"activation\"", "\"residual\": true, \"activation\"", "residual: must be false"},
        {"gat", "\"activation\"", "\"edge_dim\": 2, \"activation\"", "edge_dim: must be null"},
        {"gat", "\"activation\"", "\"fill_value\": 1, \"activation\"", "fill_value"},
        {"gat", "\"elu\"", "\"gelu\"", "activation"},
        {"gat", "\"in_channels\": 6", "\"in_channels\": 7", "convs.0.lin.weight is (12, 6)"},
        {"gat", "\"heads\": 3", "\"heads\": 2", "convs.0.att_src is (1, 3, 4)"},
        {"gat", "\"heads\": 3", "\"head\": 3", "layers[0].head"},
        {"gat", "\"out_channels\": 5", "\"out_channels\": 0", "layers[1].out_channels"},
        {"gat", "\"activation\"", "\"bias\": false, \"activation\"",
         "not supported: “convs.0.bias”, “convs.1.bias”"},
        {"gat-mean", "\"concat\": false", "\"concat\": true", "layers[2].concat: must be the same"},
        {"gatv2", "\"activation\"", "\"share_weights\": true, \"activation\"",
         "share_weights: must be false"},
        {"transformer-conv", "\"activation\"", "\"beta\": true, \"activation\"",
         "beta: must be false"},
        {"transformer-conv", "\"activation\"", "\"negative_slope\": 0.2, \"activation\"",
         "negative_slope"},
    };
    for (const auto& [name, old, text, said] : refusals) {
        CAPTURE(text);
        const GoldenModel golden(name);
        change_config(golden, old, text);
        CHECK_THROWS_WITH(open_model(golden.folder()), doctest::Contains(said.c_str()));
        CHECK_THROWS_WITH(open_model(golden.folder()),
                          doctest::Contains(golden.folder().parent_path().string().c_str()));
    }
}

}  // namespace headlight::graph_models_test
