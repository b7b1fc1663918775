// Every tensor and every gradient against PyTorch's.
#include <doctest/doctest.h>
#include <sstream>

#include "core/gradient.h"
#include "core/operations.h"
#include "core/studies.h"
#include "golden/golden_file.h"

using namespace headlight;

namespace {

constexpr double kTolerance = 1e-5;

Trace plan_sentence(const GoldenFile& golden) {
    const auto is = [&](const char* key, const char* text) { return golden.setting(key) == text; };
    const SelfAttentionSettings settings{
        .n_layers = golden.number("n_layers"),
        .n_heads = golden.number("n_heads"),
        .d_model = golden.number("d_model"),
        .d_k = golden.number("d_k"),
        .d_v = golden.number("d_v"),
        .mask = is("mask", "causal") ? MaskKind::Causal : MaskKind::None,
        .positions = is("positions", "sinusoidal") ? PositionKind::Sinusoidal : PositionKind::None,
        .residual = is("residual", "on") ? Residual::On : Residual::Off};
    const std::vector<std::string> words(static_cast<std::size_t>(golden.number("n")), "word");
    return plan_self_attention(words, settings, 1);
}

/// The edges in PyTorch Geometric's order, "source target source target …": the target reads.
Edges read_edges(const GoldenFile& golden) {
    std::vector<Reading> readings;
    std::istringstream in(golden.setting("edges"));
    for (Index source = 0, target = 0; in >> source >> target;)
        readings.push_back({.row = target, .neighbour = source});
    return make_edges(golden.number("n"), std::move(readings));
}

Trace plan_graph(const GoldenFile& golden) {
    const auto is = [&](const char* key, const char* text) { return golden.setting(key) == text; };
    const GraphAttentionSettings settings{
        .n_heads = golden.number("n_heads"),
        .d_in = golden.number("d_in"),
        .d_out = golden.number("d_out"),
        .slope = std::stof(golden.setting("slope")),
        .combine = is("combine", "mean") ? Combine::Mean : Combine::Concat,
        .activation = is("activation", "elu") ? Activation::Elu : Activation::None};
    std::vector<std::string> nodes;
    for (int i = 0; i < golden.number("n"); ++i) nodes.push_back(std::to_string(i));
    return plan_graph_attention(nodes, read_edges(golden), settings, 1);
}

/// Embeddings and weights come from the file; so does a mask that was made by hand.
Holds leaves_of(const Trace& plan, const GoldenFile& golden) {
    Holds holds;
    for (const Tensor& tensor : plan.tensors()) {
        const bool is_seeded = tensor.operation == &operations::named_rows ||
                               tensor.operation == &operations::seeded_weight;
        const bool is_mask_by_hand = tensor.path == "mask" && golden.setting("mask") == "hand";
        if (is_seeded || is_mask_by_hand)
            holds[tensor.path] = hold_all(golden.tensors.at(tensor.path));
    }
    return holds;
}

Trace compute_golden(const GoldenFile& golden) {
    Trace plan = golden.setting("kind") == "graph" ? plan_graph(golden) : plan_sentence(golden);
    const Holds holds = leaves_of(plan, golden);
    return compute(std::move(plan), holds, kWatchAll, nullptr);
}

}  // namespace

TEST_CASE("golden: every tensor is PyTorch's") {
    const std::vector<GoldenFile> files = read_golden_files();
    CHECK(files.size() == 23);
    for (const GoldenFile& golden : files) {
        const Trace trace = compute_golden(golden);
        for (const Tensor& tensor : trace.tensors()) {
            REQUIRE_MESSAGE(golden.tensors.contains(tensor.path), golden.name, " ", tensor.path);
            const std::string difference = find_difference(
                tensor.path, *tensor.value, golden.tensors.at(tensor.path), kTolerance);
            CHECK_MESSAGE(difference == "", golden.name);
        }
    }
}

TEST_CASE("golden: every gradient is autograd's") {
    for (const GoldenFile& golden : read_golden_files()) {
        const Trace trace = compute_golden(golden);
        const Gradients all =
            gradients(trace, trace.id_of(golden.setting("target")), golden.tensors.at("seed"));
        int n_compared = 0;
        for (const Tensor& leaf : trace.tensors()) {
            const auto expected = golden.tensors.find("gradient/" + leaf.path);
            if (expected == golden.tensors.end()) continue;
            const Matrix& found = all[trace.id_of(leaf.path)].value();
            CHECK_MESSAGE(find_difference(leaf.path, found, expected->second, kTolerance) == "",
                          golden.name);
            ++n_compared;
        }
        CHECK_MESSAGE(n_compared >= 4, golden.name);
    }
}

TEST_CASE("golden: a wrong value is found, with its path, place and both values") {
    const Matrix expected = Matrix{{1, 2}, {3, kMasked}};
    Matrix found = expected;
    CHECK(find_difference("A", found, expected, kTolerance) == "");
    found(1, 0) = Scalar(3.25);
    CHECK(find_difference("A", found, expected, kTolerance) == "A[1, 0] is 3.25, PyTorch has 3");
    found = expected;
    found(1, 1) = 0;
    CHECK(find_difference("A", found, expected, kTolerance) == "A[1, 1] is 0, PyTorch has -inf");
    found(1, 1) = std::numeric_limits<Scalar>::quiet_NaN();
    CHECK(find_difference("A", found, expected, kTolerance) == "A[1, 1] is nan, PyTorch has -inf");
    CHECK(find_difference("A", Matrix(1, 2), expected, kTolerance) ==
          "A is 1 × 2, PyTorch has 2 × 2");
}
