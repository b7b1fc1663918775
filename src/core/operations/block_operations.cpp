// Norms, activations, and rows that are taken, joined and looked up.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/evaluation/overlap.h"
#include "core/numeric/row_functions.h"
#include "core/numeric/short_number.h"
#include "core/operations/call_parts.h"
#include "core/operations/operations.h"

namespace headlight::operations {
namespace {

/// Returns Σ f(k), k < n, in eight partial sums: the order of the additions depends only on n,
/// never on the place of a row in memory. The sum is a double, which holds the squares of all
/// numbers that a float holds.
template <typename Function>
double sum_in_lanes(Index n, Function f) {
    constexpr Index kLanes = 8;
    double lanes[kLanes] = {};
    Index k = 0;
    for (; k + kLanes <= n; k += kLanes)
        for (Index lane = 0; lane < kLanes; ++lane) lanes[lane] += f(k + lane);
    for (; k < n; ++k) lanes[k % kLanes] += f(k);
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
           ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/// Writes "10^{−5}", or the number.
std::string epsilon_text(double epsilon) {
    char text[32];
    const char* end =
        std::to_chars(text, text + sizeof text, epsilon, std::chars_format::scientific).ptr;
    const std::string digits(static_cast<const char*>(text), end);
    if (!digits.starts_with("1e-")) return short_number(static_cast<Scalar>(epsilon));
    return "10^{−" + digits.substr(digits[3] == '0' ? 4 : 3) + "}";
}

struct Moments {
    Scalar mean;
    double variance, epsilon;

    Scalar deviation() const { return static_cast<Scalar>(std::sqrt(variance + epsilon)); }
};

Moments moments(const Call& call, const Scalar* x) {
    const Index d = call.columns;
    const auto width = static_cast<double>(d);
    const double mean = sum_in_lanes(d, [&](Index k) { return static_cast<double>(x[k]); }) / width;
    const double squares = sum_in_lanes(d, [&](Index k) {
        const double from_mean = static_cast<double>(x[k]) - mean;
        return from_mean * from_mean;
    });
    return {static_cast<Scalar>(mean), squares / width, call.settings.epsilon};
}

const Scalar* row_data(const ConstView& X, Index i) {
    return X.data() + i * X.cols();
}

void layer_norm_forward(const Call& call, View Y) {
    const Scalar* w = call[1].data();
    const Scalar* b = call[2].data();
    for (Index i = 0; i < call.rows; ++i) {
        const Scalar* x = row_data(call[0], i);
        const Moments row = moments(call, x);
        const Scalar scale = 1 / row.deviation();
        Scalar* y = Y.data() + i * call.columns;
        for (Index d = 0; d < call.columns; ++d) y[d] = (x[d] - row.mean) * scale * w[d] + b[d];
    }
}

/// Computes one row of the gradient of X; `dy` is that of Y.
void pull_norm_row(const Call& call, Index i, const Moments& row, const Scalar* dy, Scalar* dx) {
    // N = (X − μ) / σ, ∂N = ∂Y w:  ∂X = (∂N − mean ∂N − N · mean(∂N N)) / σ
    const Scalar* x = row_data(call[0], i);
    const Scalar* w = call[1].data();
    const auto width = static_cast<double>(call.columns);
    const Scalar scale = 1 / row.deviation();
    const auto normal = [&](Index d) { return (x[d] - row.mean) * scale; };
    const auto mean_of = [&](auto f) {
        return static_cast<Scalar>(sum_in_lanes(call.columns, f) / width);
    };
    const Scalar mean = mean_of([&](Index d) { return dy[d] * w[d]; });
    const Scalar along = mean_of([&](Index d) { return dy[d] * w[d] * normal(d); });
    if (set_or_add(call, 0) == Into::Set) std::fill_n(dx, call.columns, Scalar(0));
    for (Index d = 0; d < call.columns; ++d)
        dx[d] += (dy[d] * w[d] - mean - normal(d) * along) * scale;
}

void layer_norm_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // Y = N w + b:  ∂w += Σᵢ ∂Y N,  ∂b += Σᵢ ∂Y
    for (Index i = 0; i < call.rows; ++i) {
        const Moments row = moments(call, row_data(call[0], i));
        pull_norm_row(call, i, row, row_data(gradient, i), into[0].row(i).data());
        const Scalar scale = 1 / row.deviation();
        into[1].array() += gradient.row(i).array() * (call[0].row(i).array() - row.mean) * scale;
        into[2] += gradient.row(i);
    }
}

Explanation layer_norm_explain(const Call& call, ConstView Y, Index i, Index d) {
    const Moments row = moments(call, row_data(call[0], i));
    const Scalar x = call[0](i, d), w = call[1](0, d), b = call[2](0, d);
    const Scalar normal = (x - row.mean) / row.deviation();
    const std::string mean = short_number(row.mean);
    const std::string deviation = fmt::format(
        "√({} + {})", short_number(static_cast<Scalar>(row.variance)), epsilon_text(row.epsilon));
    return {.rule = fmt::format("(X(i,d) − μ) / σ · w(d) + b(d), of row i μ = {}, σ = {}", mean,
                                deviation),
            .terms = {{{{0, i, d, x}}, x}},
            .sum = x,
            .finish = {{fmt::format("− the row's mean {}, ÷ {}", mean, deviation), normal},
                       {"× w = " + short_number(w), normal * w},
                       {"+ b = " + short_number(b), Y(i, d)}}};
}

// ---- RMS norm ----

/// Returns √(mean x² + ε).
Scalar root_mean_square(const Call& call, const Scalar* x) {
    const Index d = call.columns;
    const double squares = sum_in_lanes(d, [&](Index k) {
        const auto each = static_cast<double>(x[k]);
        return each * each;
    });
    return static_cast<Scalar>(std::sqrt(squares / static_cast<double>(d) + call.settings.epsilon));
}

void rms_norm_forward(const Call& call, View Y) {
    const Scalar* w = call[1].data();
    for (Index i = 0; i < call.rows; ++i) {
        const Scalar* x = row_data(call[0], i);
        const Scalar scale = 1 / root_mean_square(call, x);
        Scalar* y = Y.data() + i * call.columns;
        for (Index d = 0; d < call.columns; ++d) y[d] = x[d] * scale * w[d];
    }
}

void rms_norm_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // N = X / r, Y = N w:  ∂N = ∂Y w,  ∂X = (∂N − N · mean(∂N N)) / r,  ∂w += Σᵢ ∂Y N
    const Scalar* w = call[1].data();
    const auto width = static_cast<double>(call.columns);
    for (Index i = 0; i < call.rows; ++i) {
        const Scalar *x = row_data(call[0], i), *dy = row_data(gradient, i);
        const Scalar scale = 1 / root_mean_square(call, x);
        const auto normal = [&](Index d) { return x[d] * scale; };
        const auto along = static_cast<Scalar>(
            sum_in_lanes(call.columns, [&](Index d) { return dy[d] * w[d] * normal(d); }) / width);
        Scalar *dx = into[0].row(i).data(), *dw = into[1].data();
        for (Index d = 0; d < call.columns; ++d) {
            dx[d] += (dy[d] * w[d] - normal(d) * along) * scale;
            dw[d] += dy[d] * normal(d);
        }
    }
}

Explanation rms_norm_explain(const Call& call, ConstView Y, Index i, Index d) {
    const Scalar root = root_mean_square(call, row_data(call[0], i));
    const Scalar x = call[0](i, d), w = call[1](0, d);
    const std::string r = short_number(root);
    return {.rule = fmt::format("X(i,d) / r · w(d), of row i r = √(mean X(i,·)² + {}) = {}",
                                epsilon_text(call.settings.epsilon), r),
            .terms = {{{{0, i, d, x}}, x}},
            .sum = x,
            .finish = {{"÷ the row's root mean square " + r, x / root},
                       {"× w = " + short_number(w), Y(i, d)}}};
}

}  // namespace

