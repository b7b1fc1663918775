#include "figure/words/arithmetic.h"

#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

namespace {

/// Computes what a line says, from its written numbers and signs and nothing else.
class LineReader {
  public:
    explicit LineReader(std::string_view text) : rest_(text) {}

    /// Returns nothing if the text is more than signs, numbers and tanh.
    std::optional<double> read() {
        const double value = sum();
        return fails_ || !rest_.empty() ? std::nullopt : std::optional(value);
    }
    /// Applies what the text says to a number: "÷ √8", "× w = 0.5", "− the row's mean 0.1, ÷ 2".
    std::optional<double> applied_to(double x) {
        while (!rest_.empty()) {
            const bool divides = take("÷ "), times = !divides && take("× "),
                       minus = !divides && !times && take("− "),
                       plus = !divides && !times && !minus && take("+ ");
            if (!divides && !times && !minus && !plus) return std::nullopt;
            while (!rest_.empty() && !begins_number()) rest_.remove_prefix(1);
            const double by = sum();
            if (fails_) return std::nullopt;
            x = divides ? x / by : times ? x * by : minus ? x - by : x + by;
            if (!take(", ")) break;
        }
        return rest_.empty() || rest_.starts_with(" keys read") ? std::optional(x) : std::nullopt;
    }

  private:
    bool take(std::string_view what) {
        const bool has = rest_.starts_with(what);
        if (has) rest_.remove_prefix(what.size());
        return has;
    }
    bool begins_number() const {
        return rest_.starts_with("√") || rest_.starts_with("−") ||
               std::string_view("(0123456789").find(rest_.front()) != std::string_view::npos;
    }
    double sum() {
        double value = product();
        while (!fails_) {
            if (take(" + "))
                value += product();
            else if (take(" − "))
                value -= product();
            else
                break;
        }
        return value;
    }
    double product() {
        double value = factor();
        while (!fails_) {
            if (take("·") || take(" · "))
                value *= factor();
            else if (take(" / "))
                value /= factor();
            else
                break;
        }
        return value;
    }
    double factor() {
        if (take("√")) return std::sqrt(factor());
        if (take("−")) return -factor();
        const bool is_tanh = take("tanh");
        if (take("(")) {
            const double inside = sum();
            fails_ = fails_ || !take(")");
            return is_tanh ? std::tanh(inside) : inside;
        }
        if (take("∞")) return std::numeric_limits<double>::infinity();
        std::string digits;
        while (!rest_.empty() && (std::isdigit(static_cast<unsigned char>(rest_.front())) != 0 ||
                                  rest_.front() == '.')) {
            digits += rest_.front();
            rest_.remove_prefix(1);
        }
        fails_ = fails_ || digits.empty();
        double value = fails_ ? 0 : std::stod(digits);
        if (take("e−") || take("e-")) return value / std::pow(10, factor());
        return take("e") ? value * std::pow(10, factor()) : value;
    }

    std::string_view rest_;
    bool fails_ = false;
};

/// Returns one unit of the last figure of a written number.
double last_unit(std::string_view text) {
    const std::size_t e = text.find('e'), point = text.substr(0, e).find('.');
    const std::string_view digits = text.substr(0, e);
    double unit = point == std::string_view::npos
                      ? 1
                      : std::pow(10, -static_cast<double>(digits.size() - point - 1));
    if (e == std::string_view::npos) return unit;
    return unit * *LineReader("1" + std::string(text.substr(e))).read();
}

struct ReadLines {
    int n_true = 0, n_about = 0;
    std::string wrong;
};

/// Reads the lines of a step as someone does who has only them.
void read_lines(const std::vector<std::string>& lines, ReadLines& all) {
    std::string open;  // what stands before a line that begins with its sign of equality
    std::optional<double> last;
    const auto read_part = [&](std::string_view part) {
        constexpr std::string_view kIs = " = ", kIsAbout = " ≈ ";
        const std::string line =
            (part.starts_with("= ") || part.starts_with("≈ ") ? open + " " : "") +
            std::string(part);
        const std::size_t is = line.rfind(kIs), about = line.rfind(kIsAbout);
        const bool is_about = about != std::string::npos && (is == std::string::npos || about > is);
        const std::size_t at = is_about ? about : is;
        if (at == std::string::npos) return void(open = line);
        const std::string right = line.substr(at + (is_about ? kIsAbout : kIs).size());
        const auto written = LineReader(right).read();
        std::string left = line.substr(0, at);
        const bool goes_on = left.starts_with("÷") || left.starts_with("×") ||
                             left.starts_with("−") || left.starts_with("+");
        if (const std::size_t name = left.find(kIs); !goes_on && name != std::string::npos)
            left = left.substr(name + kIs.size());
        const auto read = goes_on ? (last ? LineReader(left).applied_to(*last) : std::nullopt)
                                  : LineReader(left).read();
        open = line;
        last = written;
        if (!read || !written || !std::isfinite(*written)) return;
        if (is_about) return void(++all.n_about);
        const bool is_true = std::abs(*read - *written) <= 0.5000001 * last_unit(right);
        is_true ? void(++all.n_true) : void(all.wrong += line + "\n");
    };
    for (std::string_view line : lines)
        while (!line.empty()) {
            const std::size_t end = line.find("   ");
            read_part(line.substr(0, end));
            line.remove_prefix(end == std::string_view::npos ? line.size() : end + 3);
        }
}

/// Reads the arithmetic of about a thousand cells of the trace.
void read_cells(const Trace& trace, ReadLines& all) {
    for (TensorId id = 0; id < trace.tensors().size(); ++id) {
        const Tensor& tensor = trace[id];
        if (!tensor.value || tensor.is_leaf()) continue;
        for (Index k = 0; k < 12; ++k) {
            const Index i = k % tensor.value->rows(), j = 5 * k % tensor.value->cols();
            for (const ArithmeticStep& step : arithmetic_steps(trace, id, i, j))
                read_lines(arithmetic_lines(trace, step, 6), all);
        }
    }
}

}  // namespace

TEST_CASE("arithmetic: who reads a line with nothing but what stands there finds it true") {
    ReadLines all;
    read_lines({"Q·K = 3.00·4.00 + 1.00·(−2.00)", "= 10.0   ÷ √4 = 5.00"}, all);
    CHECK(all.n_true == 2);
    ReadLines wrong;
    read_lines({"Q·K = 3.00·4.00", "= 109   ÷ √32 = 19.2"}, wrong);
    CHECK(wrong.wrong == "Q·K = 3.00·4.00 = 109\n÷ √32 = 19.2\n");

    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        StackSettings settings;
        settings.block.norm = seed == 1 ? Norm::Pre : Norm::Post;
        settings.attention.score = Score::ScaledDot;
        read_cells(compute(plan_sentences({{"a", "b", "c", "d"}}, settings, seed), {},
                           {.everything = true, .globs = {}}, nullptr),
                   all);
        read_cells(compute(plan_recurrent({"a", "b", "c"}, {"x", "y"}, {}, seed), {},
                           {.everything = true, .globs = {}}, nullptr),
                   all);
    }
    for (const GraphMechanism mechanism : {GraphMechanism::Gat, GraphMechanism::GatV2})
        read_cells(two_nodes(mechanism), all);
    CHECK(all.wrong == "");
    CHECK(all.n_true > 2000);
    CHECK(all.n_about < all.n_true / 20);
}

}  // namespace headlight::arithmetic_test
