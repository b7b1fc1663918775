#include "core/operations/score_operations.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/operation_cases.h"
#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight::score_operations_test {
namespace {

constexpr Scalar kTolerance = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(1e-5);

Matrix result_of(const Operation& operation, std::vector<Matrix> inputs, OperationSettings settings,
                 Index rows, Index columns) {
    return OperationCase{operation.name, &operation, std::move(inputs), settings, rows, columns}
        .forward();
}

Matrix cosine(const Matrix& Q, const Matrix& K) {
    return result_of(operations::cosine_scores, {Q, K}, {}, Q.rows(), K.rows());
}

/// True if the scores depend only on the directions of the queries.
bool ignores_lengths(const Operation& scores) {
    const Matrix Q = random_matrix(4, 5, 1), K = random_matrix(6, 5, 2);
    const Matrix S = result_of(scores, {Q, K}, {}, 4, 6);
    return distance(result_of(scores, {Q * Scalar(3.7), K}, {}, 4, 6), S) < kTolerance;
}

Matrix over(const Matrix& a, const Matrix& b) {
    Matrix both(a.rows() + b.rows(), a.cols());
    both << a, b;
    return both;
}

/// True if two stacked sentences have the scores of each alone. They differ in the first n_stacked
/// inputs and share the others.
bool is_each_by_itself(OperationCase first, const OperationCase& second, std::size_t n_stacked,
                       Index group_rows) {
    const Matrix expected = over(first.forward(), second.forward());
    for (std::size_t i = 0; i < n_stacked; ++i)
        first.inputs[i] = over(first.inputs[i], second.inputs[i]);
    first.rows *= 2;
    first.settings.group_rows = group_rows;
    return distance(first.forward(), expected) < kTolerance;
}

/// True if the last query of `use` alone has the same scores; `settings` give its position.
bool is_decoded(const OperationCase& use, const OperationSettings& settings, bool has_query_input) {
    OperationCase step = use;
    step.settings = settings;
    step.rows = 1;
    if (has_query_input) step.inputs[0] = Matrix(use.inputs[0].bottomRows(1));
    return distance(step.forward(), use.forward().bottomRows(1)) < kTolerance;
}

/// The column of the largest number in a row.
Index peak_of(const Matrix& S, Index row) {
    Index column = 0;
    S.row(row).maxCoeff(&column);
    return column;
}

}  // namespace

TEST_CASE("cosine_scores: between −1 and 1: 1 for the same direction, −1 for the opposite one") {
    const Matrix Q = random_matrix(9, 5, 1);
    CHECK(cosine(Q, random_matrix(7, 5, 2)).cwiseAbs().maxCoeff() <= 1 + kTolerance);
    CHECK((cosine(Q, Q * 3).diagonal().array() - 1).abs().maxCoeff() < kTolerance);
    CHECK((cosine(Q, Q * -2).diagonal().array() + 1).abs().maxCoeff() < kTolerance);
}

TEST_CASE("cosine_scores: the shortest and the longest vectors keep their directions") {
    const Matrix Q = random_matrix(4, 5, 1), K = random_matrix(6, 5, 2), S = cosine(Q, K);
    for (const Scalar size : {Scalar(1e-23), Scalar(1e-30), Scalar(1e20), Scalar(1e37)}) {
        CHECK(distance(cosine(Q * size, K), S) < kTolerance);
        CHECK(distance(cosine(Q * size, K * size), S) < kTolerance);
    }
}

TEST_CASE("norm_weighted: norms whose squares overflow are right") {
    const Matrix A = random_matrix(3, 4, 1).cwiseAbs(), V = random_matrix(4, 2, 2);
    const Matrix N = result_of(operations::norm_weighted, {A, V}, {}, 3, 4);
    for (const Scalar size : {Scalar(1e-25), Scalar(1e25)}) {
        const Matrix scaled = result_of(operations::norm_weighted, {A, V * size}, {}, 3, 4);
        CHECK(distance(scaled / size, N) < 10 * kTolerance);
    }
}