const Operation layer_norm{
    .name = "layer norm",
    .words = {"Layer norm", "Each {row} with mean 0 and variance 1, then scaled and shifted."},
    .by_row = row_inputs(0),
    .forward = layer_norm_forward,
    .pull = layer_norm_pull,
    .explain = layer_norm_explain,
    .sets = row_inputs(0)};
const Operation rms_norm{
    "RMS norm",    {"RMS norm", "Each {row} over its root mean square, then scaled."},
    row_inputs(0), rms_norm_forward,
    rms_norm_pull, rms_norm_explain};

}  // namespace headlight::operations

namespace headlight::operations {
namespace {

// ---- activations ----

Explanation of_one_cell(const Call& call, ConstView Y, Index i, Index j, Finish finish) {
    const Scalar x = call[0](i, j);
    Explanation e{
        .rule = finish.what, .terms = {{{{0, i, j, x}}, x}}, .sum = x, .finish = {finish}};
    e.finish.back().value = Y(i, j);
    return e;
}

void relu_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    const Scalar *x = call[0].data(), *dy = gradient.data();
    if (set_or_add(call, 0) == Into::Set)
        pull_relu_row(x, dy, into[0].data(), gradient.size());
    else
        pull_leaky_relu_row(x, dy, into[0].data(), gradient.size(), 0);
}

Explanation relu_explain(const Call& call, ConstView Y, Index i, Index j) {
    return of_one_cell(call, Y, i, j, {"max(0, x)"});
}

/// A function of every cell, as row_functions.h has them.
using RowFunction = void (*)(const Scalar*, Scalar*, Index);

template <RowFunction function>
void each_cell_forward(const Call& call, View Y) {
    function(call[0].data(), Y.data(), Y.size());
}

template <RowFunction slope>
void each_cell_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    Matrix slopes(call.rows, call.columns);
    slope(call[0].data(), slopes.data(), slopes.size());
    add_gradient(call, into, 0, gradient.cwiseProduct(slopes));
}

