// Layer norm and RMS norm.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <string>

#include "core/numeric/short_number.h"
#include "core/operations/block_operations.h"
#include "core/operations/gradient_sums.h"

namespace headlight::operations {
namespace {

/// Returns Σ f(k), k < n, in eight partial sums: the order of the additions depends only on n,
/// never on the place of a row in memory. The sum is a double, which holds the squares of all
/// numbers that a float holds.
template <typename Function>
double sum_in_lanes(Index n, Function f) {
    constexpr Index kLanes = 8;
    double lanes[kLanes] = {};
    Index k = 0;
    for (; k + kLanes <= n; k += kLanes)
        for (Index lane = 0; lane < kLanes; ++lane) lanes[lane] += f(k + lane);
    for (; k < n; ++k) lanes[k % kLanes] += f(k);
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
           ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/// Writes "10^{−5}", or the number.
std::string epsilon_text(double epsilon) {
    char text[32];
    const char* end =
        std::to_chars(text, text + sizeof text, epsilon, std::chars_format::scientific).ptr;
    const std::string digits(static_cast<const char*>(text), end);
    if (!digits.starts_with("1e-")) return short_number(static_cast<Scalar>(epsilon));
    return "10^{−" + digits.substr(digits[3] == '0' ? 4 : 3) + "}";
}

struct Moments {
    Scalar mean;
    double variance, epsilon;

    Scalar deviation() const { return static_cast<Scalar>(std::sqrt(variance + epsilon)); }
};

Moments moments(const Call& call, const Scalar* x) {
    const Index d = call.columns;
    const auto width = static_cast<double>(d);
    const double mean = sum_in_lanes(d, [&](Index k) { return static_cast<double>(x[k]); }) / width;
    const double squares = sum_in_lanes(d, [&](Index k) {
        const double from_mean = static_cast<double>(x[k]) - mean;
        return from_mean * from_mean;
    });
    return {static_cast<Scalar>(mean), squares / width, call.settings.epsilon};
}

const Scalar* row_data(const ConstView& X, Index i) {
    return X.data() + i * X.cols();
}

void layer_norm_forward(const Call& call, View Y) {
    const Scalar* w = call[1].data();
    const Scalar* b = call[2].data();
    for (Index i = 0; i < call.rows; ++i) {
        const Scalar* x = row_data(call[0], i);
        const Moments row = moments(call, x);
        const Scalar scale = 1 / row.deviation();
        Scalar* y = Y.data() + i * call.columns;
        for (Index d = 0; d < call.columns; ++d) y[d] = (x[d] - row.mean) * scale * w[d] + b[d];
    }
}

/// Computes one row of the gradient of X; `dy` is that of Y.
void pull_norm_row(const Call& call, Index i, const Moments& row, const Scalar* dy, Scalar* dx) {
    // N = (X − μ) / σ, ∂N = ∂Y w:  ∂X = (∂N − mean ∂N − N · mean(∂N N)) / σ
    const Scalar* x = row_data(call[0], i);
    const Scalar* w = call[1].data();
    const auto width = static_cast<double>(call.columns);
    const Scalar scale = 1 / row.deviation();
    const auto normal = [&](Index d) { return (x[d] - row.mean) * scale; };
    const auto mean_of = [&](auto f) {
        return static_cast<Scalar>(sum_in_lanes(call.columns, f) / width);
    };
    const Scalar mean = mean_of([&](Index d) { return dy[d] * w[d]; });
    const Scalar along = mean_of([&](Index d) { return dy[d] * w[d] * normal(d); });
    if (set_or_add(call, 0) == Into::Set) std::fill_n(dx, call.columns, Scalar(0));
    for (Index d = 0; d < call.columns; ++d)
        dx[d] += (dy[d] * w[d] - mean - normal(d) * along) * scale;
}

void layer_norm_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // Y = N w + b:  ∂w += Σᵢ ∂Y N,  ∂b += Σᵢ ∂Y
    for (Index i = 0; i < call.rows; ++i) {
        const Moments row = moments(call, row_data(call[0], i));
        pull_norm_row(call, i, row, row_data(gradient, i), into[0].row(i).data());
        const Scalar scale = 1 / row.deviation();
        into[1].array() += gradient.row(i).array() * (call[0].row(i).array() - row.mean) * scale;
        into[2] += gradient.row(i);
    }
}

Explanation layer_norm_explain(const Call& call, ConstView Y, Index i, Index d) {
    const Moments row = moments(call, row_data(call[0], i));
    const Scalar x = call[0](i, d), w = call[1](0, d), b = call[2](0, d);
    const Scalar normal = (x - row.mean) / row.deviation();
    const std::string mean = short_number(row.mean);
    const std::string deviation = fmt::format(
        "√({} + {})", short_number(static_cast<Scalar>(row.variance)), epsilon_text(row.epsilon));
    return {.rule = fmt::format("(X(i,d) − μ) / σ · w(d) + b(d), of row i μ = {}, σ = {}", mean,
                                deviation),
            .terms = {{{{0, i, d, x}}, x}},
            .sum = x,
            .finish = {{fmt::format("− the row's mean {}, ÷ {}", mean, deviation), normal},
                       {"× w = " + short_number(w), normal * w},
                       {"+ b = " + short_number(b), Y(i, d)}}};
}

// ---- RMS norm ----

/// Returns √(mean x² + ε).
Scalar root_mean_square(const Call& call, const Scalar* x) {
    const Index d = call.columns;
    const double squares = sum_in_lanes(d, [&](Index k) {
        const auto each = static_cast<double>(x[k]);
        return each * each;
    });
    return static_cast<Scalar>(std::sqrt(squares / static_cast<double>(d) + call.settings.epsilon));
}

void rms_norm_forward(const Call& call, View Y) {
    const Scalar* w = call[1].data();
    for (Index i = 0; i < call.rows; ++i) {
        const Scalar* x = row_data(call[0], i);
        const Scalar scale = 1 / root_mean_square(call, x);
        Scalar* y = Y.data() + i * call.columns;
        for (Index d = 0; d < call.columns; ++d) y[d] = x[d] * scale * w[d];
    }
}

void rms_norm_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // N = X / r, Y = N w:  ∂N = ∂Y w,  ∂X = (∂N − N · mean(∂N N)) / r,  ∂w += Σᵢ ∂Y N
    const Scalar* w = call[1].data();
    const auto width = static_cast<double>(call.columns);
    for (Index i = 0; i < call.rows; ++i) {
        const Scalar *x = row_data(call[0], i), *dy = row_data(gradient, i);
        const Scalar scale = 1 / root_mean_square(call, x);
        const auto normal = [&](Index d) { return x[d] * scale; };
        const auto along = static_cast<Scalar>(
            sum_in_lanes(call.columns, [&](Index d) { return dy[d] * w[d] * normal(d); }) / width);
        Scalar *dx = into[0].row(i).data(), *dw = into[1].data();
        for (Index d = 0; d < call.columns; ++d) {
            dx[d] += (dy[d] * w[d] - normal(d) * along) * scale;
            dw[d] += dy[d] * normal(d);
        }
    }
}

Explanation rms_norm_explain(const Call& call, ConstView Y, Index i, Index d) {
    const Scalar root = root_mean_square(call, row_data(call[0], i));
    const Scalar x = call[0](i, d), w = call[1](0, d);
    const std::string r = short_number(root);
    return {.rule = fmt::format("X(i,d) / r · w(d), of row i r = √(mean X(i,·)² + {}) = {}",
                                epsilon_text(call.settings.epsilon), r),
            .terms = {{{{0, i, d, x}}, x}},
            .sum = x,
            .finish = {{"÷ the row's root mean square " + r, x / root},
                       {"× w = " + short_number(w), Y(i, d)}}};
}

}  // namespace

const Operation layer_norm{
    .name = "layer norm",
    .words = {"Layer norm", "Each {row} with mean 0 and variance 1, then scaled and shifted."},
    .by_row = row_inputs(0),
    .forward = layer_norm_forward,
    .pull = layer_norm_pull,
    .explain = layer_norm_explain,
    .sets = row_inputs(0)};
const Operation rms_norm{
    "RMS norm",    {"RMS norm", "Each {row} over its root mean square, then scaled."},
    row_inputs(0), rms_norm_forward,
    rms_norm_pull, rms_norm_explain};

}  // namespace headlight::operations