TEST_CASE("cosine_scores: the length of a query has no effect, unlike in a dot product") {
    CHECK(ignores_lengths(operations::cosine_scores));
    CHECK_FALSE(ignores_lengths(operations::multiply_transposed));
}

TEST_CASE("cosine_scores: a vector of zeros has score 0 and gradient 0") {
    OperationCase use{
        "", &operations::cosine_scores, {random_matrix(3, 4, 1), random_matrix(2, 4, 2)}, {}, 3, 2};
    use.inputs[0].row(1).setZero();
    use.inputs[1].row(0).setZero();
    const Matrix S = use.forward();
    CHECK(S.row(1).isZero(0));
    CHECK(S.col(0).isZero(0));
    CHECK(S(0, 1) != 0);
    std::vector<ConstView> in;
    std::vector<Matrix> into{Matrix::Zero(3, 4), Matrix::Zero(2, 4)};
    const Matrix G = random_matrix(3, 2, 5);
    use.operation->pull(use.call(in), view(S), view(G), into);
    CHECK(into[0].row(1).isZero(0));
    CHECK(into[1].row(0).isZero(0));
    CHECK(into[0].array().isFinite().all());
    CHECK(into[1].array().isFinite().all());
    const Explanation e = use.operation->explain(use.call(in), view(S), 1, 1);
    CHECK(e.finish.back().what == "a vector is 0 and has no direction");
}

TEST_CASE("additive_scores: they are v times the hidden layer") {
    const Matrix a = random_matrix(3, 6, 1), b = random_matrix(4, 6, 2), v = random_matrix(6, 1, 3);
    const Matrix S =
        result_of(operations::additive_scores, {a, b, v}, {.scale = Scalar(0.5)}, 3, 4);
    const Matrix T = result_of(operations::additive_hidden, {a, b}, {}, 12, 6);
    CHECK(distance(Matrix((T * v * Scalar(0.5)).reshaped<Eigen::RowMajor>(3, 4)), S) < kTolerance);
    CHECK(T(7, 2) == doctest::Approx(std::tanh(a(1, 2) + b(3, 2))));
    Matrix wrong = S;
    wrong(1, 1) += Scalar(1e-4);
    CHECK_FALSE(distance(wrong, S) < kTolerance);
}

TEST_CASE("additive_scores: the explanation lists v, query and key by d") {
    const OperationCase use{
        "",
        &operations::additive_scores,
        {random_matrix(2, 3, 1), random_matrix(2, 3, 2), random_matrix(3, 1, 3)},
        {},
        2,
        2};
    std::vector<ConstView> in;
    const Matrix S = use.forward();
    const Explanation e = use.operation->explain(use.call(in), view(S), 1, 0);
    REQUIRE(e.terms.size() == 3);
    REQUIRE(e.terms[2].cells.size() == 3);
    CHECK(e.terms[2].cells[0].value == use.inputs[2](2, 0));
    CHECK(e.terms[2].cells[1].value == use.inputs[0](1, 2));
    CHECK(e.terms[2].cells[2].value == use.inputs[1](0, 2));
}

TEST_CASE("relative_scores: a clip beyond the sentence gives the full table") {
    const Index n = 5, d = 3;
    const Matrix Q = random_matrix(n, d, 1), table = random_matrix(2 * n - 1, d, 2);
    Matrix expected(n, n);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) expected(i, j) = Q.row(i).dot(table.row(j - i + n - 1));
    const auto relative = [&](const Matrix& rel, Index clip) {
        return result_of(operations::relative_scores, {Q, rel}, {.count = clip}, n, n);
    };
    CHECK(distance(relative(table, n - 1), expected) < kTolerance);
    const Matrix longer = over(over(random_matrix(3, d, 8), table), random_matrix(3, d, 9));
    CHECK(distance(relative(longer, n + 2), expected) < kTolerance);
    CHECK_FALSE(distance(relative(table.middleRows(1, 2 * n - 3), n - 2), expected) < kTolerance);
}

