#include "core/explain.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "core/operation_cases.h"
#include "core/studies.h"

namespace headlight::explain_test {
namespace {

bool is_close(Scalar a, Scalar b) {
    return a == b || std::abs(a - b) <= Scalar(1e-5) * std::max(Scalar(1), std::abs(b));
}

/// The mistake in the arithmetic of a cell with this value; "" if there is none.
std::string mistake_in(const Explanation& e, std::span<const ConstView> in, Scalar value) {
    Scalar sum = 0;
    for (const Term& term : e.terms) {
        sum += term.value;
        for (const CellRef& cell : term.cells) {
            if (cell.input >= in.size()) return "a cell of an input that is not there";
            const ConstView& input = in[cell.input];
            if (cell.row >= input.rows() || cell.column >= input.cols()) return "a cell outside";
            if (input(cell.row, cell.column) != cell.value) return "a cell's value";
        }
    }
    if (!is_close(sum, e.sum)) return "the sum";
    if (!is_close(e.result(), value)) return "the result";
    return e.rule.empty() ? "no rule" : "";
}

std::string mistake_in_case(const OperationCase& use) {
    std::vector<ConstView> in;
    const Call call = use.call(in);
    const Matrix result = use.forward();
    for (Index i = 0; i < result.rows(); ++i)
        for (Index j = 0; j < result.cols(); ++j) {
            const Explanation e = use.operation->explain(call, view(result), i, j);
            const std::string mistake = mistake_in(e, in, result(i, j));
            if (!mistake.empty())
                return mistake + " of " + std::to_string(i) + ", " + std::to_string(j);
        }
    return "";
}

/// Checks every cell of every tensor of a trace.
void check_trace(const Trace& trace) {
    for (TensorId id = 0; id < trace.tensors().size(); ++id) {
        std::vector<ConstView> in;
        for (const TensorId input : trace[id].inputs()) in.push_back(view(*trace[input].value));
        const Matrix& values = *trace[id].value;
        for (Index i = 0; i < values.rows(); ++i)
            for (Index j = 0; j < values.cols(); ++j)
                CHECK_MESSAGE(mistake_in(explain(trace, id, i, j), in, values(i, j)) == "",
                              trace[id].path() << "[" << i << ", " << j << "]");
    }
}

const StackSettings kSentence =
    stack_of({.n_layers = 2, .n_heads = 2, .d_model = 4, .d_k = 3, .d_v = 2}, Switch::On);

}  // namespace

TEST_CASE(
    "explain: for every operation and cell, the terms add up to the sum and the steps give the "
    "value") {
    for (const OperationCase& use : operation_cases())
        CHECK_MESSAGE(mistake_in_case(use) == "", use.name);
}

TEST_CASE("explain: a wrong explanation is rejected") {
    const Matrix A{{2}}, B{{3}};
    const std::vector<ConstView> in{view(A), view(B)};
    const Explanation right{
        .rule = "A · B", .terms = {{{{0, 0, 0, 2}, {1, 0, 0, 3}}, 6}}, .sum = 6, .finish = {}};
    CHECK(mistake_in(right, in, 6) == "");
    CHECK(mistake_in(right, in, 7) == "the result");
    Explanation wrong = right;
    wrong.terms[0].value = 5;
    CHECK(mistake_in(wrong, in, 6) == "the sum");
    wrong = right;
    wrong.terms[0].cells[1].value = 4;
    CHECK(mistake_in(wrong, in, 6) == "a cell's value");
    wrong.terms[0].cells[1].row = 1;
    CHECK(mistake_in(wrong, in, 6) == "a cell outside");
}

TEST_CASE("explain: every cell of a sentence and of a graph is explained") {
    check_trace(sentence("it was too tired", kSentence));
    check_trace(graph(small_edges(), {.n_heads = {{2}}, .d_in = 3, .d_out = {{2}}}));
    check_trace(graph(small_edges(), {.n_heads = {{3}},
                                      .d_in = 1,
                                      .d_out = {{1}},
                                      .combine = Combine::Mean,
                                      .activation = Activation::None}));
}

TEST_CASE("explain: the arithmetic ends at the exact value of the cell") {
    const auto check = [](const Trace& trace) {
        for (TensorId id = 0; id < trace.tensors().size(); ++id) {
            const Matrix& values = *trace[id].value;
            for (Index i = 0; i < values.rows(); ++i)
                for (Index j = 0; j < values.cols(); ++j)
                    CHECK_MESSAGE(explain(trace, id, i, j).result() == values(i, j),
                                  trace[id].path() << "[" << i << ", " << j << "]");
        }
    };
    for (const Score score : {Score::Additive, Score::Dot, Score::Cosine}) {
        StackSettings settings{.d_model = 16};
        settings.attention.n_heads = 2;
        settings.attention.score = score;
        settings.mask.causal = Switch::On;
        check(sentence("a b a b b", settings));
    }
    check(graph(small_edges(), {.mechanism = GraphMechanism::GatV2, .n_heads = {{2}}}));
}

TEST_CASE("explain: a score is divided by the root of the width") {
    const Trace trace = sentence("it was", kSentence);
    const TensorId id = trace.id_at("blocks.0.attn.heads.0.scores");
    const Explanation e = explain(trace, id, 1, 0);
    CHECK(e.rule == "Σ_d A(i,d) · B(j,d) / √d");
    CHECK(e.terms.size() == 3);
    REQUIRE(e.finish.size() == 1);
    CHECK(e.finish[0].what == "÷ √3");
}

TEST_CASE("explain: a divisor is written as a reader would") {
    const auto divisor = [](Score score, float temperature, float power) {
        StackSettings settings = kSentence;
        settings.attention.score = score;
        settings.attention.temperature = temperature;
        settings.attention.d_power = power;
        settings.attention.d_k = {{8}};
        const Trace trace = sentence("it was", settings, {});
        const auto finish =
            explain(trace, trace.id_at("blocks.0.attn.heads.0.scores"), 0, 0).finish;
        return finish.empty() ? "" : finish.back().what;
    };
    CHECK(divisor(Score::ScaledDot, 1, 0.5f) == "÷ √8");
    CHECK(divisor(Score::ScaledDot, 0.7f, 0.5f) == "÷ (√8 · 0.7)");
    CHECK(divisor(Score::ScaledDot, 1, 1) == "÷ 8");
    CHECK(divisor(Score::ScaledDot, 2, 0) == "÷ 2");
    CHECK(divisor(Score::Additive, 0.7f, 0.5f) == "÷ 0.7");
    CHECK(divisor(Score::Cosine, 0.7f, 0.5f) == "÷ 0.7");
    CHECK(divisor(Score::Dot, 1, 0.5f) == "");
}

TEST_CASE("explain: a fully masked row says so") {
    Interventions interventions;
    for (Index j = 0; j < 2; ++j) interventions["mask"].set(1, j, kMasked);
    const Trace trace = sentence("it was", kSentence, interventions);
    const Explanation e = explain(trace, trace.id_at("blocks.0.attn.heads.0.pattern"), 1, 0);
    CHECK(e.result() == 0);
    CHECK(e.finish.back().what == "every cell of the row is masked");
}

TEST_CASE("explain: the explanation of a cell set by hand ends with that value") {
    const std::string path = "blocks.0.attn.heads.0.pattern";
    Interventions interventions;
    interventions[path].set(1, 0, Scalar(0.25));
    interventions[path].rows = RowRule::Renormalise;
    interventions["embed"].set(0, 0, 2);
    const Trace trace = sentence("it was tired", kSentence, interventions);
    check_trace(trace);
    const TensorId id = trace.id_at(path);
    CHECK(explain(trace, id, 1, 0).finish.back().what == "pinned to");
    CHECK(explain(trace, id, 1, 1).finish.back().what ==
          "scaled, so that the row with its pin sums to 1");
    CHECK(explain(trace, id, 2, 1).finish.back().what == "÷ Σ");
    CHECK(explain(trace, trace.id_at("embed"), 0, 0).finish.back().what == "set by hand to");
}

TEST_CASE("explain: a pin that its row has no room for was set, and scaled") {
    const std::string path = "blocks.0.attn.heads.0.pattern";
    Interventions interventions;
    interventions[path].set(1, 0, 3);
    interventions[path].rows = RowRule::Renormalise;
    const Trace trace = sentence("it was tired", kSentence, interventions);
    check_trace(trace);
    const auto finish = explain(trace, trace.id_at(path), 1, 0).finish;
    REQUIRE(finish.size() >= 2);
    CHECK(finish[finish.size() - 2].what == "pinned to");
    CHECK(finish[finish.size() - 2].value == 3);
    CHECK(finish.back().value == 1);
    CHECK(finish.back().what.starts_with("scaled: "));
}

TEST_CASE("explain: an ablated cell says so") {
    const std::string path = "blocks.0.attn.heads.0.z";
    for (const Ablation ablation : {Ablation::Zero, Ablation::Mean}) {
        Interventions interventions;
        interventions[path].ablation = ablation;
        const Trace trace = sentence("it was tired", kSentence, interventions);
        check_trace(trace);
        CHECK(explain(trace, trace.id_at(path), 1, 0).finish.back().what.starts_with("ablated: "));
    }
}

TEST_CASE("explain: a dormant pin of the row has no effect and is not mentioned") {
    const std::string path = "blocks.0.attn.heads.0.pattern";
    Interventions interventions;
    interventions[path].set(1, 7, Scalar(0.25));
    interventions[path].rows = RowRule::Renormalise;
    const Trace trace = sentence("it was tired", kSentence, interventions);
    CHECK(explain(trace, trace.id_at(path), 1, 1).finish.back().what == "÷ Σ");
}

TEST_CASE("explain: a renormalized edge names the pin of the node's other edge") {
    Interventions interventions;
    interventions["gat.0.heads.0.pattern"].set(0, 0, Scalar(0.25));
    interventions["gat.0.heads.0.pattern"].set(99, 0, Scalar(0.25));
    interventions["gat.0.heads.0.pattern"].rows = RowRule::Renormalise;
    const Trace trace =
        graph(small_edges(), {.n_heads = {{1}}, .d_in = 2, .d_out = {{2}}}, interventions);
    check_trace(trace);
    const TensorId id = trace.id_at("gat.0.heads.0.pattern");
    CHECK(explain(trace, id, 1, 0).finish.back().what ==
          "scaled, so that the row with its pin sums to 1");
    CHECK(explain(trace, id, 2, 0).finish.back().what == "÷ Σ");
}

TEST_CASE("explain: values that the trace did not keep are recomputed") {
    const Trace full = sentence("it was tired", kSentence);
    const Trace bare = compute(without_values(full), {}, {}, nullptr);
    const TensorId id = full.id_at("blocks.1.attn.heads.1.result");
    REQUIRE(!bare[id].value);
    CHECK(explain(bare, id, 2, 1).result() == explain(full, id, 2, 1).result());
}

TEST_CASE("explain: a cell outside the tensor is an error") {
    const Trace trace = sentence("it was", kSentence);
    CHECK(error_of([&] { explain(trace, trace.id_at("embed"), 2, 0); }) ==
          "[explain] cell 2, 0 is outside embed, which is 2 × 4");
    CHECK(error_of([&] { explain(trace, trace.id_at("embed"), 0, -1); }) ==
          "[explain] cell 0, -1 is outside embed, which is 2 × 4");
}

TEST_CASE("cell_name: it has the symbol and words, or numbers") {
    const Trace trace = sentence("it was", kSentence);
    const TensorId q = trace.id_at("blocks.0.attn.heads.0.q");
    CHECK(cell_name(trace, q, 1, 2) == "Q(was, 2)");
    CHECK(cell_name(trace, trace.id_at("blocks.0.attn.heads.0.pattern"), 1, 0) == "A(was, it)");
    const Trace karate = graph(small_edges(), {.n_heads = {{1}}});
    CHECK(cell_name(karate, karate.id_at("gat.0.heads.0.pattern"), 0, 0) == "α(n0 ← n1)");
}

}  // namespace headlight::explain_test