Explanation gelu_explain(const Call& call, ConstView Y, Index i, Index j) {
    return of_one_cell(call, Y, i, j, {"x/2 · (1 + erf(x / √2))"});
}

Explanation gelu_tanh_explain(const Call& call, ConstView Y, Index i, Index j) {
    return of_one_cell(call, Y, i, j, {"x/2 · (1 + tanh(√(2/π) (x + 0.044715 x^3)))"});
}

Explanation silu_explain(const Call& call, ConstView Y, Index i, Index j) {
    return of_one_cell(call, Y, i, j, {"x / (1 + exp(−x))"});
}

void sigmoid_pull(const Call&, ConstView Y, ConstView gradient, std::span<Matrix> into) {
    // y = σ(x), dy/dx = y (1 − y)
    into[0].array() += gradient.array() * Y.array() * (1 - Y.array());
}

Explanation sigmoid_explain(const Call& call, ConstView Y, Index i, Index j) {
    return of_one_cell(call, Y, i, j, {"1 / (1 + exp(−x))"});
}

void tanh_pull(const Call&, ConstView Y, ConstView gradient, std::span<Matrix> into) {
    // y = tanh(x), dy/dx = 1 − y²
    into[0].array() += gradient.array() * (1 - Y.array().square());
}

Explanation tanh_explain(const Call& call, ConstView Y, Index i, Index j) {
    return of_one_cell(call, Y, i, j, {"tanh(x)"});
}

void soft_cap_forward(const Call& call, View Y) {
    const Scalar cap = call.settings.scale;
    Y = call[0] / cap;
    tanh_row(Y.data(), Y.data(), Y.size());
    Y *= cap;
}

void soft_cap_pull(const Call& call, ConstView Y, ConstView gradient, std::span<Matrix> into) {
    // y = c tanh(x / c), dy/dx = 1 − (y / c)²
    const Scalar cap = call.settings.scale;
    into[0].array() += gradient.array() * (1 - (Y.array() / cap).square());
}

Explanation soft_cap_explain(const Call& call, ConstView Y, Index i, Index j) {
    const std::string cap = short_number(call.settings.scale);
    return of_one_cell(call, Y, i, j, {fmt::format("{} · tanh(x / {})", cap, cap)});
}

// ---- rows ----

Explanation of_row(std::string rule, CellRef cell) {
    return {
        .rule = std::move(rule), .terms = {{{cell}, cell.value}}, .sum = cell.value, .finish = {}};
}

Index gathered(const Call& call, Index row) {
    return (*call.settings.indices)[static_cast<std::size_t>(row)];
}

void gather_rows_forward(const Call& call, View Y) {
    for (Index i = 0; i < call.rows; ++i) Y.row(i) = call[0].row(gathered(call, i));
}

void gather_rows_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    for (Index i = 0; i < call.rows; ++i) into[0].row(gathered(call, i)) += gradient.row(i);
}

Explanation gather_rows_explain(const Call& call, ConstView Y, Index i, Index d) {
    const Index from = gathered(call, i);
    return of_row(fmt::format("row {} of X", from), {0, from, d, Y(i, d)});
}

