#include "core/analyses/difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/operations/mask_operations.h"

namespace headlight {
namespace {

void check_shapes(const Matrix& a, const Matrix& b) {
    if (a.rows() == b.rows() && a.cols() == b.cols()) return;
    throw Error("difference", shape_text(a.rows(), a.cols()) + " and " +
                                  shape_text(b.rows(), b.cols()) + " cannot be subtracted");
}

Scalar subtracted(Scalar a, Scalar b) {
    if (a == kMasked && b == kMasked) return kMasked;
    if (a == b) return 0;  // two infinities as well
    const Scalar d = a - b;
    return std::isfinite(d) ? d : std::numeric_limits<Scalar>::quiet_NaN();
}

/// p log₂(p / m); 0 log 0 = 0.
double relative(double p, double m) {
    return p > 0 ? p * std::log2(p / m) : 0;
}

/// Sums over rows of probabilities, one row after another.
class RowSums {
  public:
    /// `count` cells of each from `begin` on.
    void add_row(const Matrix& a, const Matrix& b, Index begin, Index count) {
        double variation = 0, bits = 0;
        bool is_empty = true;
        for (Index k = begin; k < begin + count; ++k) {
            const double p = a.data()[k], q = b.data()[k], m = (p + q) / 2;
            variation += std::abs(p - q) / 2;
            bits += (relative(p, m) + relative(q, m)) / 2;
            is_empty = is_empty && p == 0 && q == 0;
        }
        if (is_empty) return;
        variation_ += variation;
        bits_ += bits;
        ++n_;
    }

    RowDistances mean() const {
        if (n_ == 0) return {};
        const auto n = static_cast<double>(n_);
        return {static_cast<Scalar>(variation_ / n), static_cast<Scalar>(bits_ / n)};
    }

  private:
    double variation_ = 0, bits_ = 0;
    Index n_ = 0;
};

/// Of the items along an axis those that are not padding; 0 of an axis without items.
Index count_words(const Trace& trace, const Axis& axis) {
    const bool has_items =
        axis.kind == AxisKind::Item || axis.kind == AxisKind::Query || axis.kind == AxisKind::Key;
    const auto& names = trace.lists[static_cast<std::size_t>(axis.list)].names;
    if (!has_items || !names) return 0;
    const auto n_padding = std::count(names->begin(), names->end(), kPaddingWord);
    return static_cast<Index>(names->size()) - n_padding;
}

}  // namespace

Difference difference(const Matrix& a, const Matrix& b) {
    check_shapes(a, b);
    Difference result;
    Matrix values(a.rows(), a.cols());
    double sum = 0;
    for (Index i = 0; i < a.rows(); ++i)
        for (Index j = 0; j < a.cols(); ++j) {
            const Scalar d = values(i, j) = subtracted(a(i, j), b(i, j));
            if (std::isnan(d) && !(std::isnan(a(i, j)) && std::isnan(b(i, j))))
                ++result.n_one_sided;
            if (!std::isfinite(d)) continue;
            sum += std::abs(static_cast<double>(d));
            if (result.n_finite++ > 0 && std::abs(d) <= std::abs(result.largest)) continue;
            result.largest = d;
            result.row = i;
            result.column = j;
        }
    if (result.n_finite > 0)
        result.mean_magnitude = static_cast<Scalar>(sum / static_cast<double>(result.n_finite));
    result.values = std::make_shared<const Matrix>(std::move(values));
    return result;
}

RowDistances row_distances(const Matrix& a, const Matrix& b, const Edges* edges) {
    check_shapes(a, b);
    RowSums sums;
    if (!edges) {
        for (Index i = 0; i < a.rows(); ++i) sums.add_row(a, b, i * a.cols(), a.cols());
        return sums.mean();
    }
    for (std::size_t i = 0; i + 1 < edges->offsets.size(); ++i)
        sums.add_row(a, b, edges->offsets[i], edges->offsets[i + 1] - edges->offsets[i]);
    return sums.mean();
}

std::string why_not_subtracted(const TensorIn& a, const TensorIn& b) {
    for (const auto axis : {&Tensor::rows, &Tensor::columns}) {
        const Index words_a = count_words(a.trace, a.tensor.*axis);
        const Index words_b = count_words(b.trace, b.tensor.*axis);
        if (words_a != words_b && (a.tensor.*axis).size == (b.tensor.*axis).size)
            return std::to_string(words_a) + " and " + std::to_string(words_b) +
                   " words cannot be subtracted";
    }
    const Axis &rows = a.tensor.rows, &columns = a.tensor.columns;
    if (rows.size != b.tensor.rows.size || columns.size != b.tensor.columns.size)
        return shape_text(rows.size, columns.size) + " and " +
               shape_text(b.tensor.rows.size, b.tensor.columns.size) + " cannot be subtracted";
    const bool has_edges = rows.kind == AxisKind::Edge && a.trace.edges && b.trace.edges;
    if (has_edges && (a.trace.edges->row != b.trace.edges->row ||
                      a.trace.edges->neighbour != b.trace.edges->neighbour))
        return "row by row these are other edges; they cannot be subtracted";
    return "";
}

Tensor difference_tensor(const Tensor& a, MatrixPtr values) {
    Tensor tensor = a;
    tensor.symbol = "A − B";
    tensor.equation = "A − B, cell by cell";
    tensor.quantity = Quantity::Signed;
    tensor.hold = {};
    tensor.computed = values;
    tensor.value = std::move(values);
    return tensor;
}

}  // namespace headlight
