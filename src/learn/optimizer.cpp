#include "learn/optimizer.h"

#include <cmath>

namespace headlight {
namespace {

double l2_norm(std::span<const Matrix> matrices) {
    double squares = 0;
    for (const Matrix& matrix : matrices) squares += static_cast<double>(matrix.squaredNorm());
    return std::sqrt(squares);
}

}  // namespace

double Optimizer::step(std::span<const MatrixPtr> from, std::span<Matrix> gradients,
                       std::span<const std::shared_ptr<Matrix>> to, double learning_rate) {
    const double length = l2_norm(gradients);
    if (settings_.clip_norm > 0 && length > settings_.clip_norm)
        for (Matrix& gradient : gradients)
            gradient *= static_cast<Scalar>(settings_.clip_norm / (length + 1e-6));
    if (state_.first.empty())
        for (const Matrix& gradient : gradients) {
            state_.first.push_back(Matrix::Zero(gradient.rows(), gradient.cols()));
            if (settings_.rule != Rule::Sgd)
                state_.second.push_back(Matrix::Zero(gradient.rows(), gradient.cols()));
        }
    ++state_.n_steps;
    for (std::size_t k = 0; k < from.size(); ++k)
        move(view(*from[k]), view(gradients[k]), view(*to[k]), k, learning_rate);
    return length;
}

/// One parameter.
void Optimizer::move(ConstView from, View gradient, View to, std::size_t k, double learning_rate) {
    const auto rate = static_cast<Scalar>(learning_rate);
    const auto decay = static_cast<Scalar>(settings_.weight_decay);
    const bool is_decoupled = settings_.rule == Rule::AdamW;
    if (decay != 0 && !is_decoupled) gradient += decay * from;
    Matrix& first = state_.first[k];
    if (settings_.rule == Rule::Sgd) {
        const auto momentum = static_cast<Scalar>(settings_.momentum);
        first = state_.n_steps == 1 ? Matrix(gradient) : Matrix(momentum * first + gradient);
        to = from - rate * first;
        return;
    }
    const double b1 = settings_.beta1, b2 = settings_.beta2;
    const auto n = static_cast<double>(state_.n_steps);
    const double corrected = learning_rate / (1 - std::pow(b1, n));
    const double root = std::sqrt(1 - std::pow(b2, n));
    const auto keep1 = static_cast<Scalar>(b1), keep2 = static_cast<Scalar>(b2);
    const auto new1 = static_cast<Scalar>(1 - b1), new2 = static_cast<Scalar>(1 - b2);
    const auto size = static_cast<Scalar>(corrected), over = static_cast<Scalar>(1 / root);
    const auto epsilon = static_cast<Scalar>(settings_.epsilon);
    const Scalar shrunk = is_decoupled ? 1 - rate * decay : Scalar(1);
    auto m = first.array();
    auto v = state_.second[k].array();
    const auto g = gradient.array();
    m = keep1 * m + new1 * g;
    v = keep2 * v + new2 * g.square();
    to.array() = shrunk * from.array() - size * m / (v.sqrt() * over + epsilon);
}

}  // namespace headlight
