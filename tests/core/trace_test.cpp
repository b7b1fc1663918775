#include "core/trace.h"

#include <doctest/doctest.h>

#include "core/mechanisms/transformer.h"
#include "core/stack_cases.h"
#include "core/studies.h"

namespace headlight::trace_test {
namespace {

Trace small_trace() {
    return sentence("it was", stack_of({.n_heads = 2, .d_model = 4, .d_k = 2, .d_v = 2}));
}

}  // namespace

TEST_CASE("Trace: tensors are found by their paths") {
    const Trace trace = small_trace();
    CHECK(trace.find("embed") == &trace[0]);
    CHECK(trace.find("blocks.0.attn.heads.9.q") == nullptr);
    CHECK(trace.find("") == nullptr);
    CHECK(&trace.at("mask") == trace.find("mask"));
    CHECK(trace[trace.id_at("blocks.0.attn.W_O")].path() == "blocks.0.attn.W_O");
}

TEST_CASE("Trace: a copy finds its own tensors") {
    const Trace trace = small_trace(), copy = trace;
    CHECK(copy.find("embed") == &copy[0]);
}

TEST_CASE("Trace: inputs come before the tensors that read them") {
    const Trace trace = small_trace();
    for (TensorId id = 0; id < trace.tensors().size(); ++id)
        for (const TensorId input : trace[id].inputs()) CHECK(input < id);
}

TEST_CASE("Trace: an unknown path is an error that suggests similar ones") {
    const Trace trace = small_trace();
    CHECK(error_of([&] { trace.at("blocks.1.attn.W_O"); }) ==
          "[trace] no tensor is called 'blocks.1.attn.W_O'; near: blocks.0.attn.W_O");
    CHECK(error_of([&] { trace.id_at("xyz"); }) ==
          "[trace] no tensor is called 'xyz'; `headlight list` shows the paths");
    CHECK(error_of([&] { trace.id_at(""); }) ==
          "[trace] no tensor is called ''; `headlight list` shows the paths");
}

TEST_CASE("Trace: a tensor outlives its trace") {
    const Tensor kept = small_trace().at("blocks.0.attn.W_O");
    CHECK(kept.path() == "blocks.0.attn.W_O");
    CHECK(kept.value->rows() == kept.rows().size);
}

TEST_CASE("Plan: each of thousands of tensors is found") {
    Plan plan;
    PlannedTensor tensor;
    for (int i = 0; i < 3000; ++i) {
        tensor.path = "steps." + std::to_string(i);
        CHECK(plan.find(tensor.path) == nullptr);
        plan.add(tensor);
    }
    for (TensorId id = 0; id < 3000; ++id) CHECK(plan.id_at("steps." + std::to_string(id)) == id);
}

TEST_CASE("Plan: a duplicate path is an error") {
    Plan plan;
    PlannedTensor tensor;
    tensor.path = "embed";
    plan.add(tensor);
    CHECK(error_of([&] { plan.add(tensor); }) == "[trace] the path embed is used twice");
    CHECK(plan.tensors().size() == 1);
}

TEST_CASE("axis_name: sentences have tokens, graphs have nodes") {
    const Trace words = small_trace();
    CHECK(axis_name(words, {AxisKind::Query, 2}) == "query");
    CHECK(axis_name(words, {AxisKind::Key, 2}) == "key");
    CHECK(axis_name(words, {AxisKind::Item, 2}) == "token");
    CHECK(axis_name(words, {AxisKind::Model, 2}) == "d_model");
    CHECK(axis_name(words, {AxisKind::HeadKey, 2}) == "d_k");
    CHECK(axis_name(words, {AxisKind::HeadValue, 2}) == "d_v");
    CHECK(axis_name(words, {AxisKind::Concat, 2}) == "columns of all heads");
    CHECK(axis_name(words, {AxisKind::Hidden, 2}) == "hidden");
    CHECK(axis_name(words, {AxisKind::Distance, 3}) == "distance");
    CHECK(axis_name(words, {}) == "");
    const Trace nodes = graph(small_edges(), {.n_heads = {{1}}});
    CHECK(axis_name(nodes, {AxisKind::Item, 2}) == "node");
    CHECK(axis_name(nodes, {AxisKind::Edge, 2}) == "edge");
    CHECK(axis_name(nodes, {AxisKind::Model, 2}) == "feature");
    CHECK(axis_name(nodes, {AxisKind::HeadValue, 2}) == "d_out");
}

TEST_CASE("axis_label: words, nodes or edges, otherwise numbers") {
    const Trace words = small_trace();
    CHECK(axis_label(words, {AxisKind::Query, 2}, 1) == "was");
    CHECK(axis_label(words, {AxisKind::Item, 9}, 8) == "8");
    CHECK(axis_label(words, {AxisKind::HeadKey, 2}, 1) == "1");
    const Trace nodes = graph(small_edges(), {.n_heads = {{1}}});
    CHECK(axis_label(nodes, {AxisKind::Edge, 8}, 1) == "n0 ← n2");
}

TEST_CASE("matches: * is any run, ? is any one character") {
    CHECK(matches("*", ""));
    CHECK(matches("*.pattern", "blocks.0.attn.heads.2.pattern"));
    CHECK(matches("blocks.?.attn.*.q", "blocks.0.attn.heads.2.q"));
    CHECK(matches("a*b*c", "aXbYbZc"));
    CHECK(matches("", ""));
    CHECK_FALSE(matches("", "a"));
    CHECK_FALSE(matches("?", ""));
    CHECK_FALSE(matches("embed", "embed_with_pos"));
    CHECK_FALSE(matches("*.q", "blocks.0.attn.heads.2.qq"));
    CHECK_FALSE(matches("a*b*c", "aXbYbZ"));
}

TEST_CASE("axis_name, axis_label: a list names the items of an axis") {
    Plan plan = small_trace().plan();
    const int vocabulary = plan.add_list("word", {"late", "home"});
    const Axis logits{AxisKind::Named, 2, vocabulary}, target{AxisKind::Item, 2, vocabulary};
    CHECK(axis_name(plan, logits) == "word");
    CHECK(axis_name(plan, target) == "word");
    CHECK(axis_label(plan, logits, 1) == "home");
    CHECK(axis_label(plan, target, 0) == "late");
    CHECK(axis_label(plan, {AxisKind::Item, 2}, 0) == "it");
    CHECK(plan.items(vocabulary).size() == 2);
}

TEST_CASE("axis_label: distances are signed and directions have names") {
    const Trace trace = small_trace();
    CHECK(axis_label(trace, {AxisKind::Distance, 5}, 0) == "-2");
    CHECK(axis_label(trace, {AxisKind::Distance, 5}, 4) == "2");
    CHECK(axis_label(trace, {AxisKind::Direction, 2}, 0) == "down");
    CHECK(axis_label(trace, {AxisKind::Direction, 2}, 1) == "right");
    CHECK(axis_label(trace, {AxisKind::Direction, 1}, 0) == "along");
}

TEST_CASE("stacks: the equation of a projection names what is projected, and by which weight") {
    const std::string head = "blocks.0.attn.heads.0.";
    StackSettings settings;
    const auto equation = [&](const std::string& path) {
        return sentences("it was", settings).at(path).equation();
    };
    CHECK(equation(head + "q") == "Q = X W_Q");
    settings.block.norm = Norm::Pre;
    CHECK(equation(head + "q") == "Q = LN(X) W_Q");
    settings.norm_type = NormType::Rms;
    CHECK(equation(head + "v") == "V = RMSNorm(X) W_V");
    settings.attention.query = settings.attention.key = Projection::Shared;
    CHECK(equation(head + "k") == "K = RMSNorm(X) W_S");
    CHECK(equation(head + "QK").starts_with("W_S W_S^T"));
    settings.attention.value = Projection::Shared;
    CHECK(equation(head + "OV").starts_with("W_S W_O"));
}

TEST_CASE("cross-attention: queries are the target's, keys and values the source's") {
    StackSettings settings;
    for (const Norm norm : {Norm::None, Norm::Pre}) {
        settings.block.norm = norm;
        const Plan plan = plan_cross_attention({{"the", "cat"}, {"le", "chat"}}, settings, 1);
        int n = 0;
        for (const PlannedTensor& tensor : plan.tensors()) {
            if (!matches("*cross.heads.0.?", tensor.path)) continue;
            const Role role = tensor.identity.role;
            const bool is_query = role == Role::Query;
            if (!is_query && role != Role::Key && role != Role::Value) continue;
            INFO(tensor.path, " ", tensor.equation);
            CHECK(tensor.equation.find(is_query ? "X_{target}" : "X_{source}") !=
                  std::string::npos);
            ++n;
        }
        CHECK(n == 3);
    }
}

}  // namespace headlight::trace_test
