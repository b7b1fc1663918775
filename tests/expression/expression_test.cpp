#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <numeric>

#include "core/numeric/statistics.h"
#include "expression_study.h"

using namespace headlight;

namespace {

constexpr const char* kShownPattern = "blocks.0.attn.heads.2.pattern";
constexpr Index kIt = 6, kCat = 1;  // in "The cat didn't cross the street because it was too tired"

double number_in(const char* text) {
    return who_is_it().number(text);
}
bool is_true_in(const char* text) {
    return who_is_it().is_true(text);
}

}  // namespace

TEST_CASE("expressions: operators bind as in mathematics") {
    CHECK(number_in("1 + 2 * 3") == 7);
    CHECK(number_in("(1 + 2) * 3") == 9);
    CHECK(number_in("8 - 3 - 2") == 3);
    CHECK(number_in("16 / 4 / 2") == 2);
    CHECK(number_in("2 ^ 3 ^ 2") == 512);
    CHECK(number_in("-2 ^ 2") == -4);
    CHECK(number_in("2 ^ -1") == 0.5);
    CHECK(number_in("2 − 3 × 1.5e1") == -43);
    CHECK(is_true_in("1 < 2 and not 2 < 1 or false"));
    CHECK(is_true_in("true or true and false"));
    CHECK(is_true_in("not 1 > 2"));
    CHECK(is_true_in("1 < 2 <= 2"));
    CHECK_FALSE(is_true_in("1 < 2 < 2"));
    CHECK(is_true_in("1 ≤ 1 and 1 ≥ 1 and 1 ≠ 2 and 1 != 2 and 1 == 1"));
}

TEST_CASE("expressions: numbers that differ by the rounding of floats are equal") {
    CHECK(is_true_in("0.1 + 0.2 = 0.3"));
    CHECK_FALSE(is_true_in("0.1 + 0.2 > 0.3"));
    CHECK(is_true_in("sum(pattern[it]) = 1"));
    CHECK_FALSE(is_true_in("0 = 0.0000000001"));
    CHECK_FALSE(is_true_in("0.3 = 0.30001"));
    CHECK(is_true_in("-infinity = 0 - ∞"));
    CHECK(is_true_in("-∞ < 0 < infinity"));
}

TEST_CASE("expressions: a tensor, its row, its column and its cell are those of the trace") {
    const ExpressionStudy& study = who_is_it();
    const Matrix& A = study.matrix(kShownPattern);
    CHECK(study.number("pattern[it, cat]") == A(kIt + 1, kCat));
    CHECK(study.number("pattern[7, 1]") == A(7, 1));
    CHECK(study.number("pattern[“it”, 'cat']") == A(7, 1));
    CHECK(study.number("pattern[ it , \"didn't\" ]") == A(7, 2));
    CHECK(study.number("pattern[didn't, it#1]") == A(2, 7));
    CHECK(study.number("blocks.0.attn.heads.2.pattern[it, cat]") == A(7, 1));
    CHECK(study.value("pattern").numbers == A.cast<double>());
    const Value row = study.value("pattern[it]"), column = study.value("pattern[*, cat]");
    CHECK(row.numbers == A.cast<double>().row(7));
    CHECK(row.column_names == study.trace.items());
    CHECK(column.numbers == A.cast<double>().col(1).transpose());
    CHECK(column.column_names == study.trace.items());
    CHECK(study.number("pattern[it][cat]") == A(7, 1));
    CHECK(study.number("(pattern * 1)[it, cat]") == A(7, 1));
    CHECK(study.value("(pattern * 1)[*, cat]").numbers == column.numbers);
    CHECK(study.number("pattern[it, (argmax(pattern[it]))]") == A.row(7).maxCoeff());
    CHECK(study.number("pattern[(3 + 4), 1]") == A(7, 1));
}

