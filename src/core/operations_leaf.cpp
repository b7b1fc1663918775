// Leaves: tensors that come from the study's settings alone.
#include <cmath>

#include "core/generator.h"
#include "core/operations.h"

namespace headlight::operations {
namespace {

Explanation from_settings(std::string rule, std::string how, Scalar value) {
    return {.rule = std::move(rule), .terms = {}, .sum = 0, .finish = {{std::move(how), value}}};
}

Matrix named_rows_forward(const Call& call) {
    Matrix X(call.rows, call.columns);
    for (Index i = 0; i < call.rows; ++i) {
        const std::string& name = (*call.settings.names)[static_cast<std::size_t>(i)];
        const SeededNumbers numbers(call.settings.seed, name);
        for (Index f = 0; f < call.columns; ++f)
            X(i, f) = numbers.normal(0, f, call.settings.scale);
    }
    return X;
}

Explanation named_rows_explain(const Call& call, const Matrix& X, Index i, Index f) {
    const std::string& name = (*call.settings.names)[static_cast<std::size_t>(i)];
    return from_settings("X(i,f) ~ N(0, 1)",
                         "drawn for '" + name.substr(name.find(':') + 1) + "', seed " +
                             std::to_string(call.settings.seed),
                         X(i, f));
}

Matrix seeded_weight_forward(const Call& call) {
    const SeededNumbers numbers(call.settings.seed, call.settings.key);
    Matrix W(call.rows, call.columns);
    for (Index i = 0; i < call.rows; ++i)
        for (Index j = 0; j < call.columns; ++j)
            W(i, j) = numbers.uniform(i, j, call.settings.scale);
    return W;
}

Explanation seeded_weight_explain(const Call& call, const Matrix& W, Index i, Index j) {
    return from_settings("W(i,j) ~ U(−√(6/(in+out)), √(6/(in+out)))",
                         "drawn, seed " + std::to_string(call.settings.seed), W(i, j));
}

double position_angle(Index i, Index f, Index d) {
    const auto pair = static_cast<double>(f / 2 * 2);
    return static_cast<double>(i) / std::pow(10000.0, pair / static_cast<double>(d));
}

Matrix sinusoidal_forward(const Call& call) {
    Matrix P(call.rows, call.columns);
    for (Index i = 0; i < call.rows; ++i)
        for (Index f = 0; f < call.columns; ++f) {
            const double angle = position_angle(i, f, call.columns);
            P(i, f) = static_cast<Scalar>(f % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    return P;
}

Explanation sinusoidal_explain(const Call& call, const Matrix& P, Index i, Index f) {
    const auto angle = static_cast<Scalar>(position_angle(i, f, call.columns));
    Explanation e;
    e.rule = f % 2 == 0 ? "sin(i / 10000^{f/d})" : "cos(i / 10000^{(f−1)/d})";
    e.finish = {{"position " + std::to_string(i) + " ÷ 10000^{" + std::to_string(f / 2 * 2) + "/" +
                     std::to_string(call.columns) + "}",
                 angle},
                {f % 2 == 0 ? "sin" : "cos", P(i, f)}};
    return e;
}

Matrix open_mask_forward(const Call& call) {
    return Matrix::Zero(call.rows, call.columns);
}

Explanation open_mask_explain(const Call&, const Matrix&, Index, Index) {
    return from_settings("M(i,j) = 0", "every word may read every word", 0);
}

Matrix causal_mask_forward(const Call& call) {
    Matrix M = Matrix::Zero(call.rows, call.columns);
    for (Index i = 0; i < call.rows; ++i)
        if (i + 1 < call.columns) M.row(i).tail(call.columns - i - 1).setConstant(kMasked);
    return M;
}

Explanation causal_mask_explain(const Call&, const Matrix& M, Index i, Index j) {
    return from_settings("M(i,j) = 0 where j ≤ i, else −∞",
                         j <= i ? "the key is not later than the query" : "the key comes later",
                         M(i, j));
}

}  // namespace

const Operation named_rows{"named rows", named_rows_forward, nullptr, named_rows_explain};
const Operation seeded_weight{"seeded weight", seeded_weight_forward, nullptr,
                              seeded_weight_explain};
const Operation sinusoidal_positions{"sinusoidal positions", sinusoidal_forward, nullptr,
                                     sinusoidal_explain};
const Operation open_mask{"open mask", open_mask_forward, nullptr, open_mask_explain};
const Operation causal_mask{"causal mask", causal_mask_forward, nullptr, causal_mask_explain};

}  // namespace headlight::operations
