#include "expression/token_functions.h"

#include <functional>

#include "text/printable.h"
#include "text/token_kinds.h"
#include "text/words.h"

namespace headlight {
namespace {

using Place = Eigen::Index;

/// Whether row i reads a column j of that kind.
using IsOfKind = std::function<bool(Place i, Place j)>;

const Value& pattern_at(const FunctionCall& call) {
    const Value& pattern = call.arguments[0];
    check_numbers(pattern, call.place);
    if (pattern.shape != Value::Shape::Matrix)
        call.place.fail("this needs a matrix, such as pattern; it was given " + kind_text(pattern));
    if (std::ssize(pattern.row_names) != pattern.numbers.rows() ||
        std::ssize(pattern.column_names) != pattern.numbers.cols())
        call.place.fail("this needs a matrix whose rows and columns have names");
    return pattern;
}

Value weights_on(const FunctionCall& call, const std::string& what, const IsOfKind& is_of_kind) {
    const Value& pattern = pattern_at(call);
    Value result;
    result.shape = Value::Shape::Row;
    std::vector<double> sums;
    for (Place i = 0; i < pattern.numbers.rows(); ++i) {
        double sum = 0;
        bool has_any = false;
        for (Place j = 0; j < pattern.numbers.cols(); ++j) {
            if (!is_of_kind(i, j)) continue;
            has_any = true;
            sum += pattern.numbers(i, j);
        }
        if (!has_any) continue;
        sums.push_back(sum);
        result.column_names.push_back(pattern.row_names[static_cast<std::size_t>(i)]);
    }
    if (sums.empty()) call.place.fail("there is no " + what);
    result.numbers = Eigen::Map<const NumberMatrix>(sums.data(), 1, std::ssize(sums));
    return result;
}

const std::string& column_name(const FunctionCall& call, Place j) {
    return call.arguments[0].column_names[static_cast<std::size_t>(j)];
}

}  // namespace

Value weight_on_token(const FunctionCall& call) {
    const Value& name = call.arguments[1];
    if (!name.is_text()) call.place.fail("a token is named by a text, such as \"cat\"");
    return weights_on(call, "token " + in_quotes(name.text),
                      [&](Place, Place j) { return column_name(call, j) == name.text; });
}

Value weight_on_special(const FunctionCall& call) {
    return weights_on(call, "special token",
                      [&](Place, Place j) { return is_special_token(column_name(call, j)); });
}

Value weight_on_punctuation(const FunctionCall& call) {
    return weights_on(call, "punctuation",
                      [&](Place, Place j) { return is_punctuation_token(column_name(call, j)); });
}

Value weight_on_same_word(const FunctionCall& call) {
    return weights_on(call, "word that occurs twice", [&](Place i, Place j) {
        const auto row = static_cast<std::size_t>(i);
        return i != j && column_name(call, j) == call.arguments[0].row_names[row];
    });
}

Value weight_on_first(const FunctionCall& call) {
    return weights_on(call, "row behind the first",
                      [](Place i, Place j) { return i > 0 && j == 0; });
}

Value weight_on_previous(const FunctionCall& call) {
    return weights_on(call, "row behind the first", [](Place i, Place j) { return j + 1 == i; });
}

}  // namespace headlight
