#include "core/numeric/row_functions.h"

#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <optional>

#include "core/kernels/levels.h"
#include "core/studies.h"

namespace headlight::row_functions_test {
namespace {

constexpr Scalar kInfinite = std::numeric_limits<Scalar>::infinity();
constexpr Scalar kNaN = std::numeric_limits<Scalar>::quiet_NaN();
constexpr double kEpsilon = std::numeric_limits<Scalar>::epsilon();

double phi(double x) {
    return std::erfc(-x / std::sqrt(2)) / 2;
}
double bell(double x) {
    return std::exp(-x * x / 2) / std::sqrt(2 * 3.14159265358979323846);
}
double gelu_argument(double x) {
    return std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x);
}
double logistic(double x) {
    return 1 / (1 + std::exp(-x));
}
double gelu_tanh_slope(double x) {
    const double t = std::tanh(gelu_argument(x));
    const double slope = std::sqrt(2 / 3.14159265358979323846) * (1 + 3 * 0.044715 * x * x);
    return (1 + t) / 2 + x * (1 - t * t) * slope / 2;
}

/// A function, the same in double, and the tolerance: epsilons relative to the value, plus epsilons
/// relative to 1.
struct Case {
    const char* name;
    RowFunction* Kernels::*function;
    double (*exact)(double);
    Scalar from, to;
    double relative, absolute;
};

const std::vector<Case> kCases = {
    {"exp", &Kernels::exp, [](double x) { return std::exp(x); }, -86, 88, 1.5, 0},
    {"tanh", &Kernels::tanh, [](double x) { return std::tanh(x); }, -20, 20, 3, 0},
    {"tanh near 0", &Kernels::tanh, [](double x) { return std::tanh(x); }, -0.01F, 0.01F, 3, 0},
    {"sigmoid", &Kernels::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, -80, 40, 3, 0},
    {"GELU", &Kernels::gelu, [](double x) { return x * phi(x); }, -12, 12, 3, 3},
    {"GELU'", &Kernels::gelu_slope, [](double x) { return phi(x) + x * bell(x); }, -12, 12, 3, 3},
    {"GELU by tanh", &Kernels::gelu_tanh,
     [](double x) { return x * (1 + std::tanh(gelu_argument(x))) / 2; }, -12, 12, 3, 6},
    {"SiLU", &Kernels::silu, [](double x) { return x * logistic(x); }, -80, 80, 4, 0},
    {"SiLU'", &Kernels::silu_slope,
     [](double x) { return logistic(x) * (1 + x * (1 - logistic(x))); }, -40, 40, 4, 48},
    {"GELU' by tanh", &Kernels::gelu_tanh_slope, gelu_tanh_slope, -12, 12, 3, 48},
};

using Row = std::vector<Scalar>;

Row row_of(RowFunction* function, const Row& x) {
    Row y(x.size(), 7);
    function(x.data(), y.data(), static_cast<Index>(x.size()));
    return y;
}

Row evenly_spaced(Scalar from, Scalar to, int n) {
    Row x;
    for (int i = 0; i <= n; ++i) x.push_back(from + (to - from) * Scalar(i) / Scalar(n));
    return x;
}

/// The first x whose result is too far from the exact one, if there is one.
std::optional<Scalar> find_error(const Case& c, const Row& x, const Row& y) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double exact = c.exact(x[i]);
        const double allowed = kEpsilon * (c.relative * std::abs(exact) + c.absolute);
        if (!(std::abs(y[i] - exact) <= allowed)) return x[i];
    }
    return {};
}

Row twice(const Row& row) {
    Row both = row;
    both.insert(both.end(), row.begin(), row.end());
    return both;
}

Row softmax_of(const KernelLevel& level, const Row& s) {
    Row a(s.size());
    level.kernels->softmax_rows(s.data(), a.data(), 1, static_cast<Index>(s.size()));
    return a;
}

}  // namespace

TEST_CASE("row functions: every level is as accurate as stated") {
    for (const KernelLevel& level : kernel_levels())
        for (const Case& c : kCases) {
            const Row x = evenly_spaced(c.from, c.to, 20011);
            const std::optional<Scalar> at =
                find_error(c, x, row_of(level.kernels->*c.function, x));
            CHECK_MESSAGE(!at, std::string(level.name), ": ", std::string(c.name), " of ",
                          at.value_or(0));
        }
}

