#include <cmath>
#include <doctest/doctest.h>
#include <utility>
#include <vector>

#include "learn/trainer.h"

namespace headlight::loss_test {

Matrix logits_of_three() {
    Matrix logits(3, 3);
    logits << 2, 0, -1, 0.5f, 0.5f, 3, 1, 1.25f, 0;
    return logits;
}

/// By differences, of the sum over all rows.
template <typename Function>
void check_seed(Function loss, const std::vector<Index>& classes) {
    const Matrix at = logits_of_three();
    Matrix seed, ignored;
    loss(view(at), classes, seed);
    const float h = 1e-2f;
    for (Index i = 0; i < at.rows(); ++i)
        for (Index j = 0; j < at.cols(); ++j) {
            Matrix more = at, less = at;
            more(i, j) += h;
            less(i, j) -= h;
            const double slope = (loss(read_only(view(more)), classes, ignored).sum -
                                  loss(read_only(view(less)), classes, ignored).sum) /
                                 (2 * h);
            CAPTURE(i);
            CAPTURE(j);
            CHECK(seed(i, j) == doctest::Approx(slope).epsilon(2e-3));
        }
}

TEST_CASE("cross-entropy: its value, and its gradient by differences") {
    const std::vector<Index> classes{0, kNoClass, 0};
    const auto loss = [](ConstView logits, std::span<const Index> of, Matrix& seed) {
        return cross_entropy(logits, of, 1, seed);
    };
    Matrix seed;
    const Matrix logits = logits_of_three();
    const Loss found = loss(view(logits), classes, seed);
    const double first = std::log(std::exp(2.0) + 1 + std::exp(-1.0)) - 2;
    const double last = std::log(std::exp(1.0) + std::exp(1.25) + 1) - 1;
    CHECK(found.sum == doctest::Approx(first + last));
    CHECK(found.n_targets == 2);
    CHECK(found.n_right == 1);
    CHECK(found.accuracy() == 0.5);
    CHECK(seed.row(1).isZero(0));
    check_seed(loss, classes);
}

TEST_CASE("margin loss: its value, and its gradient by differences") {
    const std::vector<Index> classes{0, 2, 0};
    const auto loss = [](ConstView logits, std::span<const Index> of, Matrix& seed) {
        return margin_loss(logits, of, 1, 1, seed);
    };
    Matrix seed;
    const Matrix logits = logits_of_three();
    const Loss found = loss(view(logits), classes, seed);
    CHECK(found.sum == doctest::Approx(1.25));  // the last row is 0.25 behind
    CHECK(found.n_right == 2);
    check_seed(loss, classes);
}

TEST_CASE("squared error: its value, and its gradient by differences") {
    Matrix targets = logits_of_three();
    targets(0, 1) += 0.3f;
    targets(2, 2) -= 0.6f;
    const auto loss = [&](ConstView output, std::span<const Index>, Matrix& seed) {
        return squared_error(output, view(std::as_const(targets)), 0.1f, 1, seed);
    };
    Matrix seed;
    const Matrix output = logits_of_three();
    const Loss found = loss(view(output), {}, seed);
    CHECK(found.sum == doctest::Approx((0.09 + 0.36) / 3));
    CHECK(found.n_targets == 3);
    CHECK(found.n_right == 1);  // the second row alone
    check_seed(loss, {});
}

}  // namespace headlight::loss_test
