#include "core/analyses/seriation.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headlight {
namespace {

using Doubles = Eigen::MatrixXd;

std::vector<Index> given_order(Index n) {
    std::vector<Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Index{0});
    return order;
}

Doubles finite_values(const Matrix& X) {
    double lowest = std::numeric_limits<double>::infinity();
    for (const Scalar value : X.reshaped())
        if (std::isfinite(value)) lowest = std::min(lowest, static_cast<double>(value));
    if (!std::isfinite(lowest)) lowest = 0;
    return X.unaryExpr([lowest](Scalar value) {
        return std::isfinite(value) ? static_cast<double>(value) : lowest;
    });
}

/// Returns d²(i,j) = ‖x_i‖² + ‖x_j‖² − 2 x_i·x_j of the rows scaled to length 1; a row of zeros
/// stays.
Doubles squared_distances(Doubles X) {
    const Eigen::VectorXd lengths = X.rowwise().norm();
    for (Index i = 0; i < X.rows(); ++i)
        if (lengths(i) > 0) X.row(i) /= lengths(i);
    const Eigen::VectorXd squares = X.rowwise().squaredNorm();
    Doubles D = -2 * X * X.transpose();
    D.colwise() += squares;
    D.rowwise() += squares.transpose();
    return D.cwiseMax(0);
}

/// Returns the eigenvector of the second smallest eigenvalue of L = diag(S 1) − S.
Eigen::VectorXd fiedler_vector(const Doubles& D) {
    const double mean = D.mean();
    if (!(mean > 0)) return Eigen::VectorXd::Zero(D.rows());
    const Doubles S = (-D / mean).array().exp();
    Doubles L = -S;
    L.diagonal() += S.rowwise().sum();
    const Eigen::SelfAdjointEigenSolver<Doubles> solver(L);
    return solver.eigenvectors().col(1);
}

/// Sorts places in ascending order, equal ones (within rounding) by index. The direction is chosen
/// so that the first one is in the first half.
std::vector<Index> order_by(Eigen::VectorXd place) {
    constexpr double kSame = 1e-7;  // of the whole range
    if ((place.array() < place(0)).count() > (place.array() > place(0)).count()) place = -place;
    std::vector<Index> order = given_order(place.size());
    std::ranges::stable_sort(order, {}, [&](Index k) { return place(k); });
    const double same = kSame * (place.maxCoeff() - place.minCoeff());
    for (auto begin = order.begin(); begin != order.end();) {
        auto end = begin + 1;
        while (end != order.end() && place(*end) - place(*(end - 1)) <= same) ++end;
        std::sort(begin, end);
        begin = end;
    }
    return order;
}

std::vector<Index> order_of_rows(const Doubles& X) {
    if (X.rows() < 3 || X.rows() > kMostSeriated || X.cols() == 0) return given_order(X.rows());
    return order_by(fiedler_vector(squared_distances(X)));
}

}  // namespace

std::vector<Index> seriation_order(const Matrix& X) {
    return order_of_rows(finite_values(X));
}

std::vector<Index> common_seriation_order(const Matrix& X) {
    const Doubles values = finite_values(X);
    Doubles both(values.rows(), 2 * values.cols());
    both << values, values.transpose();
    return order_of_rows(both);
}

}  // namespace headlight
