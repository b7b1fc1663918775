#include "core/analyses/difference.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>

#include "core/error.h"
#include "core/evaluation/segment.h"
#include "core/operations/mask_operations.h"
#include "core/plan.h"

namespace headlight {
namespace {

void check_shapes(const Matrix& a, const Matrix& b) {
    if (a.rows() == b.rows() && a.cols() == b.cols()) return;
    throw Error("difference", "{} and {} cannot be subtracted", shape_text(a.rows(), a.cols()),
                shape_text(b.rows(), b.cols()));
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

/// The number of items along an axis that are not padding; 0 for an axis without items.
Index count_words(const Plan& plan, const Axis& axis) {
    const bool has_items =
        axis.kind == AxisKind::Item || axis.kind == AxisKind::Query || axis.kind == AxisKind::Key;
    const auto& names = plan.lists[static_cast<std::size_t>(axis.list)].names;
    if (!has_items || !names) return 0;
    const auto n_padding = std::count(names->begin(), names->end(), kPaddingWord);
    return static_cast<Index>(names->size()) - n_padding;
}

using Vocabulary = std::vector<std::string>;

/// Returns the words of an axis; empty where it is no vocabulary.
Vocabulary vocabulary(const Plan& plan, const Axis& axis) {
    if (axis.kind != AxisKind::Named) return {};
    const ItemList& list = plan.lists[static_cast<std::size_t>(axis.list)];
    if (!list.names || (list.noun != "vocabulary" && list.noun != "word")) return {};
    return *list.names;
}

constexpr Index kNoPartner = -1;

/// Its rows or its columns.
using AxisOf = const Axis& (Tensor::*)() const;

/// The places in B that match those of A, along one axis.
struct Partners {
    std::vector<Index> in_b;  // kNoPartner where there is none
    Vocabulary only_in_a, only_in_b;
    bool is_by_name = false;

    bool are_strangers() const { return is_by_name && only_in_a.size() == in_b.size(); }
};

Partners partners(const TensorIn& a, const TensorIn& b, AxisOf axis) {
    const Vocabulary words_a = vocabulary(a.trace, (a.tensor.*axis)()),
                     words_b = vocabulary(b.trace, (b.tensor.*axis)());
    Partners found;
    found.is_by_name = !words_a.empty() && !words_b.empty() && words_a != words_b;
    if (!found.is_by_name) {
        for (Index i = 0; i < (a.tensor.*axis)().size; ++i) found.in_b.push_back(i);
        return found;
    }
    for (const std::string& word : words_a) {
        const auto there = std::ranges::find(words_b, word);
        found.in_b.push_back(there == words_b.end() ? kNoPartner : there - words_b.begin());
        if (there == words_b.end()) found.only_in_a.push_back(word);
    }
    for (const std::string& word : words_b)
        if (std::ranges::count(words_a, word) == 0) found.only_in_b.push_back(word);
    return found;
}

void append_new(Vocabulary& words, const Vocabulary& more) {
    for (const std::string& word : more)
        if (std::ranges::count(words, word) == 0) words.push_back(word);
}

std::string joined(const Vocabulary& words) {
    return fmt::format("{}", fmt::join(words, ", "));
}

bool is_counted(const CountedRows& counted, Index row) {
    return !counted || std::ranges::binary_search(*counted, row);
}

}  // namespace

Difference difference(const Matrix& a, const Matrix& b, const CountedRows& counted) {
    check_shapes(a, b);
    Difference result;
    Matrix values(a.rows(), a.cols());
    double sum = 0;
    for (Index i = 0; i < a.rows(); ++i)
        for (Index j = 0; j < a.cols(); ++j) {
            const Scalar d = values(i, j) = subtracted(a(i, j), b(i, j));
            if (!is_counted(counted, i)) continue;
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

RowDistances row_distances(const Matrix& a, const Matrix& b, const Edges* edges,
                           const CountedRows& counted) {
    check_shapes(a, b);
    RowSums sums;
    if (!edges) {
        for (Index i = 0; i < a.rows(); ++i)
            if (is_counted(counted, i)) sums.add_row(a, b, i * a.cols(), a.cols());
        return sums.mean();
    }
    for (std::size_t i = 0; i + 1 < edges->offsets.size(); ++i)
        sums.add_row(a, b, edges->offsets[i], edges->offsets[i + 1] - edges->offsets[i]);
    return sums.mean();
}

std::string why_not_subtracted(const TensorIn& a, const TensorIn& b) {
    for (const auto axis : {&Tensor::rows, &Tensor::columns}) {
        const Index words_a = count_words(a.trace, (a.tensor.*axis)());
        const Index words_b = count_words(b.trace, (b.tensor.*axis)());
        if (words_a != words_b && (a.tensor.*axis)().size == (b.tensor.*axis)().size)
            return fmt::format("{} and {} words cannot be subtracted", words_a, words_b);
    }
    const Axis &rows = a.tensor.rows(), &columns = a.tensor.columns();
    const Partners of_rows = partners(a, b, &Tensor::rows),
                   of_columns = partners(a, b, &Tensor::columns);
    if (of_rows.are_strangers() || of_columns.are_strangers())
        return "they have no word in common; they cannot be subtracted";
    if ((!of_rows.is_by_name && rows.size != b.tensor.rows().size) ||
        (!of_columns.is_by_name && columns.size != b.tensor.columns().size))
        return fmt::format("{} and {} cannot be subtracted", shape_text(rows.size, columns.size),
                           shape_text(b.tensor.rows().size, b.tensor.columns().size));
    const bool has_edges = rows.kind == AxisKind::Edge && a.trace.edges() && b.trace.edges();
    if (has_edges && (a.trace.edges()->row != b.trace.edges()->row ||
                      a.trace.edges()->neighbour != b.trace.edges()->neighbour))
        return "row by row these are other edges; they cannot be subtracted";
    return "";
}

MatchedValues match_by_name(const TensorIn& a, const TensorIn& b) {
    const Partners rows = partners(a, b, &Tensor::rows), columns = partners(a, b, &Tensor::columns);
    MatchedValues matched{b.tensor.value, rows.only_in_a, rows.only_in_b};
    append_new(matched.only_in_a, columns.only_in_a);
    append_new(matched.only_in_b, columns.only_in_b);
    if (!rows.is_by_name && !columns.is_by_name) return matched;
    Matrix values(a.tensor.rows().size, a.tensor.columns().size);
    for (Index i = 0; i < values.rows(); ++i)
        for (Index j = 0; j < values.cols(); ++j) {
            const Index row = rows.in_b[static_cast<std::size_t>(i)],
                        column = columns.in_b[static_cast<std::size_t>(j)];
            const bool has_partner = row != kNoPartner && column != kNoPartner;
            values(i, j) = has_partner ? (*b.tensor.value)(row, column)
                                       : std::numeric_limits<Scalar>::quiet_NaN();
        }
    matched.values = std::make_shared<const Matrix>(std::move(values));
    return matched;
}

std::string partners_text(const MatchedValues& matched) {
    if (matched.has_all()) return "";
    std::string text = "no partner";
    if (!matched.only_in_a.empty()) text += " in B: " + joined(matched.only_in_a);
    if (!matched.only_in_b.empty())
        text += (matched.only_in_a.empty() ? " in A: " : "; in A: ") + joined(matched.only_in_b);
    return text;
}

Difference difference(const TensorIn& a, const MatchedValues& b) {
    Difference result = difference(*a.tensor.value, *b.values, counted_rows(a.trace, a.tensor));
    if (b.only_in_a.empty()) return result;
    const Vocabulary rows = vocabulary(a.trace, a.tensor.rows()),
                     columns = vocabulary(a.trace, a.tensor.columns());
    const auto is_alone = [&](const Vocabulary& words, Index place) {
        return !words.empty() &&
               std::ranges::count(b.only_in_a, words[static_cast<std::size_t>(place)]) > 0;
    };
    for (Index i = 0; i < result.values->rows(); ++i)
        for (Index j = 0; j < result.values->cols(); ++j)
            if (is_alone(rows, i) || is_alone(columns, j)) --result.n_one_sided;
    return result;
}

RowDistances row_distances(const TensorIn& a, const Matrix& b) {
    return row_distances(*a.tensor.value, b, a.tensor.row_edges(), counted_rows(a.trace, a.tensor));
}

std::string name_of_both(const std::string& a, const std::string& b) {
    return a == b ? a : fmt::format("{} / {}", a, b);
}

Plan named_by_both(const TensorIn& a, const TensorIn& b) {
    Plan plan = a.trace.plan();
    const auto joined_names = [](const std::vector<std::string>& of_a,
                                 const std::vector<std::string>& of_b) {
        auto names = std::make_shared<std::vector<std::string>>(of_a);
        for (std::size_t k = 0; k < std::min(of_a.size(), of_b.size()); ++k)
            (*names)[k] = name_of_both(of_a[k], of_b[k]);
        return names;
    };
    for (const AxisOf axis : {AxisOf(&Tensor::rows), AxisOf(&Tensor::columns)}) {
        const Axis &of_a = (a.tensor.*axis)(), &of_b = (b.tensor.*axis)();
        if (!is_of_items(of_a) || !is_of_items(of_b)) continue;
        ItemList& list = plan.lists[static_cast<std::size_t>(of_a.list)];
        list.names = joined_names(a.trace.items(of_a.list), b.trace.items(of_b.list));
        list.shown = joined_names(a.trace.shown_items(of_a.list), b.trace.shown_items(of_b.list));
    }
    return plan;
}

Tensor difference_tensor(const Tensor& a, MatrixPtr values) {
    PlannedTensor planned = a.planned();
    planned.symbol = "A − B";
    planned.equation = "A − B, cell by cell";
    planned.quantity = Quantity::Signed;
    Tensor tensor(std::make_shared<const PlannedTensor>(std::move(planned)));
    tensor.computed = values;
    tensor.value = std::move(values);
    return tensor;
}

}  // namespace headlight