TEST_CASE("relative_scores: keys beyond the clip share a score") {
    const Matrix R =
        result_of(operations::relative_scores, {random_matrix(8, 3, 1), random_matrix(5, 3, 2)},
                  {.count = 2}, 8, 8);
    for (Index j = 3; j < 8; ++j) CHECK(R(0, j) == R(0, 2));
    for (Index j = 0; j < 5; ++j) CHECK(R(7, j) == R(7, 5));
    CHECK(R(0, 1) != R(0, 2));
}

TEST_CASE("relative_mix: a query that reads one key gets the vector of its distance") {
    const Matrix rel = random_matrix(5, 3, 2);
    Matrix A = Matrix::Zero(6, 6);
    A(0, 0) = A(1, 2) = A(2, 0) = A(3, 5) = A(4, 0) = 1;
    const Matrix Y = result_of(operations::relative_mix, {A, rel}, {.count = 2}, 6, 3);
    const Index distance_row[] = {2, 3, 0, 4, 0};
    for (Index i = 0; i < 5; ++i) CHECK(is_same(Y.row(i), rel.row(distance_row[i])));
    CHECK(Y.row(5).isZero(0));
}

TEST_CASE(
    "alibi_slope: the slopes are the paper's, for powers of two and for other numbers of heads") {
    for (int h = 0; h < 8; ++h)
        CHECK(operations::alibi_slope(h, 8) == std::ldexp(Scalar(1), -(h + 1)));
    for (int h = 0; h < 16; ++h)
        CHECK(operations::alibi_slope(h, 16) == doctest::Approx(std::exp2(-(h + 1) / 2.0)));
    for (int h = 0; h < 8; ++h)
        CHECK(operations::alibi_slope(h, 12) == operations::alibi_slope(h, 8));
    for (int h = 8; h < 12; ++h)
        CHECK(operations::alibi_slope(h, 12) == doctest::Approx(std::exp2(-(h - 8) - 0.5)));
    CHECK(operations::alibi_slope(0, 1) == std::ldexp(Scalar(1), -8));
    CHECK(operations::alibi_slope(2, 3) == doctest::Approx(std::exp2(-2)));
}

TEST_CASE("alibi_bias: it falls with the distance on both sides") {
    const Matrix B = result_of(operations::alibi_bias, {}, {.scale = Scalar(0.25)}, 3, 4);
    const Matrix expected{{0, Scalar(-0.25), Scalar(-0.5), Scalar(-0.75)},
                          {Scalar(-0.25), 0, Scalar(-0.25), Scalar(-0.5)},
                          {Scalar(-0.5), Scalar(-0.25), 0, Scalar(-0.25)}};
    CHECK(is_same(B, expected));
}

TEST_CASE("t5_bucket: 32 buckets up to 128 on both sides match a table by hand") {
    const auto bucket = [](Index relative) {
        return operations::t5_bucket(relative, operations::BucketSides::Both, 32, 128);
    };
    // Eight buckets of one distance each; the next ones begin at 8 · 2^(b/2): 8, 11.3, 16, 22.6,
    // 32, …
    const std::pair<Index, Index> expected[] = {
        {0, 0},   {1, 1},   {7, 7},   {8, 8},    {11, 8},   {12, 9},   {15, 9},
        {16, 10}, {22, 10}, {23, 11}, {31, 11},  {32, 12},  {45, 12},  {46, 13},
        {64, 14}, {90, 14}, {91, 15}, {127, 15}, {128, 15}, {9999, 15}};
    for (const auto& [before, number] : expected) {
        CHECK_MESSAGE(bucket(-before) == number, -before);
        if (before > 0) CHECK_MESSAGE(bucket(before) == number + 16, before);
    }
}

