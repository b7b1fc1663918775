// The table of functions, and the code of each.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "expression/expression_node.h"
#include "text/shown_tokens.h"
#include "text/strings.h"
#include "text/words.h"

namespace headlight {
namespace {

using Place = Eigen::Index;

/// True if row i reads a column j of that kind.
using IsOfKind = std::function<bool(Place i, Place j)>;

const Value& pattern_at(const FunctionCall& call) {
    const Value& pattern = call.arguments[0];
    check_numbers(pattern, call.place);
    if (pattern.shape != Value::Shape::Matrix)
        call.place.fail("this needs a matrix, such as pattern; it was given {}",
                        kind_text(pattern));
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
    if (sums.empty()) call.place.fail("there is no {}", what);
    result.numbers = Eigen::Map<const NumberMatrix>(sums.data(), 1, std::ssize(sums));
    return result;
}

const std::string& column_name(const FunctionCall& call, Place j) {
    return call.arguments[0].column_names[static_cast<std::size_t>(j)];
}

/// Σ_j M(i,j) over the columns j of that kind, for each row i that has any, as a row with the names
/// of these rows. Each throws Error if M is no matrix with names, or no row has such a column.
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
    return weights_on(call, "row after the first",
                      [](Place i, Place j) { return i > 0 && j == 0; });
}

Value weight_on_previous(const FunctionCall& call) {
    return weights_on(call, "row after the first", [](Place i, Place j) { return j + 1 == i; });
}

using Shape = Value::Shape;

const Value& numbers_at(const FunctionCall& call, std::size_t k) {
    check_numbers(call.arguments[k], call.place);
    return call.arguments[k];
}

/// There is no largest number among none.
void check_has_numbers(const Value& value, const ExpressionPlace& place) {
    if (value.numbers.size() == 0) place.fail("{} is empty", kind_text(value));
}

const Value& row_at(const FunctionCall& call, std::size_t k) {
    const Value& row = numbers_at(call, k);
    const bool is_row = row.shape != Shape::Single && row.numbers.rows() == 1;
    if (!is_row)
        call.place.fail("this needs a row, such as pattern[it]; it was given {}", kind_text(row));
    check_has_numbers(row, call.place);
    return row;
}

/// Returns an argument that is a row, or a matrix whose rows are used.
const Value& rows_at(const FunctionCall& call, std::size_t k) {
    const Value& rows = numbers_at(call, k);
    if (rows.shape == Shape::Single)
        call.place.fail("this needs a row or a matrix; it was given {}", kind_text(rows));
    return rows;
}

const Value& matrix_at(const FunctionCall& call, std::size_t k) {
    const Value& matrix = numbers_at(call, k);
    if (matrix.shape != Shape::Matrix)
        call.place.fail("this needs a matrix; it was given {}", kind_text(matrix));
    return matrix;
}

/// Returns all numbers of all arguments.
std::vector<double> all_numbers(const FunctionCall& call) {
    std::vector<double> all;
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
        const NumberMatrix& numbers = numbers_at(call, k).numbers;
        all.insert(all.end(), numbers.data(), numbers.data() + numbers.size());
    }
    if (all.empty()) call.place.fail("there are no numbers");
    return all;
}

Value of_each(const FunctionCall& call, double (*f)(double)) {
    Value value = numbers_at(call, 0);
    value.numbers = value.numbers.unaryExpr(f).eval();
    return value;
}