TEST_CASE("row functions: a wrong answer is rejected") {
    const Case& c = kCases[1];
    const Row x = evenly_spaced(c.from, c.to, 10);
    Row y = row_of(tanh_row, x);
    REQUIRE(!find_error(c, x, y));
    y[3] *= 1 + 8 * std::numeric_limits<Scalar>::epsilon();
    CHECK(find_error(c, x, y) == x[3]);
    y[3] = kNaN;
    CHECK(find_error(c, x, y) == x[3]);
}

TEST_CASE("row functions: the result does not depend on the place in the row, also in place") {
    for (const KernelLevel& level : kernel_levels())
        for (const Case& c : kCases) {
            RowFunction* const function = level.kernels->*c.function;
            const Row x = evenly_spaced(-3, 3, 69), y = row_of(function, x);
            for (std::size_t n = 0; n <= x.size(); ++n) {
                const auto begin = static_cast<std::ptrdiff_t>(x.size() - n);
                Row end(x.begin() + begin, x.end());
                end.push_back(7);
                function(end.data(), end.data(), static_cast<Index>(n));
                CHECK(end.back() == 7);
                end.pop_back();
                CHECK(end == Row(y.begin() + begin, y.end()));
            }
        }
}

TEST_CASE("row functions: limits and NaN are handled") {
    const Row x = {-kInfinite, kInfinite, kNaN, -800, 800, 0};
    for (const KernelLevel& level : kernel_levels()) {
        const auto check = [&](RowFunction* function, const Row& expected) {
            const Row y = row_of(function, x);
            for (std::size_t i = 0; i < x.size(); ++i)
                CHECK_MESSAGE((std::isnan(expected[i]) ? std::isnan(y[i]) : y[i] == expected[i]),
                              std::string(level.name), " ", x[i], " → ", y[i]);
        };
        check(level.kernels->exp, {0, kInfinite, kNaN, 0, kInfinite, 1});
        check(level.kernels->tanh, {-1, 1, kNaN, -1, 1, 0});
        check(level.kernels->sigmoid, {0, 1, kNaN, 0, 1, Scalar(0.5)});
        check(level.kernels->gelu_tanh_slope, {0, 1, kNaN, 0, 1, Scalar(0.5)});
    }
}

TEST_CASE("copy_past_caches: it copies every number, at any alignment, and no other") {
    const Matrix from = random_matrix(1, 100, 1);
    for (const KernelLevel& level : kernel_levels())
        for (Index begin = 0; begin < 20; ++begin)
            for (const Index n : {0, 1, 7, 16, 33, 80}) {
                Matrix to = Matrix::Constant(1, 101, 7), expected = to;
                level.kernels->copy_past_caches(from.data(), to.data() + begin, n);
                expected.middleCols(begin, n) = from.leftCols(n);
                CHECK(is_same(to, expected));
            }
}

TEST_CASE("copy_rows: it copies so many numbers of each row, and no other") {
    const Matrix from = random_matrix(5, 40, 1);
    for (const KernelLevel& level : kernel_levels())
        for (const Index n : {0, 1, 3, 8, 16, 37}) {
            Matrix to = Matrix::Constant(5, 43, 7), expected = to;
            level.kernels->copy_rows({from.data() + 2, 40, to.data() + 3, 43}, 5, n);
            expected.middleCols(3, n) = from.middleCols(2, n);
            CHECK(is_same(to, expected));
        }
}

