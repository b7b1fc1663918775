// Expressions: statements about a trace in the text, claims and goals of a lecture, and in own
// metrics of heads.
//
//     pattern[it, cat] > 0.5 and argmax(pattern[it]) = cat
//
// Goals: names that people use: short paths, words as indices. An error names the place, the column
// and what would have been understood; no text from a stranger does harm. Not goals: where
// expressions stand (present/page/page_text.h, head_measure.h), assignments, loops.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/components.h"
#include "core/error.h"
#include "model/document.h"

namespace headlight {

// Value: the result of an expression: a number, a row, a matrix, a condition or a text.
//
// Goals: rows and columns keep the names of their words; arithmetic is in double.
// Not goals: expressions (expression.h).

using NumberMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Names = std::vector<std::string>;

struct Value {
    enum class Shape { Single, Row, Matrix };
    enum class Of { Numbers, Truths, Text };

    Shape shape = Shape::Single;
    Of of = Of::Numbers;
    NumberMatrix numbers = NumberMatrix::Zero(1, 1);  // a row is 1 × n; truths are 0 and 1
    Names row_names = {}, column_names = {};          // a row has column names; empty: none
    std::string text = {};                            // a text is always Single
    int occurrence = 0;  // of a name in its row, from 1: "it" is its second "it"; 0: of no row

    bool is_text() const { return of == Of::Text; }
    bool is_number() const { return shape == Shape::Single && of == Of::Numbers; }
    bool is_truth() const { return shape == Shape::Single && of == Of::Truths; }
    double number() const { return numbers(0, 0); }
};

Value number_value(double number);
Value truth_value(bool truth);
Value text_value(std::string text, int occurrence = 0);
/// Returns the k-th name of a row; its number where it has no names.
Value name_in_row(const Value& row, Eigen::Index k);

/// Returns the matrix with its rows as columns, with their names.
Value transposed(Value matrix);

/// "a number", "a row of 11 numbers", "a matrix of 11 × 11 conditions", "a text"
std::string kind_text(const Value& value);

/// True if they are equal apart from the rounding of single precision: within 10⁻⁶ of the larger
/// magnitude. −∞ is equal to −∞.
bool are_equal(double a, double b);
/// True if the two differ by at most `tolerance`, apart from the rounding of single precision.
bool are_within(double a, double b, double tolerance);
/// True if they are the same word; "it#2" is also the second "it" of a row.
bool are_same_name(const Value& a, const Value& b);

/// Returns the value in words and digits. `format` is "" (about three digits, as everywhere in the
/// program), the number of decimals ("3"), "%" or "1%" (per cent, with that many decimals). A long
/// row ends with "…". Throws Error naming `where` if there is no such format.
std::string value_text(const Value& value, std::string_view format, const ErrorPlace& where);
/// Throws the same error if there is no such format.
void check_format(std::string_view format, const ErrorPlace& where);

struct ExpressionNode;

/// An expression that was read; cheap to copy.
struct Expression {
    std::string text;
    ErrorPlace where;  // "a.lecture" and its line, for errors
    std::shared_ptr<const ExpressionNode> root;
};

/// The context in which short names are looked up: "pattern" is that of the head, or else of the
/// component that the shown tensor is in, or else of its layer, or else the only one of the plan.
/// Names take precedence over symbols.
struct NameScope {
    const Plan& plan;
    const Components& components;
    std::string shown = {};  // path of the chosen tensor; "": none
    int head = -1;           // of a shown tensor that is in no head
};

struct ExpressionSide {
    const Trace& trace;  // of one sentence
    const Components& components;
    std::string shown = {};
    int head = -1;
    const Document* document = nullptr;  // for `settings.`; null: there are none

    NameScope names() const { return {trace.plan(), components, shown, head}; }
};

struct ExpressionScope {
    ExpressionSide a;                        // of plain names
    const ExpressionSide* b = nullptr;       // of names that begin with "b.": the compared study
    const ExpressionSide* before = nullptr;  // "before.": the page before
};

/// Throws Error, with the column, if the text is no expression, is longer than kMostCharacters or
/// nested deeper than kMostNesting.
Expression read_expression(std::string_view text, const ErrorPlace& where);
inline constexpr std::size_t kMostCharacters = 2000;
inline constexpr int kMostNesting = 50;

/// Throws Error, with the column: unknown and ambiguous names, shapes that do not fit, a result
/// that is not a number (NaN). Tensors that the trace has not kept are computed again.
Value evaluate(const Expression& expression, const ExpressionScope& scope);

/// Does read_expression and evaluate in one.
Value evaluate_expression(std::string_view text, const ExpressionScope& scope,
                          const ErrorPlace& where);

/// Returns the truth of a claim or a goal. Throws Error if the value is no single condition.
bool holds(const Expression& condition, const ExpressionScope& scope);

/// Returns the condition with the values that it compares, to say why it does not hold: "0.032 >
/// 0.5 and tired = cat". Throws Error as evaluate does.
std::string with_values(const Expression& condition, const ExpressionScope& scope);

/// Throws Error, with the column, if a name is that of no tensor of the plan, whatever the text, or
/// is one of another side. A name that may be a word, beside = or as an index, is not checked.
void check_names(const Expression& expression, const NameScope& names);

/// Returns the tensors that the expression reads on one side, to be watched; what it cannot find is
/// left out. Throws nothing.
enum class ScopeSide { A, B, Before };
std::vector<std::string> needed_paths(const Expression& expression, const NameScope& names,
                                      ScopeSide side = ScopeSide::A);

/// Returns all functions, for the documentation.
struct FunctionWords {
    const char *name, *arguments;  // "rank", "row, name"
    const char* what;              // one sentence
};
std::vector<FunctionWords> expression_functions();

}  // namespace headlight