TEST_CASE("t5_bucket: 32 buckets up to 128 before the query match a table by hand") {
    const auto bucket = [](Index relative) {
        return operations::t5_bucket(relative, operations::BucketSides::Before, 32, 128);
    };
    // Sixteen buckets of one distance each; the next ones begin at 16 · 8^(b/16): 16, 18.2, …,
    // 112.4.
    const std::pair<Index, Index> expected[] = {{5, 0},    {1, 0},     {0, 0},     {-1, 1},
                                                {-15, 15}, {-16, 16},  {-18, 16},  {-19, 17},
                                                {-64, 26}, {-112, 30}, {-113, 31}, {-9999, 31}};
    for (const auto& [relative, number] : expected)
        CHECK_MESSAGE(bucket(relative) == number, relative);
}

TEST_CASE("t5_bucket: buckets stay below n_buckets and rise with the distance, for all sizes") {
    for (const auto sides : {operations::BucketSides::Both, operations::BucketSides::Before})
        for (Index n_buckets = 1; n_buckets <= 9; ++n_buckets)
            for (Index max_distance = 1; max_distance <= 9; ++max_distance) {
                Index last = 0;
                for (Index before = 0; before < 20; ++before) {
                    const Index number =
                        operations::t5_bucket(-before, sides, n_buckets, max_distance);
                    CHECK(number >= last);
                    CHECK(number < n_buckets);
                    CHECK(operations::t5_bucket(before, sides, n_buckets, max_distance) <
                          n_buckets);
                    last = number;
                }
            }
}

TEST_CASE("bucket_bias: each cell gets the bias of the bucket of j − i") {
    const Matrix rel_bias = random_matrix(8, 3, 1);
    const auto biases = [&](const Operation& operation) {
        return result_of(operation, {rel_bias}, {.begin = 1, .count = 8}, 5, 5);
    };
    const Matrix B = biases(operations::bucket_bias),
                 before = biases(operations::causal_bucket_bias);
    CHECK(B(2, 2) == rel_bias(0, 1));
    CHECK(B(2, 1) == rel_bias(1, 1));
    CHECK(B(2, 3) == rel_bias(5, 1));
    CHECK(B(4, 0) == rel_bias(3, 1));
    CHECK(before(4, 0) == rel_bias(4, 1));
    CHECK(before(0, 4) == rel_bias(0, 1));
}

TEST_CASE("quadratic_scores: the peak is at the centre, and is 0") {
    const Matrix alpha{{2}};
    const Matrix line = result_of(operations::quadratic_scores, {Matrix{{-2}}, alpha}, {}, 7, 7);
    for (Index i = 2; i < 7; ++i) {
        CHECK(peak_of(line, i) == i - 2);
        CHECK(line(i, i - 2) == 0);
        CHECK(line(i, i) == -8);
    }
    const Matrix grid =
        result_of(operations::quadratic_scores, {Matrix{{1, -1}}, alpha}, {.count = 4}, 12, 12);
    CHECK(peak_of(grid, 2) == 5);    // one down, one left
    CHECK(grid(5, 5) == -4);         // one row and one column apart
    CHECK(peak_of(grid, 10) != 13);  // the peak would be below the image
}

TEST_CASE("quadratic_scores: with a large α the softmax reads one pixel, as a convolution does") {
    const auto pattern = [](Scalar alpha) {
        const Matrix S = result_of(operations::quadratic_scores, {Matrix{{0, 1}}, Matrix{{alpha}}},
                                   {.count = 3}, 9, 9);
        return result_of(operations::softmax_rows, {S}, {}, 9, 9);
    };
    CHECK(pattern(50)(3, 4) == doctest::Approx(1));
    CHECK(pattern(Scalar(0.1))(3, 4) < 0.5);
}

TEST_CASE("norm_weighted: it is the length of what each key contributes to each query") {
    const Matrix A = random_matrix(3, 4, 1).cwiseAbs(), V = random_matrix(4, 2, 2),
                 W_O = random_matrix(6, 5, 3);
    const Matrix N = result_of(operations::norm_weighted, {A, V, W_O}, {.begin = 3}, 3, 4);
    const Matrix values = result_of(operations::norm_weighted, {A, V}, {}, 3, 4);
    for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 4; ++j) {
            const Matrix brought = A(i, j) * V.row(j) * W_O.middleRows(3, 2);
            CHECK(N(i, j) == doctest::Approx(brought.norm()));
            CHECK(values(i, j) == doctest::Approx((A(i, j) * V.row(j)).norm()));
        }
    CHECK_FALSE(distance(N, values) < kTolerance);
}