TEST_CASE("relu_row: negative numbers become 0, NaN stays; its gradient is that above 0") {
    Row x = {-4, 0, 4, -kInfinite, kInfinite, kNaN}, y = {0, 0, 4, 0, kInfinite, kNaN};
    Row dy = {kInfinite, 5, 6, kNaN, 8, 9}, dx = {0, 0, 6, 0, 8, 0};
    for (int times = 0; times < 2; ++times)  // whole vectors as well
        for (Row* row : {&x, &y, &dy, &dx}) *row = twice(*row);
    for (const KernelLevel& level : kernel_levels()) {
        const Row relu = row_of(level.kernels->relu, x);
        Row pulled(x.size());
        level.kernels->pull_relu(x.data(), dy.data(), pulled.data(), std::ssize(x));
        for (std::size_t i = 0; i < x.size(); ++i)
            CHECK((relu[i] == y[i] || (std::isnan(x[i]) && std::isnan(relu[i]))));
        CHECK(pulled == dx);
    }
}

TEST_CASE("leaky_relu_row: the slope applies below 0 only") {
    const Row x = {-4, 0, 4, -kInfinite, kInfinite}, expected = {-1, 0, 4, -kInfinite, kInfinite};
    for (const KernelLevel& level : kernel_levels()) {
        Row y(x.size());
        level.kernels->leaky_relu(x.data(), y.data(), 5, Scalar(0.25));
        CHECK(y == expected);
    }
}

TEST_CASE("exp_row: no result is denormal") {
    for (const KernelLevel& level : kernel_levels())
        for (const Scalar e : row_of(level.kernels->exp, evenly_spaced(-120, -80, 5000)))
            CHECK((e == 0 || e >= std::numeric_limits<Scalar>::min()));
}

TEST_CASE("softmax: all levels agree, and mask the same cells") {
    const KernelLevel lowest = kernel_levels().front();
    for (const KernelLevel& level : kernel_levels())
        for (Index n = 1; n < 70; ++n) {
            const Matrix S = random_matrix(1, n, 5) * 4;
            Row s(S.data(), S.data() + n);
            for (std::size_t j = 0; j < s.size(); j += 3) s[j] = kMasked;
            const Row a = softmax_of(level, s), expected = softmax_of(lowest, s);
            for (std::size_t j = 0; j < s.size(); ++j) {
                CHECK(std::abs(a[j] - expected[j]) <= 4 * kEpsilon);
                CHECK((a[j] == 0) == (s[j] == kMasked));
            }
            s[s.size() / 2] = kNaN;
            for (const Scalar x : softmax_of(level, s)) CHECK(std::isnan(x));
        }
}

TEST_CASE("softmax: a row has the same bits alone and among others") {
    for (const KernelLevel& level : kernel_levels())
        for (const Index n : {1, 2, 5, 8, 16, 17, 40, 256, 257}) {
            Matrix S = random_matrix(7, n, 5) * 4, A(7, n);
            S(2, n / 2) = kMasked;
            S.row(4).setConstant(kMasked);
            S(5, 0) = kNaN;
            level.kernels->softmax_rows(S.data(), A.data(), 7, n);
            for (const Index i : {0, 1, 2, 3, 4, 6}) {
                const Row row = softmax_of(level, Row(S.row(i).data(), S.row(i).data() + n));
                CHECK(Row(A.row(i).data(), A.row(i).data() + n) == row);
            }
            CHECK(A.row(5).array().isNaN().all());
        }
}

TEST_CASE(
    "softmax of lists: one has the same bits alone and among others, and the numbers of a row") {
    const std::vector<Index> sizes = {3, 0, 5, 2, 1, 16, 1, 1, 1, 1, 1, 9, 17, 8, 7, 40, 4, 2};
    std::vector<Index> offsets = {0};
    for (const Index size : sizes) offsets.push_back(offsets.back() + size);
    const Matrix S = random_matrix(1, offsets.back(), 5) * 4;
    const auto n_lists = static_cast<Index>(sizes.size());
    for (const KernelLevel& level : kernel_levels())
        for (const Scalar bad : {S(0, 0), kMasked, kNaN}) {
            Row s(S.data(), S.data() + S.size()), a(s.size());
            for (std::size_t k = 0; k < sizes.size(); k += 3)
                std::fill_n(s.begin() + offsets[k], sizes[k], bad);
            const ListScores head{s.data(), a.data()};
            level.kernels->softmax_lists(offsets.data(), n_lists, &head, 1);
            for (std::size_t k = 0; k < sizes.size(); ++k) {
                const Index only[] = {0, sizes[k]};
                const Row list(s.begin() + offsets[k], s.begin() + offsets[k + 1]);
                Row alone(list.size());
                const ListScores lone{list.data(), alone.data()};
                level.kernels->softmax_lists(only, 1, &lone, 1);
                const Row row = softmax_of(level, list);
                for (std::size_t e = 0; e < list.size(); ++e) {
                    const Scalar among = a[static_cast<std::size_t>(offsets[k]) + e];
                    CHECK((among == alone[e] || (std::isnan(list[e]) && std::isnan(among))));
                    CHECK((std::abs(among - row[e]) <= 4 * kEpsilon || std::isnan(row[e])));
                    CHECK((among == 0) == (list[e] == kMasked));
                }
            }
        }
}

