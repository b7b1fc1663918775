// Leaves: tensors that depend only on the study's settings.
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "core/error.h"
#include "core/evaluation/overlap.h"
#include "core/numeric/generator.h"
#include "core/operations/call_parts.h"
#include "core/operations/operations.h"

namespace headlight::operations {
namespace {

Explanation from_settings(std::string rule, std::string how, Scalar value) {
    return {.rule = std::move(rule), .terms = {}, .sum = 0, .finish = {{std::move(how), value}}};
}

void named_rows_forward(const Call& call, View X) {
    for (Index i = 0; i < call.rows; ++i) {
        const auto at = static_cast<std::size_t>(call.first_row + i);
        const std::string& name = (*call.settings.names)[at];
        const SeededNumbers numbers(call.settings.seed, name);
        for (Index f = 0; f < call.columns; ++f)
            X(i, f) = numbers.normal(0, f, call.settings.scale);
    }
}

Explanation named_rows_explain(const Call& call, ConstView X, Index i, Index f) {
    const std::string& name = (*call.settings.names)[static_cast<std::size_t>(i)];
    return from_settings(
        "X(i,f) ~ N(0, 1)",
        fmt::format("drawn for '{}', seed {}", name.substr(name.find(':') + 1), call.settings.seed),
        X(i, f));
}

void seeded_weight_forward(const Call& call, View W) {
    const SeededNumbers numbers(call.settings.seed, call.settings.key);
    for (Index i = 0; i < call.rows; ++i)
        for (Index j = 0; j < call.columns; ++j)
            W(i, j) = numbers.uniform(call.first_row + i, j, call.settings.scale);
}

Explanation seeded_weight_explain(const Call& call, ConstView W, Index i, Index j) {
    const bool is_table = call.settings.scale == unit_sum_limit(1);
    return from_settings(is_table ? "W(i,j) ~ U(−√3, √3)" : "W(i,j) ~ U(−√(3/rows), √(3/rows))",
                         fmt::format("drawn, seed {}", call.settings.seed), W(i, j));
}

double position_angle(Index i, Index f, Index d) {
    const auto pair = static_cast<double>(f / 2 * 2);
    return static_cast<double>(i) / std::pow(10000.0, pair / static_cast<double>(d));
}

void sinusoidal_forward(const Call& call, View P) {
    for (Index i = 0; i < call.rows; ++i)
        for (Index f = 0; f < call.columns; ++f) {
            const double angle = position_angle(row_position(call, i), f, call.columns);
            P(i, f) = static_cast<Scalar>(f % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
}

Explanation sinusoidal_explain(const Call& call, ConstView P, Index i, Index f) {
    const Index position = row_position(call, i);
    const auto angle = static_cast<Scalar>(position_angle(position, f, call.columns));
    Explanation e;
    e.rule = f % 2 == 0 ? "sin(i / 10000^{f/d})" : "cos(i / 10000^{(f−1)/d})";
    e.finish = {
        {fmt::format("position {} ÷ 10000^{{{}/{}}}", position, f / 2 * 2, call.columns), angle},
        {f % 2 == 0 ? "sin" : "cos", P(i, f)}};
    return e;
}

void zeros_forward(const Call&, View O) {
    O.setZero();
}

Explanation zeros_explain(const Call&, ConstView, Index, Index) {
    return from_settings("0", "begins as 0", 0);
}

void ones_forward(const Call&, View I) {
    I.setOnes();
}

Explanation ones_explain(const Call&, ConstView, Index, Index) {
    return from_settings("1", "begins as 1", 1);
}

void listed_forward(const Call& call, View X) {
    const Matrix& values = *call.settings.values;
    if (values.cols() != call.columns || values.rows() < call.first_row + call.rows)
        throw Error("listed", "the values are {}, not {}", shape_text(values.rows(), values.cols()),
                    shape_text(call.rows, call.columns));
    X = values.middleRows(call.first_row, call.rows);
}

Explanation listed_explain(const Call&, ConstView X, Index i, Index j) {
    return from_settings("X(i,j)", "given with the study", X(i, j));
}

Explanation starting_explain(const Call&, ConstView X, Index i, Index j) {
    return from_settings("X(i,j)", "begins as the settings say", X(i, j));
}

/// Returns the place of a row or column in the stored matrix; −1 if it is not there.
Index stored_place(const Call& call, Index index) {
    const auto& indices = call.settings.indices;
    return indices ? (*indices)[static_cast<std::size_t>(index)] : index;
}

void stored_rows_forward(const Call& call, View W) {
    const StoredMatrix& stored = *call.settings.stored;
    for (Index i = 0; i < call.rows; ++i) {
        const Index place = stored_place(call, call.first_row + i);
        if (place >= 0) {
            W.row(i) = stored.values->row(place);
            continue;
        }
        Call row = call;
        row.rows = 1;
        row.first_row = call.first_row + i;
        stored.otherwise->forward(row, View(W.data() + i * W.cols(), 1, W.cols()));
    }
}

void stored_columns_forward(const Call& call, View W) {
    const StoredMatrix& stored = *call.settings.stored;
    stored.otherwise->forward(call, W);
    for (Index j = 0; j < call.columns; ++j)
        if (const Index place = stored_place(call, j); place >= 0)
            W.col(j) = stored.values->col(place).segment(call.first_row, call.rows);
}

Explanation stored_explanation(const Call& call, ConstView W, Index i, Index j, Index place) {
    const StoredMatrix& stored = *call.settings.stored;
    if (place >= 0) return from_settings("W(i,j)", stored.origin, W(i, j));
    Explanation e = stored.otherwise->explain(call, W, i, j);
    if (!e.finish.empty()) e.finish.back().what += ", since it is not among what was imported";
    return e;
}

Explanation stored_rows_explain(const Call& call, ConstView W, Index i, Index j) {
    return stored_explanation(call, W, i, j, stored_place(call, i));
}

Explanation stored_columns_explain(const Call& call, ConstView W, Index i, Index j) {
    return stored_explanation(call, W, i, j, stored_place(call, j));
}

void recorded_forward(const Call& call, View X) {
    call.settings.source->read(call.settings.begin, call.first_row, X);
}

Explanation joined_explain(const Call& call, ConstView X, Index i, Index j) {
    return from_settings(call.settings.key + "(i,j)", "mean of the pieces' sums", X(i, j));
}

Explanation recorded_explain(const Call& call, ConstView X, Index i, Index j) {
    return from_settings(call.settings.key + "(i,j)", "as it was recorded", X(i, j));
}

Explanation fetched_explain(const Call& call, ConstView W, Index i, Index j) {
    return from_settings("W(i,j)", call.settings.stored->origin, W(i, j));
}

}  // namespace

const Operation named_rows{.name = "named rows",
                           .words = {"Embeddings", "Each {item} enters as a vector: its row."},
                           .by_row = kEveryInput,
                           .forward = named_rows_forward,
                           .pull = nullptr,
                           .explain = named_rows_explain,
                           .overlap = overlap_of_leaf};
const Operation seeded_weight{
    .name = "seeded weight",
    .words = {"Weights", "What training would change: the same for every input."},
    .by_row = kEveryInput,
    .forward = seeded_weight_forward,
    .pull = nullptr,
    .explain = seeded_weight_explain,
    .overlap = overlap_of_leaf};
const Operation sinusoidal_positions{
    .name = "sinusoidal positions",
    .words = {"Positions", "Sine and cosine waves of each position."},
    .by_row = kEveryInput,
    .forward = sinusoidal_forward,
    .pull = nullptr,
    .explain = sinusoidal_explain,
    .overlap = overlap_of_leaf};
const Operation zeros{"zeros",      {"Zeros", "0 everywhere."}, kEveryInput, zeros_forward, nullptr,
                      zeros_explain};
const Operation ones{"ones",      {"Ones", "1 everywhere."}, kEveryInput, ones_forward, nullptr,
                     ones_explain};
const Operation first_state{
    "first state", {"First state", "Before the first word there is nothing to remember: zeros."},
    kEveryInput,   zeros_forward,
    nullptr,       zeros_explain};
const Operation listed{.name = "listed",
                       .words = {"Given values", "Numbers that belong to the study."},
                       .by_row = kEveryInput,
                       .forward = listed_forward,
                       .pull = nullptr,
                       .explain = listed_explain,
                       .overlap = overlap_of_leaf};
const Operation starting_values{
    "starting values", {"Weights", "What training would change: the same for every input."},
    kEveryInput,       listed_forward,
    nullptr,           starting_explain};
const Operation stored_rows{
    .name = "stored rows",
    .words = {"Weights", "Weights that were learned elsewhere and imported."},
    .by_row = kEveryInput,
    .forward = stored_rows_forward,
    .pull = nullptr,
    .explain = stored_rows_explain,
    .overlap = overlap_of_leaf};
const Operation stored_columns{
    "stored columns", {"Weights", "Weights that were learned elsewhere and imported."},
    kEveryInput,      stored_columns_forward,
    nullptr,          stored_columns_explain};
const Operation recorded{"recorded", {}, kEveryInput, recorded_forward, nullptr, recorded_explain};
const Operation joined_pieces{"joined pieces",  {},      kEveryInput,
                              recorded_forward, nullptr, joined_explain};
const Operation fetched_weight{
    .name = "fetched weight",
    .words = {"Weights", "Weights that were learned elsewhere; they stay in their file."},
    .by_row = kWhole,
    .forward = recorded_forward,
    .pull = nullptr,
    .explain = fetched_explain,
    .overlap = overlap_of_leaf};

MatrixPtr constant_value(const Operation& operation, const OperationSettings& settings, Index rows,
                         Index columns) {
    MatrixPtr values;
    if (&operation == &listed || &operation == &starting_values) values = settings.values;
    if (&operation == &stored_rows && !settings.indices) values = settings.stored->values;
    const bool fits = values && values->rows() == rows && values->cols() == columns;
    return fits ? values : nullptr;
}

std::span<const Operation* const> leaf_operations() {
    static const Operation* const table[] = {
        &named_rows,  &seeded_weight, &sinusoidal_positions, &zeros,       &ones,
        &first_state, &listed,        &starting_values,      &stored_rows, &stored_columns,
        &recorded,    &joined_pieces, &fetched_weight};
    return table;
}

}  // namespace headlight::operations
