// Pictures say where their weights come from.
#include "model/weight_origin.h"

#include <doctest/doctest.h>

#include "model/evaluate.h"
#include "model/presets.h"
#include "model/weights.h"

namespace headlight::weight_origin_test {
namespace {

std::string origin_of(const Document& document) {
    return weight_origin(document, *plan(document));
}

/// Sets every leaf that `is_chosen` accepts to its own values.
void set_by_hand(Document& document, bool (*is_chosen)(const Tensor&)) {
    const Trace trace = evaluate(document, nullptr, {.everything = true, .globs = {}});
    for (const Tensor& tensor : trace.tensors())
        if (tensor.is_leaf() && is_chosen(tensor))
            document.interventions[tensor.path()] = intervene_on_all(*tensor.value);
}

bool is_weight(const Tensor& tensor) {
    return tensor.path().find("embed") == std::string::npos;
}

}  // namespace

TEST_CASE("weight origin: positions that the weights do not know are drawn, and it is said") {
    Document document = built_in_sentence();
    document.sentence()->layer.positions = Positions::Learned;
    document.sentence()->text = "one two three four five";
    WeightMatrices matrices;
    matrices["pos_embed"] = {.values = std::make_shared<const Matrix>(
                                 Matrix::Ones(3, document.sentence()->layer.d_model))};
    document.weights = make_weights(std::move(matrices), "imported from w.npz");
    CHECK(origin_of(document).ends_with("; 2 of 5 positions drawn from seed 92"));
    const auto notes = weight_notes(*plan(document), document.weights, document.seed);
    REQUIRE(notes.size() == 1);
    CHECK(notes.front() ==
          "pos_embed knows 3 positions of 5 words: the rest is drawn from seed 92");
    document.sentence()->text = "one two three";
    CHECK(origin_of(document).find("positions") == std::string::npos);
    CHECK(weight_notes(*plan(document), document.weights, document.seed).empty());
}

TEST_CASE("weight origin: every ready-made study says that it is untrained, with its seed") {
    for (const Preset& preset : presets()) {
        INFO(preset.name);
        Document document = preset.make();
        document.seed = 7;
        const std::string origin = origin_of(document);
        CHECK(origin.starts_with("untrained: "));
        CHECK(origin.ends_with(" drawn from seed 7"));
    }
    CHECK(origin_of(built_in_sentence()) == "untrained: weights drawn from seed 92");
    CHECK(origin_of(find_preset("no-parameters")->make()) ==
          "untrained: embeddings drawn from seed 92");
}

TEST_CASE("weight origin: a matrix set as a whole counts as set by hand, a few cells do not") {
    Document document = built_in_sentence();
    document.interventions["blocks.0.attn.heads.0.W_Q"].set(0, 0, 1);
    CHECK(origin_of(document) == "untrained: weights drawn from seed 92");
    set_by_hand(document,
                [](const Tensor& tensor) { return tensor.path() == "blocks.0.attn.heads.0.W_Q"; });
    CHECK(origin_of(document) == "partly untrained: 12 of 13 weights drawn from seed 92");
    set_by_hand(document, is_weight);
    CHECK(origin_of(document) == "weights set by hand, embeddings drawn from seed 92");
    set_by_hand(document, [](const Tensor&) { return true; });
    CHECK(origin_of(document) == "weights set by hand");
    for (auto& [path, intervention] : document.interventions) intervention.is_on = false;
    CHECK(origin_of(document) == "untrained: weights drawn from seed 92");
}

TEST_CASE("weight origin: a file is named, and how much of the study it does not contain") {
    Document document = built_in_sentence();
    const Trace trace = evaluate(document, nullptr, {.everything = true, .globs = {}});
    const auto import = [&](bool (*is_chosen)(const Tensor&)) {
        WeightMatrices matrices;
        for (const Tensor& tensor : trace.tensors())
            if (can_be_stored(tensor) && is_chosen(tensor))
                matrices[tensor.path()] = make_weight(trace, tensor, *tensor.value);
        document.weights = make_weights(std::move(matrices), "imported from a.npz");
    };
    import([](const Tensor& tensor) { return tensor.path() == "blocks.0.attn.heads.0.W_Q";
});
CHECK(origin_of(document) == "imported from a.npz; 12 of 13 weights drawn from seed 92");
    import([](const Tensor&) { return true;
    }  // namespace headlight::weight_origin_test
);
CHECK(origin_of(document) == "imported from a.npz");
}

TEST_CASE("weight origin: weights that are not all there do not say what a test has said of them") {
    Document document = built_in_sentence();
    document.sentence()->layer.n_layers = 2;
    const Trace trace = evaluate(document, nullptr, {.everything = true, .globs = {}});
    WeightMatrices matrices;
    for (const Tensor& tensor : trace.tensors())
        if (can_be_stored(tensor) && !tensor.identity().is_probe())
            matrices[tensor.path()] = make_weight(trace, tensor, *tensor.value);
    const WeightMatrices all = matrices;
    document.weights = make_weights(all, "trained: X, 3 steps, 99.8 % of held-out words right");
    CHECK(origin_of(document) == "trained: X, 3 steps, 99.8 % of held-out words right");
    document.sentence()->layer.n_layers = 1;
    CHECK(origin_of(document) == "trained: X, 3 steps");
    document.sentence()->layer.n_layers = 3;
    CHECK(origin_of(document).starts_with("trained: X, 3 steps; "));
    CHECK(without_accuracy("imported from a.npz") == "imported from a.npz");
    CHECK(without_accuracy("trained: X, 100.0 % of held-out words right and b.npz") ==
          "trained: X and b.npz");
    CHECK(without_accuracy("trained: X, seed 1, 99.8 % of words of held-out texts right") ==
          "trained: X, seed 1");
    CHECK(
        without_accuracy("trained: X, 9.8 % of sentences with held-out pairs of nouns right; y") ==
        "trained: X; y");
    CHECK(without_accuracy("made by hand, 50 % of it right") == "made by hand, 50 % of it right");
}

TEST_CASE("weight origin: a graph's own features are not random, its weights are") {
    Document document = built_in_graph();
    for (Node& node : document.graph()->graph.nodes) node.features = Features({1, 2});
    CHECK(origin_of(document) == "untrained: weights drawn from seed 1");
    set_by_hand(document, is_weight);
    CHECK(origin_of(document) == "weights set by hand");
}

TEST_CASE("weight origin: a recording names its file") {
    Document document;
    document.study = RecordedStudy{.file = "/data/bert.npz", .text = {{"a"}, {}}};
    CHECK(weight_origin(document, Trace{}) == "recorded in bert.npz");
}

}  // namespace headlight::weight_origin_test