double sum_of(const std::vector<double>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

double variance_of(const std::vector<double>& numbers) {
    const double n = static_cast<double>(numbers.size()), mean = sum_of(numbers) / n;
    double squares = 0;
    for (const double x : numbers) squares += (x - mean) * (x - mean);
    return squares / n;
}

Value largest(const FunctionCall& call) {
    return number_value(std::ranges::max(all_numbers(call)));
}
Value smallest(const FunctionCall& call) {
    return number_value(std::ranges::min(all_numbers(call)));
}
Value sum(const FunctionCall& call) {
    return number_value(sum_of(all_numbers(call)));
}
Value mean(const FunctionCall& call) {
    const std::vector<double> all = all_numbers(call);
    return number_value(sum_of(all) / static_cast<double>(all.size()));
}
Value variance(const FunctionCall& call) {
    return number_value(variance_of(all_numbers(call)));
}
Value deviation(const FunctionCall& call) {
    return number_value(std::sqrt(variance_of(all_numbers(call))));
}
Value norm(const FunctionCall& call) {
    return number_value(numbers_at(call, 0).numbers.norm());
}

Value magnitude(const FunctionCall& call) {
    return of_each(call, [](double x) { return std::abs(x); });
}
Value square_root(const FunctionCall& call) {
    return of_each(call, [](double x) { return std::sqrt(x); });
}
Value exponential(const FunctionCall& call) {
    return of_each(call, [](double x) { return std::exp(x); });
}
Value logarithm(const FunctionCall& call) {
    return of_each(call, [](double x) { return std::log(x); });
}

/// A(i,j) = exp(S(i,j) − mᵢ) / Σⱼ' exp(S(i,j') − mᵢ); a row of −∞ only becomes 0.
Value softmax(const FunctionCall& call) {
    Value value = rows_at(call, 0);
    check_has_numbers(value, call.place);
    for (Eigen::Index i = 0; i < value.numbers.rows(); ++i) {
        auto row = value.numbers.row(i).array();
        const double most = row.maxCoeff();
        if (most == -std::numeric_limits<double>::infinity()) {
            row.setZero();
        } else {
            row = (row - most).exp().eval();
            row /= row.sum();
        }
    }
    return value;
}

void check_alike(const FunctionCall& call) {
    const Value &a = rows_at(call, 0), &b = rows_at(call, 1);
    if (a.numbers.rows() != b.numbers.rows() || a.numbers.cols() != b.numbers.cols())
        call.place.fail("the two have different sizes: {} and {}", kind_text(a), kind_text(b));
}

double dot_of(const FunctionCall& call) {
    check_alike(call);
    return call.arguments[0].numbers.cwiseProduct(call.arguments[1].numbers).sum();
}
Value dot(const FunctionCall& call) {
    return number_value(dot_of(call));
}
Value cosine(const FunctionCall& call) {
    const double length = numbers_at(call, 0).numbers.norm() * numbers_at(call, 1).numbers.norm();
    if (length == 0) call.place.fail("a row of zeros only has no direction");
    return number_value(dot_of(call) / length);
}

/// Computes −Σ p log₂ p, where 0 log 0 = 0.
double entropy_of_row(const NumberMatrix& numbers, Eigen::Index i, const ExpressionPlace& place) {
    constexpr double kSlack = 1e-3;
    const double total = numbers.row(i).sum();
    const bool is_distribution = std::abs(total - 1) < kSlack || total == 0;
    if (!is_distribution || numbers.row(i).minCoeff() < 0)
        place.fail("entropy needs weights that are not negative and sum to 1, as softmax gives");
    double bits = 0;
    for (const double p : numbers.row(i))
        if (p > 0) bits -= p * std::log2(p);
    return bits;
}
Value entropy(const FunctionCall& call) {
    const Value& rows = rows_at(call, 0);
    check_has_numbers(rows, call.place);
    Value value;
    if (rows.shape == Shape::Row) return number_value(entropy_of_row(rows.numbers, 0, call.place));
    value.shape = Shape::Row;
    value.column_names = rows.row_names;
    value.numbers.resize(1, rows.numbers.rows());
    for (Eigen::Index i = 0; i < rows.numbers.rows(); ++i)
        value.numbers(0, i) = entropy_of_row(rows.numbers, i, call.place);
    return value;
}

Value name_of_largest(const FunctionCall& call) {
    const Value& row = row_at(call, 0);
    const double* first = row.numbers.data();
    return name_in_row(row, std::max_element(first, first + row.numbers.size()) - first);
}
Value name_of_smallest(const FunctionCall& call) {
    const Value& row = row_at(call, 0);
    const double* first = row.numbers.data();
    return name_in_row(row, std::min_element(first, first + row.numbers.size()) - first);
}

Value rank(const FunctionCall& call) {
    const Value &row = row_at(call, 0), &name = call.arguments[1];
    const std::string text = name.is_text() ? name.text : value_text(name, "0", call.place.where);
    const double own = row.numbers(0, place_in_row(row, text, NumberIs::Name, call.place));
    return number_value(1 + static_cast<double>((row.numbers.array() > own).count()));
}

Value n_rows(const FunctionCall& call) {
    return number_value(static_cast<double>(matrix_at(call, 0).numbers.rows()));
}
Value n_columns(const FunctionCall& call) {
    return number_value(static_cast<double>(rows_at(call, 0).numbers.cols()));
}

Value transpose(const FunctionCall& call) {
    return transposed(matrix_at(call, 0));
}
Value diagonal(const FunctionCall& call) {
    const Value& matrix = matrix_at(call, 0);
    Value value;
    value.shape = Shape::Row;
    value.numbers = matrix.numbers.diagonal().transpose();
    value.column_names = matrix.row_names;
    value.column_names.resize(
        std::min(value.column_names.size(), static_cast<std::size_t>(value.numbers.cols())));
    return value;
}

/// Computes maxᵢⱼ |M(i,j) − M(j,i)|; two that are −∞ differ by 0.
Value asymmetry(const FunctionCall& call) {
    const NumberMatrix& M = matrix_at(call, 0).numbers;
    if (M.rows() != M.cols()) call.place.fail("only a square matrix can be symmetric");
    double most = 0;
    for (Eigen::Index i = 0; i < M.rows(); ++i)
        for (Eigen::Index j = 0; j < i; ++j)
            if (M(i, j) != M(j, i)) most = std::max(most, std::abs(M(i, j) - M(j, i)));
    return number_value(most);
}

const Value& truths_at(const FunctionCall& call) {
    check_truths(call.arguments[0], call.place);
    return call.arguments[0];
}
Value all(const FunctionCall& call) {
    return truth_value((truths_at(call).numbers.array() != 0).all());
}
Value any(const FunctionCall& call) {
    return truth_value((truths_at(call).numbers.array() != 0).any());
}
Value count(const FunctionCall& call) {
    return number_value(truths_at(call).numbers.sum());
}

Value near(const FunctionCall& call) {
    const Value& tolerance = numbers_at(call, 2);
    if (!tolerance.is_number() || tolerance.number() < 0)
        call.place.fail("the tolerance of near is a number that is not negative");
    for (const Value& value : call.arguments.first(2)) {
        if (value.is_text()) call.place.fail("near compares numbers");
        check_numbers(value, call.place);
    }
    const double most = tolerance.number();
    return truth_value(each_pair_holds(
        call.arguments[0], call.arguments[1], call.place,
        [&](double x, double y) { return are_equal(x, y) || are_within(x, y, most); }));
}

constexpr int kMany = 20;

const ExpressionFunction kFunctions[] = {
    {{"max", "x, …", "The largest number of rows, matrices and numbers"}, 1, kMany, -1, &largest},
    {{"min", "x, …", "The smallest number"}, 1, kMany, -1, &smallest},
    {{"sum", "x, …", "The sum of all numbers"}, 1, kMany, -1, &sum},
    {{"mean", "x, …", "The mean of all numbers"}, 1, kMany, -1, &mean},
    {{"variance", "x, …", "The mean square of the distance from the mean"},
     1,
     kMany,
     -1,
     &variance},
    {{"deviation", "x, …", "The square root of the variance"}, 1, kMany, -1, &deviation},
    {{"norm", "x", "The square root of the sum of the squares"}, 1, 1, -1, &norm},
    {{"abs", "x", "Each number without its sign"}, 1, 1, -1, &magnitude},
    {{"sqrt", "x", "The square root of each number"}, 1, 1, -1, &square_root},
    {{"exp", "x", "e to the power of each number"}, 1, 1, -1, &exponential},
    {{"log", "x", "The natural logarithm of each number"}, 1, 1, -1, &logarithm},
    {{"softmax", "row", "The weights of a row, or of each row of a matrix"}, 1, 1, -1, &softmax},
    {{"entropy", "row", "How spread the weights of a row are, in bits; of a matrix, of each row"},
     1,
     1,
     -1,
     &entropy},
    {{"dot", "x, y", "The dot product of two rows"}, 2, 2, -1, &dot},
    {{"cosine", "x, y", "The cosine of the angle between two rows"}, 2, 2, -1, &cosine},
    {{"argmax", "row", "The name of the largest number, the first of equal ones"},
     1,
     1,
     -1,
     &name_of_largest},
    {{"argmin", "row", "The name of the smallest number, the first of equal ones"},
     1,
     1,
     -1,
     &name_of_smallest},
    {{"rank", "row, name", "The place of a name when the row is sorted; 1: the largest"},
     2,
     2,
     1,
     &rank},
    {{"rows", "M", "How many rows a matrix has"}, 1, 1, -1, &n_rows},
    {{"columns", "M", "How many columns a matrix, or numbers a row, has"}, 1, 1, -1, &n_columns},
    {{"transpose", "M", "Rows as columns"}, 1, 1, -1, &transpose},
    {{"diagonal", "M", "The numbers on the diagonal, as a row"}, 1, 1, -1, &diagonal},
    {{"asymmetry", "M", "The largest difference between M[i, j] and M[j, i]"},
     1,
     1,
     -1,
     &asymmetry},
    {{"all", "condition", "True if it is true everywhere"}, 1, 1, -1, &all},
    {{"any", "condition", "True if it is true somewhere"}, 1, 1, -1, &any},
    {{"count", "condition", "In how many places it is true"}, 1, 1, -1, &count},
    {{"on_token", "pattern, name", "What each row gives the columns of that name"},
     2,
     2,
     1,
     &weight_on_token},
    {{"on_special", "pattern", "What each row gives special tokens, such as [SEP] or <s>"},
     1,
     1,
     -1,
     &weight_on_special},
    {{"on_punctuation", "pattern", "What each row gives punctuation"},
     1,
     1,
     -1,
     &weight_on_punctuation},
    {{"on_same_word", "pattern", "What each row gives other occurrences of its own word"},
     1,
     1,
     -1,
     &weight_on_same_word},
    {{"on_first", "pattern", "What each row but the first gives the first column"},
     1,
     1,
     -1,
     &weight_on_first},
    {{"on_previous", "pattern", "What each row but the first gives the column before its own"},
     1,
     1,
     -1,
     &weight_on_previous},
    {{"near", "x, y, tolerance", "True if no two numbers differ by more"}, 3, 3, -1, &near},
};

}  // namespace

const ExpressionFunction& function_named(std::string_view name, const ExpressionPlace& place) {
    std::vector<std::string_view> known;
    for (const ExpressionFunction& function : kFunctions) {
        if (name == function.words.name) return function;
        known.emplace_back(function.words.name);
    }
    place.fail("there is no function {}{}", in_quotes(name), suggestion(name, known));
}

std::vector<FunctionWords> expression_functions() {
    std::vector<FunctionWords> words;
    for (const ExpressionFunction& function : kFunctions) words.push_back(function.words);
    return words;
}

}  // namespace headlight
