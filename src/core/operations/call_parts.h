// Parts of a call: the rows of each of the stacked sentences, and the gradients of inputs.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "core/numeric/product.h"
#include "core/numeric/read_digits.h"
#include "core/numeric/short_number.h"
#include "core/operation.h"

namespace headlight {

/// Rows of a call's result that are of one sentence.
struct RowGroup {
    Index begin = 0, count = 0;  // within the call
    Index group = 0;             // the sentence: its keys are rows group · n_key … of K and V
};

/// Calls `act` with each sentence's rows, first to last; with all rows where none are stacked.
template <typename Act>
void for_each_group(const Call& call, Act act) {
    const Index group_rows = call.settings.group_rows;
    if (group_rows == 0) return act(RowGroup{0, call.rows, 0});
    for (Index i = 0; i < call.rows;) {
        const Index group = (call.first_row + i) / group_rows;
        const Index end = std::min(call.rows, (group + 1) * group_rows - call.first_row);
        act(RowGroup{i, end - i, group});
        i = end;
    }
}

/// Returns the sentence that row `row` of the call belongs to, and its place in it.
inline Index row_group(const Call& call, Index row) {
    const Index group_rows = call.settings.group_rows;
    return group_rows == 0 ? 0 : (call.first_row + row) / group_rows;
}
inline Index row_position(const Call& call, Index row) {
    const Index group_rows = call.settings.group_rows;
    return group_rows == 0 ? call.first_row + row : (call.first_row + row) % group_rows;
}

}  // namespace headlight

namespace headlight::operations {

/// The gradient of an input is a sum over its readers: the first part is set, not added.
inline Into set_or_add(const Call& call, std::size_t input) {
    return has_input(call.unset, input) ? Into::Set : Into::Add;
}

/// Adds `part`, an expression without products, for all cells of the input.
void add_gradient(const Call& call, std::span<Matrix> into, std::size_t input, const auto& part) {
    if (set_or_add(call, input) == Into::Set)
        into[input] = part;
    else
        into[input] += part;
}

/// True if a reader can take the number as it is written: three digits give it exactly.
inline bool is_round(double x) {
    char text[32];
    const auto [end, failure] =
        std::to_chars(text, text + sizeof text, x, std::chars_format::general, 3);
    double read = 0;
    read_digits(text, end, read);
    return failure == std::errc() && std::abs(read - x) <= 1e-5 * std::abs(x);
}

/// Writes the divisor of a sum, 1 / scale: "√8", "8", "(√8 · 0.7)", "1.98". d: numbers of a vector,
/// 0 where their root has no part in it.
inline std::string divisor_text(Scalar scale, Index d) {
    const double divisor = 1 / static_cast<double>(scale), root = std::sqrt(static_cast<double>(d));
    const std::string root_text = fmt::format("√{}", d);
    if (d > 0 && std::abs(divisor / root - 1) < 1e-5) return root_text;
    if (!is_round(divisor) && d > 0 && is_round(divisor / root))
        return fmt::format("({} · {})", root_text,
                           short_number(static_cast<Scalar>(divisor / root)));
    return short_number(static_cast<Scalar>(divisor));
}

/// Adds "÷ √d", or another divisor, which leads to `value`; nothing where scale = 1.
inline void finish_scaled(Explanation& explanation, Scalar scale, Index d, Scalar value) {
    if (scale == 1) return;
    const std::string divisor = divisor_text(scale, d);
    explanation.rule += divisor.starts_with("√") ? " / √d" : " / " + divisor;
    explanation.finish.push_back({"÷ " + divisor, value});
}

}  // namespace headlight::operations
