#include "learn/loss.h"

#include <algorithm>
#include <cmath>

#include "core/numeric/softmax.h"

namespace headlight {
namespace {

/// The largest logit of a row beside that of one class.
Index largest_other(ConstView logits, Index row, Index beside) {
    Index best = beside == 0 ? 1 : 0;
    for (Index j = best + 1; j < logits.cols(); ++j)
        if (j != beside && logits(row, j) > logits(row, best)) best = j;
    return best;
}

}  // namespace

Loss& Loss::operator+=(const Loss& other) {
    sum += other.sum;
    n_targets += other.n_targets;
    n_right += other.n_right;
    return *this;
}

Loss cross_entropy(ConstView logits, std::span<const Index> classes, Scalar weight, Matrix& seed) {
    Loss loss;
    seed.resize(logits.rows(), logits.cols());
    for (Index i = 0; i < logits.rows(); ++i) {
        const Index target = classes[static_cast<std::size_t>(i)];
        if (target == kNoClass) {
            seed.row(i).setZero();
            continue;
        }
        const auto n = static_cast<std::size_t>(logits.cols());
        softmax(std::span(logits.row(i).data(), n), std::span(seed.row(i).data(), n));
        Index best = 0;
        const Scalar largest = logits.row(i).maxCoeff(&best);
        // The largest share is never 0, whatever that of the class is.
        loss.sum += static_cast<double>(largest - logits(i, target) - std::log(seed(i, best)));
        ++loss.n_targets;
        if (best == target) ++loss.n_right;
        seed.row(i) *= weight;
        seed(i, target) -= weight;
    }
    return loss;
}

Loss margin_loss(ConstView logits, std::span<const Index> classes, Scalar margin, Scalar weight,
                 Matrix& seed) {
    Loss loss;
    seed.setZero(logits.rows(), logits.cols());
    for (Index i = 0; i < logits.rows(); ++i) {
        const Index target = classes[static_cast<std::size_t>(i)];
        if (target == kNoClass || logits.cols() < 2) continue;
        const Index other = largest_other(logits, i, target);
        const Scalar lead = logits(i, target) - logits(i, other);
        ++loss.n_targets;
        if (lead > 0) ++loss.n_right;
        if (!(lead < margin)) continue;
        loss.sum += static_cast<double>(margin - lead);
        seed(i, target) = -weight;
        seed(i, other) = weight;
    }
    return loss;
}

Loss squared_error(ConstView output, ConstView targets, Scalar tolerance, Scalar weight,
                   Matrix& seed) {
    // L = Σ_i mean_j e(i,j)², e = y − target:  ∂y(i,j) = 2 e(i,j) / columns
    seed = output - targets;
    Loss loss;
    loss.n_targets = output.rows();
    for (Index i = 0; i < output.rows(); ++i) {
        loss.sum +=
            static_cast<double>(seed.row(i).squaredNorm()) / static_cast<double>(output.cols());
        if (seed.row(i).cwiseAbs().maxCoeff() <= tolerance) ++loss.n_right;
    }
    seed *= 2 * weight / static_cast<Scalar>(output.cols());
    return loss;
}

}  // namespace headlight
