// Products, sums and concatenation of matrices.
#include <cmath>

#include "core/operations.h"

namespace headlight::operations {
namespace {

Matrix copy_forward(const Call& call) {
    return call[0];
}

void copy_pull(const Call&, const Matrix&, const Matrix& gradient, std::span<Matrix> into) {
    into[0] += gradient;
}

Explanation copy_explain(const Call& call, const Matrix&, Index i, Index j) {
    const Scalar a = call[0](i, j);
    return {.rule = "A(i,j)", .terms = {{{{0, i, j, a}}, a}}, .sum = a, .finish = {}};
}

Matrix add_forward(const Call& call) {
    return call[0] + call[1];
}

void add_pull(const Call&, const Matrix&, const Matrix& gradient, std::span<Matrix> into) {
    into[0] += gradient;
    into[1] += gradient;
}

Explanation add_explain(const Call& call, const Matrix& C, Index i, Index j) {
    const Scalar a = call[0](i, j), b = call[1](i, j);
    return {.rule = "A(i,j) + B(i,j)",
            .terms = {{{{0, i, j, a}}, a}, {{{1, i, j, b}}, b}},
            .sum = C(i, j),
            .finish = {}};
}

Matrix multiply_forward(const Call& call) {
    return call[0] * call[1].middleRows(call.settings.begin, call[0].cols());
}

void multiply_pull(const Call& call, const Matrix&, const Matrix& gradient,
                   std::span<Matrix> into) {
    // C = A B[begin …]:  ∂A += ∂C Bᵀ,  ∂B[begin …] += Aᵀ ∂C
    const Index k = call[0].cols(), begin = call.settings.begin;
    into[0].noalias() += gradient * call[1].middleRows(begin, k).transpose();
    into[1].middleRows(begin, k).noalias() += call[0].transpose() * gradient;
}

Explanation multiply_explain(const Call& call, const Matrix& C, Index i, Index j) {
    Explanation e{.rule = "Σ_k A(i,k) · B(k,j)", .terms = {}, .sum = C(i, j), .finish = {}};
    const Index begin = call.settings.begin;
    for (Index k = 0; k < call[0].cols(); ++k) {
        const Scalar a = call[0](i, k), b = call[1](begin + k, j);
        e.terms.push_back({{{0, i, k, a}, {1, begin + k, j, b}}, a * b});
    }
    return e;
}

Matrix multiply_transposed_forward(const Call& call) {
    // Scaling the smaller factor is free; scaling the product is another pass over n × n.
    const Matrix A = call[0] * call.settings.scale;
    return A * call[1].transpose();
}

void multiply_transposed_pull(const Call& call, const Matrix&, const Matrix& gradient,
                              std::span<Matrix> into) {
    // S = c A Bᵀ:  ∂A += c ∂S B,  ∂B += c ∂Sᵀ A
    into[0].noalias() += call.settings.scale * gradient * call[1];
    into[1].noalias() += call.settings.scale * gradient.transpose() * call[0];
}

Explanation multiply_transposed_explain(const Call& call, const Matrix& S, Index i, Index j) {
    Explanation e{.rule = "Σ_d A(i,d) · B(j,d)", .terms = {}, .sum = 0, .finish = {}};
    for (Index d = 0; d < call[0].cols(); ++d) {
        const Scalar a = call[0](i, d), b = call[1](j, d);
        e.terms.push_back({{{0, i, d, a}, {1, j, d, b}}, a * b});
        e.sum += a * b;
    }
    const Scalar scale = call.settings.scale;
    const auto width = static_cast<Scalar>(call[0].cols());
    const bool is_scaled_dot = std::abs(scale * scale * width - 1) < Scalar(1e-5);
    if (is_scaled_dot) {
        e.rule += " / √d";
        e.finish.push_back({"÷ √" + std::to_string(call[0].cols()), S(i, j)});
    } else if (scale != 1) {
        e.rule += " · c";
        e.finish.push_back({"× " + std::to_string(scale), S(i, j)});
    }
    return e;
}

Matrix concat_columns_forward(const Call& call) {
    Matrix C(call.rows, call.columns);
    Index at = 0;
    for (const Matrix* part : call.in) {
        C.middleCols(at, part->cols()) = *part;
        at += part->cols();
    }
    return C;
}

void concat_columns_pull(const Call&, const Matrix&, const Matrix& gradient,
                         std::span<Matrix> into) {
    Index at = 0;
    for (Matrix& part : into) {
        part += gradient.middleCols(at, part.cols());
        at += part.cols();
    }
}

Explanation concat_columns_explain(const Call& call, const Matrix& C, Index i, Index j) {
    std::size_t part = 0;
    Index column = j;
    while (column >= call[part].cols()) column -= call[part++].cols();
    return {.rule = "column " + std::to_string(column) + " of head " + std::to_string(part),
            .terms = {{{{part, i, column, C(i, j)}}, C(i, j)}},
            .sum = C(i, j),
            .finish = {}};
}

Matrix scaled_sum_forward(const Call& call) {
    Matrix C = call[0];
    for (std::size_t h = 1; h < call.in.size(); ++h) C += call[h];
    return C * call.settings.scale;
}

void scaled_sum_pull(const Call& call, const Matrix&, const Matrix& gradient,
                     std::span<Matrix> into) {
    for (Matrix& part : into) part += call.settings.scale * gradient;
}

Explanation scaled_sum_explain(const Call& call, const Matrix& C, Index i, Index j) {
    Explanation e{.rule = "Σ_h A_h(i,j)", .terms = {}, .sum = 0, .finish = {}};
    for (std::size_t h = 0; h < call.in.size(); ++h) {
        const Scalar a = call[h](i, j);
        e.terms.push_back({{{h, i, j, a}}, a});
        e.sum += a;
    }
    if (call.settings.scale != 1) {
        e.rule += " / heads";
        e.finish.push_back({"÷ " + std::to_string(call.in.size()), C(i, j)});
    }
    return e;
}

}  // namespace

const Operation copy{"copy", copy_forward, copy_pull, copy_explain};
const Operation add{"add", add_forward, add_pull, add_explain};
const Operation multiply{"multiply", multiply_forward, multiply_pull, multiply_explain};
const Operation multiply_transposed{"multiply transposed", multiply_transposed_forward,
                                    multiply_transposed_pull, multiply_transposed_explain};
const Operation concat_columns{"concat columns", concat_columns_forward, concat_columns_pull,
                               concat_columns_explain};
const Operation scaled_sum{"scaled sum", scaled_sum_forward, scaled_sum_pull, scaled_sum_explain};

}  // namespace headlight::operations
