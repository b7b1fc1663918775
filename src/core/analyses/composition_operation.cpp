#include "core/analyses/composition_operation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/numeric/product.h"

namespace headlight::operations {
namespace {

using DoubleMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Σ_ij A(i,j) B(i,j)
double inner(const DoubleMatrix& a, const DoubleMatrix& b) {
    return a.cwiseProduct(b).sum();
}

/// A circuit L R of d_model × d_model, as its narrow factors. Norms are those of small matrices:
///     ‖L R‖² = tr(Lᵀ L · R Rᵀ)
struct Circuit {
    Matrix L, R;            // d_model × k, k × d_model
    DoubleMatrix LtL, RRt;  // k × k
    double norm = 0;
};

class Circuits {
  public:
    explicit Circuits(const Call& call)
        : call_(call), per_head_(call.in.size() / call.settings.indices->size()) {}

    Index n_heads() const { return std::ssize(*call_.settings.indices); }

    /// Returns the circuit by which the head writes.
    Circuit value_output(Index head) const { return circuit(folded(head, 2), weight_output(head)); }
    /// Returns the circuit by which the head reads, chosen by `begin`.
    Circuit read(Index head) const {
        switch (call_.settings.begin) {
            case 0:
                return circuit(folded(head, 0), folded(head, 1).transpose());
            case 1:
                return circuit(folded(head, 1), folded(head, 0).transpose());
            default:
                return value_output(head);
        }
    }

  private:
    const ConstView& input(Index head, std::size_t which) const {
        return call_[static_cast<std::size_t>(head) * per_head_ + which];
    }

    Matrix folded(Index head, std::size_t which) const {
        Matrix W = input(head, which);
        if (per_head_ == 5) W = input(head, 4).row(0).transpose().asDiagonal() * W;
        W.rowwise() -= call_.settings.scale * W.colwise().mean();
        return W;
    }

    Matrix weight_output(Index head) const {
        const Index begin = (*call_.settings.indices)[static_cast<std::size_t>(head)];
        return input(head, 3).middleRows(begin, input(head, 2).cols());
    }

    static Circuit circuit(Matrix L, Matrix R) {
        Circuit circuit{std::move(L), std::move(R), {}, {}};
        const DoubleMatrix wide_L = circuit.L.cast<double>(), wide_R = circuit.R.cast<double>();
        circuit.LtL = wide_L.transpose() * wide_L;
        circuit.RRt = wide_R * wide_R.transpose();
        circuit.norm = std::sqrt(inner(circuit.LtL, circuit.RRt));
        return circuit;
    }

    const Call& call_;
    std::size_t per_head_;
};

/// Returns ‖A B‖ of circuits A = L R and B: ‖A B‖² = tr(Lᵀ L · P · R_B R_Bᵀ · Pᵀ) with P = R L_B.
double norm_of_product(const Circuit& a, const Circuit& b) {
    Matrix P(a.R.rows(), b.L.cols());
    set_product(P, a.R, b.L);
    const DoubleMatrix wide = P.cast<double>();
    return std::sqrt(std::max(0.0, inner(a.LtL * wide, wide * b.RRt)));
}

void composition_forward(const Call& call, View result) {
    const Circuits circuits(call);
    const Index n_heads = call.settings.count;
    std::vector<Circuit> written;
    for (Index j = 0; j < call.columns; ++j) written.push_back(circuits.value_output(j));
    result.setZero();
    for (Index i = 0; i < call.rows; ++i) {
        const Circuit read = circuits.read(i + n_heads);
        const Index n_earlier = (i / n_heads + 1) * n_heads;
        for (Index j = 0; j < n_earlier; ++j) {
            const Circuit& writes = written[static_cast<std::size_t>(j)];
            const double norms = writes.norm * read.norm;
            if (norms > 0)
                result(i, j) = static_cast<Scalar>(norm_of_product(writes, read) / norms);
        }
    }
}

Explanation composition_explain(const Call& call, ConstView result, Index i, Index j) {
    const Circuits circuits(call);
    const Index n_heads = call.settings.count;
    if (j >= (i / n_heads + 1) * n_heads)
        return {.rule = "0: the head is of no earlier layer", .terms = {}, .sum = 0, .finish = {}};
    const Circuit writes = circuits.value_output(j), read = circuits.read(i + n_heads);
    const double product = norm_of_product(writes, read);
    return {.rule = "‖what the earlier head writes · what the later one reads‖ / norms of both",
            .terms = {},
            .sum = 0,
            .finish = {{"norm of the product", static_cast<Scalar>(product)},
                       {"÷ the earlier's norm", static_cast<Scalar>(product / writes.norm)},
                       {"÷ the later's norm", result(i, j)}}};
}

}  // namespace

const Operation composition{"composition",       {},      kWhole,
                            composition_forward, nullptr, composition_explain};

}  // namespace headlight::operations