TEST_CASE("scores: each stacked sentence is scored separately") {
    const auto use = [](const Operation& operation, std::vector<Matrix> inputs,
                        OperationSettings settings, Index rows, Index columns) {
        return OperationCase{operation.name, &operation, std::move(inputs),
                             settings,       rows,       columns};
    };
    const auto check = [&](const Operation& operation, auto inputs, OperationSettings settings,
                           std::size_t n_stacked, Index columns, Index rows = 3) {
        CHECK_MESSAGE(
            is_each_by_itself(use(operation, inputs(1), settings, rows, columns),
                              use(operation, inputs(7), settings, rows, columns), n_stacked, 3),
            operation.name);
    };
    using Inputs = std::vector<Matrix>;
    const auto queries_keys = [](std::uint64_t seed) {
        return Inputs{random_matrix(3, 4, seed), random_matrix(2, 4, seed + 1),
                      random_matrix(4, 1, 99)};
    };
    const auto queries_table = [](std::uint64_t seed) {
        return Inputs{random_matrix(3, 4, seed), random_matrix(3, 4, 99)};
    };
    const auto table = [](std::uint64_t) { return Inputs{random_matrix(8, 2, 99)}; };
    const auto center = [](std::uint64_t) {
        return Inputs{random_matrix(1, 2, 99), random_matrix(1, 1, 98)};
    };
    const auto pattern = [](std::uint64_t seed) {
        return Inputs{random_matrix(3, 2, seed), random_matrix(2, 4, seed + 1),
                      random_matrix(4, 5, 99)};
    };
    check(operations::cosine_scores, queries_keys, {}, 2, 2);
    check(operations::additive_scores, queries_keys, {}, 2, 2);
    check(operations::additive_hidden, queries_keys, {}, 2, 4, 6);
    check(operations::relative_scores, queries_table, {.count = 1}, 1, 5);
    check(operations::relative_mix, queries_table, {.count = 1}, 1, 4);
    check(
        operations::alibi_bias, [](std::uint64_t) { return Inputs{}; }, {}, 0, 3);
    check(operations::bucket_bias, table, {.count = 4}, 0, 3);
    check(operations::causal_bucket_bias, table, {.count = 4}, 0, 3);
    check(operations::quadratic_scores, center, {.count = 2}, 0, 3);
    check(operations::norm_weighted, pattern, {}, 2, 2);
}

TEST_CASE("scores: the last query, decoded alone, has the same scores as in the full pass") {
    const Matrix rel = random_matrix(5, 3, 2), Q = random_matrix(6, 3, 1);
    CHECK(is_decoded({"", &operations::relative_scores, {Q, rel}, {.count = 2}, 6, 6},
                     {.begin = 5, .count = 2}, true));
    CHECK_FALSE(is_decoded({"", &operations::relative_scores, {Q, rel}, {.count = 2}, 6, 6},
                           {.begin = 4, .count = 2}, true));
    CHECK(is_decoded(
        {"", &operations::relative_mix, {random_matrix(6, 6, 3), rel}, {.count = 2}, 6, 3},
        {.begin = 5, .count = 2}, true));
    CHECK(is_decoded({"", &operations::alibi_bias, {}, {}, 6, 6}, {.begin = 5}, false));
    CHECK(is_decoded({"", &operations::quadratic_scores, {Matrix{{1}}, Matrix{{2}}}, {}, 6, 6},
                     {.begin = 5}, false));
    const auto last = std::make_shared<const std::vector<Index>>(std::vector<Index>{5});
    for (const Operation* buckets : {&operations::bucket_bias, &operations::causal_bucket_bias})
        CHECK(is_decoded({"", buckets, {random_matrix(6, 2, 4)}, {.count = 4}, 6, 6},
                         {.count = 4, .indices = last}, false));
}

}  // namespace headlight::score_operations_test