void append_rows_forward(const Call& call, View Y) {
    Index at = 0;
    for (const ConstView& part : call.in) {
        Y.middleRows(at, part.rows()) = part;
        at += part.rows();
    }
}

void append_rows_pull(const Call&, ConstView, ConstView gradient, std::span<Matrix> into) {
    Index at = 0;
    for (Matrix& part : into) {
        part += gradient.middleRows(at, part.rows());
        at += part.rows();
    }
}

Explanation append_rows_explain(const Call& call, ConstView Y, Index i, Index d) {
    std::size_t part = 0;
    Index row = i;
    while (row >= call[part].rows()) row -= call[part++].rows();
    return of_row(fmt::format("row {} of part {}", row, part), {part, row, d, Y(i, d)});
}

void row_slice_forward(const Call& call, View Y) {
    Y = call[0].block(call.settings.begin, 0, call.rows, call.columns);
}

void row_slice_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    into[0].block(call.settings.begin, 0, call.rows, call.columns) += gradient;
}

Explanation row_slice_explain(const Call& call, ConstView Y, Index i, Index d) {
    const Index from = call.settings.begin + i;
    return of_row(fmt::format("row {} of X", from), {0, from, d, Y(i, d)});
}

}  // namespace

const Operation relu{.name = "ReLU",
                     .words = {"Activation", "Negative numbers become 0."},
                     .by_row = row_inputs(0),
                     .forward = each_cell_forward<relu_row>,
                     .pull = relu_pull,
                     .explain = relu_explain,
                     .sets = kEveryInput};
const Operation gelu{
    .name = "GELU",
    .words = {"Activation", "Negative numbers are pressed towards 0; large ones pass."},
    .by_row = row_inputs(0),
    .forward = each_cell_forward<gelu_row>,
    .pull = each_cell_pull<gelu_slope_row>,
    .explain = gelu_explain,
    .sets = kEveryInput};
const Operation gelu_tanh{
    .name = "GELU (tanh)",
    .words = {"Activation", "Negative numbers are pressed towards 0; large ones pass."},
    .by_row = row_inputs(0),
    .forward = each_cell_forward<gelu_tanh_row>,
    .pull = each_cell_pull<gelu_tanh_slope_row>,
    .explain = gelu_tanh_explain,
    .sets = kEveryInput};
const Operation silu{
    .name = "SiLU",
    .words = {"Activation", "Negative numbers are pressed towards 0; large ones pass."},
    .by_row = row_inputs(0),
    .forward = each_cell_forward<silu_row>,
    .pull = each_cell_pull<silu_slope_row>,
    .explain = silu_explain,
    .sets = kEveryInput};
const Operation sigmoid{"sigmoid",     {"Sigmoid", "Every number is mapped to between 0 and 1."},
                        row_inputs(0), each_cell_forward<sigmoid_row>,
                        sigmoid_pull,  sigmoid_explain};
const Operation tanh{"tanh",        {"Tanh", "Every number is mapped to between −1 and 1."},
                     row_inputs(0), each_cell_forward<tanh_row>,
                     tanh_pull,     tanh_explain};
const Operation soft_cap{
    "soft cap",    {"Soft cap", "Large numbers are pressed below a bound; small ones stay."},
    row_inputs(0), soft_cap_forward,
    soft_cap_pull, soft_cap_explain};
const Operation gather_rows{.name = "gather rows",
                            .words = {"Chosen rows", "Some rows, in another order."},
                            .by_row = kWhole,
                            .forward = gather_rows_forward,
                            .pull = gather_rows_pull,
                            .explain = gather_rows_explain,
                            .overlap = overlap_of_gathered};
const Operation append_rows{
    "append rows",    {"Rows so far", "The cached rows, and the new one below them."},
    kWhole,           append_rows_forward,
    append_rows_pull, append_rows_explain};
const Operation row_slice{"slice of rows", {"Slice", "Some rows of a larger matrix."},
                          kWhole,          row_slice_forward,
                          row_slice_pull,  row_slice_explain};

std::span<const Operation* const> block_operations() {
    static const Operation* const table[] = {&layer_norm, &rms_norm,    &relu,        &gelu,
                                             &gelu_tanh,  &silu,        &sigmoid,     &tanh,
                                             &soft_cap,   &gather_rows, &append_rows, &row_slice};
    return table;
}