TEST_CASE("expressions: a short name is the head's, the component's, the layer's, the only one") {
    const ExpressionStudy& study = who_is_it();
    const auto path = [&](const char* name) {
        const auto paths = needed_paths(read_expression(name, "t"), study.side().names());
        return paths.empty() ? "" : paths.front();
    };
    CHECK(path("pattern") == kShownPattern);
    CHECK(path("A") == kShownPattern);
    CHECK(path("W_Q") == "blocks.0.attn.heads.2.W_Q");
    CHECK(path("heads.1.pattern") == "blocks.0.attn.heads.1.pattern");
    CHECK(path("out") == "blocks.0.attn.out");
    CHECK(path("mlp.out") == "blocks.0.mlp.out");
    CHECK(path("resid_mid") == "blocks.0.resid_mid");
    CHECK(path("W_E") == "W_E");
    CHECK(path("blocks.1.attn.heads.0.z") == "blocks.1.attn.heads.0.z");
    const NameScope far{study.trace, study.components, "blocks.1.attn.out", 3};
    CHECK(needed_paths(read_expression("q", "t"), far) ==
          std::vector<std::string>{"blocks.1.attn.heads.3.q"});
    const ExpressionStudy shared("gqa", "blocks.0.attn.heads.5.pattern");
    const NameScope of_head{shared.trace, shared.components, shared.shown, 5};
    CHECK(needed_paths(read_expression("k + W_K", "t"), of_head) ==
          std::vector<std::string>{"blocks.0.attn.kv.1.k", "blocks.0.attn.kv.1.W_K"});
}

TEST_CASE("expressions: what must be watched is known before anything is computed") {
    const ExpressionStudy& study = who_is_it();
    const Expression expression = read_expression(
        "pattern[it, (argmax(scores[it]))] > b.pattern[0, 0] and argmax(q[it]) = nobody", "t");
    CHECK(needed_paths(expression, study.side().names()) ==
          std::vector<std::string>{kShownPattern, "blocks.0.attn.heads.2.scores",
                                   "blocks.0.attn.heads.2.q"});
    CHECK(needed_paths(expression, study.side().names(), ScopeSide::B) ==
          std::vector<std::string>{kShownPattern});
    CHECK(needed_paths(expression, study.side().names(), ScopeSide::Before).empty());
}

TEST_CASE("expressions: a word beside a text is a text") {
    const ExpressionStudy& study = who_is_it();
    const std::string most = study.value("argmax(pattern[it])").text;
    CHECK(most == "didn't");
    CHECK(is_true_in("argmax(pattern[it]) = \"didn't\""));
    CHECK(is_true_in("argmax(pattern[tired]) = 'It' or argmax(pattern[it]) != cat"));
    CHECK(is_true_in("cat != argmax(pattern[it])"));
    CHECK(is_true_in("argmax([1, 3, 2]) = 1"));
    CHECK(is_true_in("argmin(pattern[it]) != z"));
    CHECK(a_graph().is_true("rank(pattern[9, *], 33) = 3"));
}

TEST_CASE("expressions: words that stand several times are counted") {
    const ExpressionStudy study("induction", "blocks.1.attn.heads.0.pattern");
    const Names& words = study.trace.items();
    const auto first = std::ranges::find(words, words[0]);
    const auto second = std::find(first + 1, words.end(), words[0]);
    REQUIRE(second != words.end());
    const std::string again = words[0] + "#2";
    CHECK(study.value("pattern[" + again + "]").numbers ==
          study.value("pattern[" + std::to_string(second - words.begin()) + "]").numbers);
    CHECK(study.number("pattern[5][" + again + "]") == study.number("pattern[5, " + again + "]"));
    Value row = study.value("pattern[5]");
    row.numbers.setZero();
    row.numbers(0, second - words.begin()) = 1;
    const Value name = name_in_row(row, second - words.begin());
    CHECK(name.occurrence == 2);
    CHECK(are_same_name(name, text_value(words[0])));
    CHECK(are_same_name(name, text_value(again)));
    CHECK_FALSE(are_same_name(name, text_value(words[0] + "#1")));
}