TEST_CASE("softmax of lists: several heads have the bits of each alone") {
    std::vector<Index> offsets = {0};
    for (const Index size : {3, 0, 5, 2, 1, 16, 1, 300, 9, 256, 17, 8, 7, 40, 4, 100, 100, 100, 2})
        offsets.push_back(offsets.back() + size);
    const auto n_lists = static_cast<Index>(offsets.size()) - 1;
    for (const KernelLevel& level : kernel_levels())
        for (const Index n_heads : {1, 2, 7, 8, 9, 19}) {
            Matrix S = random_matrix(n_heads, offsets.back(), 5) * 4;
            S.col(4).setConstant(kMasked);
            S(n_heads / 2, 9) = kNaN;
            Matrix A(S.rows(), S.cols() + 1), alone = A;
            A.setConstant(7);
            std::vector<ListScores> heads;
            for (Index h = 0; h < n_heads; ++h) {
                heads.push_back({S.row(h).data(), A.row(h).data()});
                const ListScores lone{S.row(h).data(), alone.row(h).data()};
                level.kernels->softmax_lists(offsets.data(), n_lists, &lone, 1);
            }
            level.kernels->softmax_lists(offsets.data(), n_lists, heads.data(), n_heads);
            for (Index h = 0; h < n_heads; ++h) {
                CHECK(std::memcmp(A.row(h).data(), alone.row(h).data(),
                                  static_cast<std::size_t>(S.cols()) * sizeof(Scalar)) == 0);
                CHECK(A(h, S.cols()) == 7);  // nothing is written after the last list
            }
        }
}

TEST_CASE("additive_scores: every level agrees with the definition") {
    struct Shape {
        Index n_query, n_key, width;
    };
    for (const KernelLevel& level : kernel_levels())
        for (const auto& [n_query, n_key, width] :
             {Shape{1, 1, 1}, {3, 17, 5}, {2, 33, 800}, {5, 4, 0}, {0, 4, 3}, {9, 16, 64}}) {
            const Matrix a = random_matrix(n_query, width, 1) * 3, v = random_matrix(1, width, 3);
            const Matrix b = random_matrix(n_key, width, 2) * 3;
            Matrix S = Matrix::Constant(n_query, n_key, 7);
            level.kernels->additive_scores({a.data(), b.data(), v.data(), n_query, n_key, width, 2},
                                           S.data());
            for (Index i = 0; i < n_query; ++i)
                for (Index j = 0; j < n_key; ++j) {
                    double sum = 0;
                    for (Index d = 0; d < width; ++d)
                        sum += 2.0 * v(0, d) * std::tanh(double(a(i, d)) + b(j, d));
                    CHECK(std::abs(S(i, j) - sum) <=
                          16 * kEpsilon * (1 + double(v.cwiseAbs().sum())));
                }
        }
}

TEST_CASE("additive_scores: queries computed separately have the same bits as together") {
    const Matrix a = random_matrix(7, 19, 1), b = random_matrix(21, 19, 2);
    const Matrix v = random_matrix(1, 19, 3);
    Matrix whole(7, 21), parts(7, 21);
    additive_scores({a.data(), b.data(), v.data(), 7, 21, 19}, whole.data());
    for (Index i = 0; i < 7; ++i)
        additive_scores({a.row(i).data(), b.data(), v.data(), 1, 21, 19}, parts.row(i).data());
    CHECK(parts == whole);
}

}  // namespace headlight::row_functions_test
