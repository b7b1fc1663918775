// Loss: how far an output is from its target, and in which direction.
#pragma once

#include <span>

#include "core/matrix.h"

namespace headlight {

/// No target in a row.
inline constexpr Index kNoClass = -1;

/// Sums over the rows that have a target.
struct Loss {
    double sum = 0;
    Index n_targets = 0, n_right = 0;

    double mean() const { return n_targets > 0 ? sum / static_cast<double>(n_targets) : 0; }
    double accuracy() const {
        return n_targets > 0 ? static_cast<double>(n_right) / static_cast<double>(n_targets) : 0;
    }
    Loss& operator+=(const Loss& other);
};

/// −log softmax(logits)(class), row by row. `seed`: its gradient times `weight`, of the logits'
/// shape; zeros in rows without a target. A row is right if its class has the largest logit.
Loss cross_entropy(ConstView logits, std::span<const Index> classes, Scalar weight, Matrix& seed);

/// max(0, margin − (logit of the class − the largest of the others)), the same way.
Loss margin_loss(ConstView logits, std::span<const Index> classes, Scalar margin, Scalar weight,
                 Matrix& seed);

/// Mean over a row of (y − target)², the same way. A row is right if none of its numbers is further
/// than `tolerance` from its target.
Loss squared_error(ConstView output, ConstView targets, Scalar tolerance, Scalar weight,
                   Matrix& seed);

}  // namespace headlight