TEST_CASE("expressions: an edge of a graph by its nodes") {
    const ExpressionStudy& graph = a_graph();
    const double weight = graph.number("pattern[9<-33]");
    CHECK(graph.number("pattern[33->9]") == weight);
    CHECK(graph.number("pattern['9 ← 33']") == weight);
    CHECK(graph.number("pattern[9, 33]") == weight);
    CHECK(graph.number("α[9, 33]") == weight);
    CHECK(graph.number("pattern[9, *][33]") == weight);
    CHECK(graph.number("pattern[*, 33]['9']") == weight);
    CHECK(graph.is_true("sum(pattern[9, *]) = 1"));
    CHECK(graph.value("pattern[9, *]").column_names == Names{"2", "9", "33"});
}

TEST_CASE("expressions: functions are what their names say") {
    const ExpressionStudy& study = who_is_it();
    const Matrix& A = study.matrix(kShownPattern);
    const std::vector<float> row(A.row(7).data(), A.row(7).data() + A.cols());
    const double n = static_cast<double>(row.size());
    const double total = std::accumulate(row.begin(), row.end(), 0.0);
    double squares = 0, square_sum = 0;
    for (const float x : row) squares += (x - total / n) * (x - total / n), square_sum += x * x;
    CHECK(study.number("max(pattern[it])") == std::ranges::max(row));
    CHECK(study.number("min(pattern[it])") == std::ranges::min(row));
    CHECK(number_in("max(1, 3, 2)") == 3);
    CHECK(study.number("sum(pattern[it])") == doctest::Approx(total));
    CHECK(study.number("mean(pattern[it])") == doctest::Approx(total / n));
    CHECK(study.number("variance(pattern[it])") == doctest::Approx(squares / n));
    CHECK(study.number("deviation(pattern[it])") == doctest::Approx(std::sqrt(squares / n)));
    CHECK(study.number("norm(pattern[it])") == doctest::Approx(std::sqrt(square_sum)));
    CHECK(study.number("entropy(pattern[it])") == doctest::Approx(row_entropy_bits(A, 7)));
    CHECK(study.number("mean(entropy(pattern))") == doctest::Approx(mean_entropy_bits(A)));
    CHECK(number_in("abs(-3)") == 3);
    CHECK(number_in("sqrt(9)") == 3);
    CHECK(number_in("log(exp(2))") == doctest::Approx(2));
    CHECK(number_in("dot([1, 2, 3], [4, 5, 6])") == 32);
    CHECK(number_in("cosine([1, 0], [1, 1])") == doctest::Approx(std::sqrt(0.5)));
    CHECK(number_in("rank([5, 7, 6], 0)") == 3);
    CHECK(study.number("rank(pattern[it], \"didn't#1\")") == 1);
    CHECK(number_in("rows(pattern)") == 11);
    CHECK(number_in("columns(W_Q)") == 16);
    CHECK(number_in("columns(pattern[it])") == 11);
    CHECK(study.value("transpose(pattern)").numbers == A.cast<double>().transpose());
    CHECK(study.value("diagonal(pattern)").numbers == A.cast<double>().diagonal().transpose());
    CHECK(number_in("asymmetry(pattern)") ==
          doctest::Approx((A - A.transpose()).cwiseAbs().maxCoeff()));
    CHECK(number_in("asymmetry(scores + transpose(scores))") == 0);
    CHECK(number_in("count([1, 2, 3] > 1)") == 2);
    CHECK(is_true_in("all(pattern >= 0) and not all(pattern > 0.5) and any(pattern > 0.5)"));
    CHECK(is_true_in("near(pattern @ v, z, 0.0001)"));
    CHECK_FALSE(is_true_in("near(pattern @ v, z + 0.01, 0.0001)"));
    CHECK(is_true_in("near([1, -infinity], [1, -infinity], 0)"));
    CHECK_FALSE(is_true_in("near([1, -infinity], [1, 0], 5)"));
}

TEST_CASE("expressions: the laws of attention hold in the words of a lecture") {
    CHECK(is_true_in("near(softmax(masked_scores), pattern, 0.00001)"));
    CHECK(is_true_in("near(scores, q @ transpose(k) / sqrt(columns(q)), 0.0001)"));
    CHECK(is_true_in("near(softmax(scores[it] + 100), softmax(scores[it]), 0.00001)"));
    CHECK(is_true_in("entropy(pattern[it]) <= log(11) / log(2)"));
    CHECK(is_true_in("near(pattern[it] @ v, z[it], 0.0001)"));
    CHECK(is_true_in("near(dot(q[it], k[cat]) / 4, scores[it, cat], 0.0001)"));
    CHECK(is_true_in("all(softmax([-infinity, -infinity]) = 0)"));
    CHECK(is_true_in("abs(sum(pattern) - rows(pattern)) < 0.0001"));
}

