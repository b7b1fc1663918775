#include "figure/words/arithmetic.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/compute.h"
#include "core/explain.h"
#include "core/mechanisms/graph_attention.h"
#include "core/mechanisms/recurrent.h"
#include "core/mechanisms/transformer.h"
#include "core/operations/normalizer_operations.h"
#include "core/operations/operations.h"
#include "figure/number_format.h"

namespace headlight::arithmetic_test {
namespace {

Trace two_nodes(GraphMechanism mechanism) {
    const GraphSettings settings{.mechanism = mechanism,
                                 .n_heads = {{1}},
                                 .d_in = 2,
                                 .d_out = {{2}},
                                 .activation = Activation::None};
    return compute(plan_graph_attention({{"a", "b"}, {"a", "b"}}, make_edges(2, {{0, 0}, {0, 1}}),
                                        settings, 1),
                   {}, {.everything = true, .globs = {}}, nullptr);
}

std::vector<std::string> lines_of(const Trace& trace, const std::string& path) {
    std::vector<std::string> lines;
    for (const ArithmeticStep& step : arithmetic_steps(trace, trace.id_at(path), 1, 0))
        for (std::string& line : arithmetic_lines(trace, step, 8)) lines.push_back(std::move(line));
    return lines;
}

Term term(std::vector<Scalar> cells, Scalar value, const char* of_sum = nullptr) {
    Term made{.cells = {}, .value = value, .of_sum = of_sum};
    for (const Scalar cell : cells) made.cells.push_back({0, 0, 0, cell});
    return made;
}

}  // namespace

TEST_CASE("term_text: a product, with negative numbers in parentheses") {
    CHECK(term_text(term({2, -3}, -6), 3) == "2.00·(−3.00)");
    CHECK(term_text(term({2}, 2), 3) == "2.00");
}

TEST_CASE("term_text: a cell times a function of the sum of the others") {
    const auto value = static_cast<Scalar>(2 * std::tanh(-0.5));
    CHECK(term_text(term({2, Scalar(0.5), -1}, value, "tanh"), 3) == "2.00·tanh(0.500 + (−1.00))");
}

TEST_CASE("term_text: a cell times 1 less another") {
    CHECK(term_text(term({2, Scalar(0.25)}, 1.5, kComplement), 3) == "2.00·(1 − 0.250)");
    const Trace trace = compute(plan_recurrent({"a"}, {"x"}, {}, 1), {},
                                {.everything = true, .globs = {}}, nullptr);
    const Explanation e = explain(trace, trace.id_at("decoder.steps.0.s"), 0, 1);
    CHECK(term_text(e.terms[0], 3).find("·(1 − ") != std::string::npos);
}

TEST_CASE("term_text: for any other operation, the value alone") {
    CHECK(term_text(term({0}, 1), 3) == "1.00");
    CHECK(term_text(term({3, 4}, 5), 3) == "5.00");
}

TEST_CASE("arithmetic: GATv2 shows its hidden layer, and the softmax names its scores") {
    const std::vector<std::string> lines =
        lines_of(two_nodes(GraphMechanism::GatV2), "gat.0.heads.0.pattern");
    REQUIRE(lines.size() == 5);
    CHECK(lines[0].starts_with("e = "));
    CHECK(lines[0].find("·LeakyReLU(") != std::string::npos);
    CHECK(lines[2].starts_with("max e = "));
    CHECK(lines[3] == "exp(e − max) / Σ exp(e − max)");
    const std::vector<std::string> of_dots =
        lines_of(two_nodes(GraphMechanism::Transformer), "blocks.0.attn.heads.0.pattern");
    CHECK(of_dots[3] == "exp(S − max) / Σ exp(S − max)");
}

namespace {

/// One row of scores 1, 3, 0, normalized by `operation`.
Trace normalized(const Operation& operation, Index count = 0) {
    Plan plan;
    plan.lists[0].names = std::make_shared<const std::vector<std::string>>(3, "word");
    const Axis rows{.kind = AxisKind::Query, .size = 1}, columns{.kind = AxisKind::Key, .size = 3};
    Matrix values(1, 3);
    values << 1, 3, 0;
    plan.add({.path = "s",
              .symbol = "S",
              .equation = {},
              .rows = rows,
              .columns = columns,
              .stage = Stage::Score,
              .operation = &operations::listed,
              .settings = {.values = std::make_shared<const Matrix>(values)}});
    plan.add({.path = "a",
              .symbol = "A",
              .equation = {},
              .rows = rows,
              .columns = columns,
              .stage = Stage::Score,
              .operation = &operation,
              .settings = {.count = count},
              .inputs = {0}});
    return compute(std::move(plan), {}, {.everything = true, .globs = {}}, nullptr);
}

std::vector<std::string> lines_of_cell(const Trace& trace, const std::string& path, Index row,
                                       Index column) {
    std::vector<std::string> lines;
    for (const ArithmeticStep& step : arithmetic_steps(trace, trace.id_at(path), row, column))
        for (std::string& line : arithmetic_lines(trace, step, 8)) lines.push_back(std::move(line));
    return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("arithmetic: every normalizer is explained") {
    CHECK(lines_of_cell(normalized(operations::top_k_rows, 2), "a", 0, 1) ==
          Lines{"max S = 3.00", "exp(S − max) / Σ exp(S − max)", "= 1.000 / 1.135 = 0.881"});
    CHECK(lines_of_cell(normalized(operations::top_k_rows, 2), "a", 0, 2) ==
          Lines{"not one of the 2 largest", "= 0"});
    CHECK(lines_of_cell(normalized(operations::hard_rows), "a", 0, 1) ==
          Lines{"max S = 3.00", "the largest score of the row = 1.00"});
    const Lines sparse = lines_of_cell(normalized(operations::sparsemax_rows), "a", 0, 1);
    CHECK(sparse.front().starts_with("Σ S = "));
    CHECK(sparse.back() == "max(S − τ, 0) = 1.00");
    CHECK(lines_of_cell(normalized(operations::entmax_rows), "a", 0, 1)
              .front()
              .starts_with("Σ S/2 = "));
}

TEST_CASE("arithmetic: who divides what a softmax shows gets what it shows") {
    Plan plan;
    plan.lists[0].names = std::make_shared<const std::vector<std::string>>(2, "word");
    Matrix values(1, 2);
    values << Scalar(6.2), 0;
    const Axis rows{.kind = AxisKind::Query, .size = 1}, columns{.kind = AxisKind::Key, .size = 2};
    plan.add({.path = "s",
              .symbol = "S",
              .equation = {},
              .rows = rows,
              .columns = columns,
              .stage = Stage::Score,
              .operation = &operations::listed,
              .settings = {.values = std::make_shared<const Matrix>(values)}});
    plan.add({.path = "a",
              .symbol = "A",
              .equation = {},
              .rows = rows,
              .columns = columns,
              .stage = Stage::Score,
              .operation = &operations::softmax_rows,
              .inputs = {0}});
    const Trace trace = compute(std::move(plan), {}, {.everything = true, .globs = {}}, nullptr);
    CHECK(lines_of_cell(trace, "a", 0, 0).back() == "= 1.000 / 1.002 = 0.998");
    CHECK(lines_of_cell(trace, "a", 0, 1).back() == "= 0.002 / 1.00 = 0.002");
}

TEST_CASE("arithmetic: a function is named, and a layer norm shows each of its steps") {
    CHECK(lines_of_cell(normalized(operations::relu), "a", 0, 1) == Lines{"A = ReLU(3.00) = 3.00"});
    StackSettings settings;
    settings.block.norm = Norm::Pre;
    const Trace trace = compute(plan_sentences({{"a", "b"}}, settings, 1), {},
                                {.everything = true, .globs = {}}, nullptr);
    const Lines lines = lines_of_cell(trace, "blocks.0.ln1.out", 1, 2);
    REQUIRE(lines.size() == 4);
    CHECK(lines[0].starts_with("x = "));
    CHECK(lines[1].starts_with("− the row's mean "));
    CHECK(lines[2].starts_with("× w = "));
    CHECK(lines[3].starts_with("+ b = "));
}

TEST_CASE("arithmetic: a cell of a stacked tensor shows the arithmetic of its own step") {
    const Trace trace = compute(plan_recurrent({"a", "b", "c"}, {"x", "y"}, {}, 1), {},
                                {.everything = true, .globs = {}}, nullptr);
    const auto& pattern = *trace.at("decoder.attn.heads.0.pattern").value;
    const auto steps = arithmetic_steps(trace, trace.id_at("decoder.attn.heads.0.pattern"), 1, 2);
    REQUIRE(steps.size() >= 3);
    CHECK(trace[steps.front().tensor].path() == "decoder.steps.1.e");
    CHECK(trace[steps[steps.size() - 2].tensor].path() == "decoder.steps.1.alpha");
    CHECK(trace[steps.back().tensor].path() == "decoder.attn.heads.0.pattern");
    CHECK(steps.back().explanation.result() == doctest::Approx(pattern(1, 2)));
    const Lines lines = lines_of_cell(trace, "decoder.attn.heads.0.pattern", 1, 2);
    CHECK(lines.front().find("·tanh(") != std::string::npos);
    CHECK(lines[lines.size() - 3].starts_with("exp("));
    CHECK(lines.back() == "α = " + format_value(pattern(1, 2), 3));
}

TEST_CASE("arithmetic: a pin on a copied cell is mentioned") {
    const Trace trace = compute(plan_recurrent({"a", "b"}, {"x"}, {}, 1),
                                {{"decoder.attn.heads.0.pattern", {.cells = {{0, 1, 1}}}}},
                                {.everything = true, .globs = {}}, nullptr);
    CHECK(lines_of_cell(trace, "decoder.attn.heads.0.pattern", 0, 1).back() == "pinned to = 1.00");
}

}  // namespace headlight::arithmetic_test