namespace {

Explanation of_cell(std::string rule, CellRef cell) {
    return {
        .rule = std::move(rule), .terms = {{{cell}, cell.value}}, .sum = cell.value, .finish = {}};
}

/// Returns the index nearest to a number: kNoRow for kNoRow, nothing if it is no index below
/// `count`.
std::optional<Index> named_index(Scalar number, Index count) {
    if (!(number > Scalar(-1.5) && number < static_cast<Scalar>(count) - Scalar(0.5)))
        return std::nullopt;
    return static_cast<Index>(std::floor(number + Scalar(0.5)));
}

constexpr Scalar kNaN = std::numeric_limits<Scalar>::quiet_NaN();

/// Returns the row of the table that row i of the call names; where sentences are stacked, that of
/// its own sentence.
std::optional<Index> named_row(const Call& call, Index i) {
    const Index group_rows = call.settings.group_rows;
    const std::optional<Index> row =
        named_index(call[0](i, 0), group_rows == 0 ? call[1].rows() : group_rows);
    if (!row || *row == kNoRow) return row;
    return (call.first_row + i) * group_rows + *row;
}

void look_up_rows_forward(const Call& call, View Y) {
    for (Index i = 0; i < call.rows; ++i) {
        const std::optional<Index> from = named_row(call, i);
        if (from && *from != kNoRow)
            Y.row(i) = call[1].row(*from);
        else
            Y.row(i).setConstant(from ? Scalar(0) : kNaN);
    }
}

void look_up_rows_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    for (Index i = 0; i < call.rows; ++i)
        if (const auto from = named_row(call, i); from && *from != kNoRow)
            into[1].row(*from) += gradient.row(i);
}

Explanation look_up_rows_explain(const Call& call, ConstView Y, Index i, Index d) {
    const std::optional<Index> from = named_row(call, i);
    if (from && *from != kNoRow)
        return of_cell(fmt::format("row {}", *from), {1, *from, d, Y(i, d)});
    Explanation e;
    e.rule = "W(t(i))";
    e.finish = {{from ? "padding has no row" : "the table has no such row", Y(i, d)}};
    return e;
}

std::optional<Index> picked_column(const Call& call, Index row, Index j) {
    return named_index(call[1]((call.first_row + row) * call.columns + j, 0), call[0].cols());
}

void pick_columns_forward(const Call& call, View S) {
    for (Index g = 0; g < call.rows; ++g)
        for (Index j = 0; j < call.columns; ++j) {
            const std::optional<Index> from = picked_column(call, g, j);
            S(g, j) = !from ? kNaN : *from == kNoRow ? kMasked : call[0](g, *from);
        }
}

void pick_columns_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    for (Index g = 0; g < call.rows; ++g)
        for (Index j = 0; j < call.columns; ++j)
            if (const auto from = picked_column(call, g, j); from && *from != kNoRow)
                into[0](g, *from) += gradient(g, j);
}

Explanation pick_columns_explain(const Call& call, ConstView S, Index g, Index j) {
    const std::optional<Index> from = picked_column(call, g, j);
    if (from && *from != kNoRow)
        return of_cell(fmt::format("column t(j) = {}", *from), {0, g, *from, S(g, j)});
    Explanation e;
    e.rule = "L(g, t(j))";
    e.finish = {{from ? "padding is no word" : "there is no such column", S(g, j)}};
    return e;
}

}  // namespace

const Operation look_up_rows{
    "look up rows",    {"Embeddings", "Each {item} takes its row of the table."},
    row_inputs(0),     look_up_rows_forward,
    look_up_rows_pull, look_up_rows_explain};
const Operation pick_rows{
    "pick rows",       {"Its row", "Only the row of the word that is asked about goes on."},
    row_inputs(0),     look_up_rows_forward,
    look_up_rows_pull, look_up_rows_explain};
const Operation pick_columns{
    "pick columns",    {"Its words", "Of the whole vocabulary, the words that the sentence has."},
    row_inputs(0),     pick_columns_forward,
    pick_columns_pull, pick_columns_explain};
std::span<const Operation* const> table_operations() {
    static const Operation* const table[] = {&look_up_rows, &pick_rows, &pick_columns};
    return table;
}

}  // namespace headlight::operations