TEST_CASE("expressions: numbers and rows go with every row of a matrix") {
    const ExpressionStudy& study = who_is_it();
    const NumberMatrix A = study.matrix(kShownPattern).cast<double>();
    CHECK(study.value("2 * pattern").numbers == 2 * A);
    CHECK(study.value("pattern - pattern[it]").numbers == (A.rowwise() - A.row(7)).eval());
    CHECK(study.value("pattern[it] + pattern").column_names == study.trace.items());
    CHECK(study.value("[1, 2] @ [3, 4]").is_number());
    CHECK(study.value("pattern @ pattern[it]").numbers == (A * A.row(7).transpose()).transpose());
}

TEST_CASE("expressions: other studies and settings") {
    const ExpressionStudy &study = who_is_it(), other("attention");
    const ExpressionSide b = other.side(), before = study.side();
    const ExpressionScope scope{study.side(), &b, &before};
    CHECK(evaluate_expression("b.pattern[0, 0]", scope, "t").number() ==
          other.matrix(kShownPattern)(0, 0));
    CHECK(holds(read_expression("all(before.pattern = pattern)", "t"), scope));
    CHECK(evaluate_expression("settings.layer.attention.temperature", scope, "t").number() == 1);
    CHECK(evaluate_expression("b.settings.n_heads", scope, "t").number() ==
          other.document.sentence()->layer.attention.n_heads);
}

TEST_CASE("expressions: a condition says which values it compares") {
    const auto words = [](const char* text) {
        return with_values(read_expression(text, "t"), who_is_it().scope());
    };
    CHECK(words("pattern[it, cat] > 0.5 and argmax(pattern[it]) = cat") ==
          "1.4e−4 > 0.500 and didn't = cat");
    CHECK(words("(1 < 2 or not 2 < 1) and 0 < rows(q) < 20") ==
          "(1 < 2 or not (2 < 1)) and 0 < 11 < 20");
    CHECK(words("all([1, 2] > 1)") == "false");
    CHECK(words("'or' = 'and'") == "or = and");
}

TEST_CASE("expressions: values as text") {
    const ExpressionStudy& study = who_is_it();
    CHECK(study.shown_value("1 / 3") == "0.333");
    CHECK(study.shown_value("rows(pattern)") == "11");
    CHECK(study.shown_value("-1 / 3", "1") == "−0.3");
    CHECK(study.shown_value("-0.001", "2") == "0.00");
    CHECK(study.shown_value("12.3456", "2") == "12.35");
    CHECK(study.shown_value("0.5645", "%") == "56 %");
    CHECK(study.shown_value("0.5645", "1%") == "56.5 %");
    CHECK(study.shown_value("[0.5, 1 / 3]") == "[0.500, 0.333]");
    CHECK(study.shown_value("[-infinity, 1]", "1") == "[−∞, 1.0]");
    CHECK(study.shown_value("1 < 2") == "true");
    CHECK(study.shown_value("argmax(pattern[it])", "3") == "didn't");
    CHECK(study.shown_value("W_E[cat]", "0").ends_with(", …]"));
    CHECK(study.shown_value("2 * [[1, 2][0], 3]") == "[2, 6]");
    CHECK_THROWS_WITH_AS(study.shown_value("1", "x"),
                         "[t] there is no format 'x'; a format is a number of decimals, 0 to 9, "
                         "or %, or both: 1%",
                         Error);
}

TEST_CASE("expressions: every function is called by a test or an error, and has words") {
    for (const FunctionWords& words : expression_functions()) {
        CHECK(std::string(words.what).size() > 5);
        const std::string error = who_is_it().error(std::string(words.name) + "()");
        CHECK(error.ends_with("it is " + std::string(words.name) + "(" + words.arguments +
                              "), and not with 0 arguments"));
    }
}
