// headlight explain: the origin of the number in a cell.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/explain.h"
#include "core/numeric/softmax.h"
#include "core/plan.h"
#include "expression/item_names.h"
#include "figure/number_format.h"
#include "figure/words/arithmetic.h"
#include "figure/words/formula.h"
#include "io/text/json_text.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace headlight {
namespace {

/// Returns `items` as a list, one a line.
template <typename Items, typename Write>
std::string list(const Items& items, const std::string& indent, Write write) {
    std::string text;
    for (const auto& item : items)
        text += fmt::format("{}{}  {}", text.empty() ? "\n" : ",\n", indent, write(item));
    return text.empty() ? "[]" : fmt::format("[{}\n{}]", text, indent);
}

std::string place(const Trace& trace, TensorId id, Index row, Index column) {
    const Tensor& tensor = trace[id];
    return fmt::format(
        R"("path": {}, "row": {}, "column": {}, "row_label": {}, "column_label": {})",
        json_string(tensor.path()), row, column, json_string(axis_label(trace, tensor.rows(), row)),
        json_string(axis_label(trace, columns_of_row(trace, tensor, row), column)));
}

std::string term_json(const Trace& trace, const Tensor& tensor, const Term& term) {
    std::string cells;
    for (const CellRef& cell : term.cells)
        cells += fmt::format("{}{}, \"value\": {}}}", cells.empty() ? "{" : ", {",
                             place(trace, tensor.inputs()[cell.input], cell.row, cell.column),
                             json_number(cell.value));
    return "{\"value\": " + json_number(term.value) + ", \"cells\": [" + cells + "]}";
}

std::string finish_json(const Finish& finish) {
    return "{\"what\": " + json_string(finish.what) + ", \"value\": " + json_number(finish.value) +
           "}";
}

std::string step_json(const Trace& trace, const ArithmeticStep& step) {
    const Tensor& tensor = trace[step.tensor];
    const Explanation& e = step.explanation;
    const auto term = [&](const Term& t) { return term_json(trace, tensor, t); };
    return fmt::format(
        "{{{},\n"
        "     \"symbol\": {}, \"equation\": {}, \"rule\": {},\n"
        "     \"terms\": {},\n"
        "     \"sum\": {},\n"
        "     \"finish\": {},\n"
        "     \"value\": {}}}",
        place(trace, step.tensor, step.row, step.column), json_string(tensor.symbol()),
        json_string(tensor.equation()), json_string(e.rule), list(e.terms, "     ", term),
        json_number(e.sum), list(e.finish, "     ", finish_json), json_number(e.result()));
}

/// Writes {"path", "row", "column", "row_label", "column_label", "value", "steps": […]}; numbers
/// have the fewest digits that give the same number back, "-inf" is a text. Terms are in the order
/// of computation.
std::string write_explanation_json(const Trace& trace, const std::vector<ArithmeticStep>& steps) {
    const ArithmeticStep& cell = steps.back();
    const auto step = [&](const ArithmeticStep& s) { return step_json(trace, s); };
    return fmt::format("{{{},\n  \"value\": {},\n  \"steps\": {}}}\n",
                       place(trace, cell.tensor, cell.row, cell.column),
                       json_number(cell.explanation.result()), list(steps, "  ", step));
}

constexpr std::size_t kTermsInFormula = 6;
constexpr int kDigits = 4;
constexpr const char* kIndent = "    ";

/// The cells of one line of a table; columns are padded to the same width.
using Row = std::vector<std::string>;

std::string table(const std::vector<Row>& rows, std::size_t n_number_columns) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t c = 0; c < row.size(); ++c)
            widths[c] = std::max(widths[c], count_code_points(row[c]));
    }
    std::string text;
    for (const Row& row : rows) {
        text += kIndent;
        for (std::size_t c = 0; c + 1 < row.size(); ++c) {
            const std::string blanks(widths[c] - count_code_points(row[c]), ' ');
            text += (c < n_number_columns ? blanks + row[c] : row[c] + blanks) + "  ";
        }
        text += row.back() + "\n";
    }
    return text;
}

std::string place_text(const Trace& trace, TensorId id, Index row, Index column) {
    return fmt::format("{}[{}, {}]", trace[id].path(), row, column);
}

Row term_row(const Trace& trace, const Tensor& tensor, const Term& term) {
    Row row{format_value(term.value, kDigits)};
    const auto value = [](const CellRef& cell) { return format_value(cell.value, kDigits); };
    if (term.cells.size() > 1)
        row.push_back("= " +
                      (term.of_sum ? term_text(term, kDigits) : joined(term.cells, " · ", value)));
    for (const CellRef& cell : term.cells)
        row.push_back(shown_cell_name(trace, tensor.inputs()[cell.input], cell.row, cell.column));
    for (const CellRef& cell : term.cells)
        row.push_back(place_text(trace, tensor.inputs()[cell.input], cell.row, cell.column));
    return row;
}

std::string terms_text(const Trace& trace, const ArithmeticStep& step) {
    const Tensor& tensor = trace[step.tensor];
    std::vector<const Term*> terms;
    for (const Term& term : step.explanation.terms) terms.push_back(&term);
    // NaN comes first: it makes the sum NaN.
    const auto size = [](const Term* term) {
        return std::isnan(term->value) ? std::numeric_limits<Scalar>::infinity()
                                       : std::abs(term->value);
    };
    std::ranges::stable_sort(terms,
                             [&](const Term* a, const Term* b) { return size(a) > size(b); });
    std::vector<Row> rows;
    for (const Term* term : terms) rows.push_back(term_row(trace, tensor, *term));
    return table(rows, 1);
}

/// Says why a computed number does not reach the cell: it is pinned, or its head is ablated to
/// zero.
std::string without_effect(const Tensor& tensor, const ArithmeticStep& step) {
    const bool is_pinned =
        tensor.intervention.is_on && tensor.intervention.find(step.row, step.column);
    if (is_pinned) return ", without effect: the cell is pinned";
    const bool is_ablated = tensor.intervention.ablation == Ablation::Zero;
    return is_ablated ? ", without effect: the head is ablated" : "";
}

/// Returns a row's scores on their way to weights.
std::string softmax_text(const Trace& trace, const ArithmeticStep& step) {
    SoftmaxTable softmax = softmax_table(step.explanation);
    std::ranges::stable_sort(softmax.entries, [](const SoftmaxEntry& a, const SoftmaxEntry& b) {
        return a.score.value > b.score.value;
    });
    std::vector<Row> rows{{"weight", "exp", "score − max", "score", "of"}};
    for (const SoftmaxEntry& entry : softmax.entries) {
        const TensorId input = trace[step.tensor].inputs()[entry.score.input];
        Row row;
        for (const Scalar number : {entry.weight, entry.exp, entry.shifted, entry.score.value})
            row.push_back(format_value(number, kDigits));
        row.push_back(shown_cell_name(trace, input, entry.score.row, entry.score.column));
        row.push_back(place_text(trace, input, entry.score.row, entry.score.column));
        rows.push_back(std::move(row));
    }
    return fmt::format("  the whole softmax, the largest first; the exp add up to {}{}:\n{}",
                       format_value(softmax.sum, kDigits), without_effect(trace[step.tensor], step),
                       table(rows, 4));
}

std::string step_text(const Trace& trace, const ArithmeticStep& step) {
    const Tensor& tensor = trace[step.tensor];
    std::string text =
        fmt::format("{}   {}\n{}{} = {}\n", place_text(trace, step.tensor, step.row, step.column),
                    plain_formula(tensor.equation()), kIndent,
                    shown_cell_name(trace, step.tensor, step.row, step.column),
                    format_value(step.explanation.result(), kDigits));
    for (const std::string& line : arithmetic_lines(trace, step, kTermsInFormula))
        text += kIndent + plain_formula(line) + "\n";
    if (step.explanation.terms.empty()) return text;
    if (is_softmax(tensor)) return text + softmax_text(trace, step);
    return fmt::format("{}  terms, the largest first, of {}{}:\n{}", text,
                       plain_formula(step.explanation.rule), without_effect(tensor, step),
                       terms_text(trace, step));
}

/// Returns a heading for each step, its arithmetic with real numbers, then every term, the largest
/// contribution first, with the symbol, labels, path and indices of its cells.
std::string explanation_text(const Trace& trace, const std::vector<ArithmeticStep>& steps) {
    return joined(steps, "\n", [&](const ArithmeticStep& step) { return step_text(trace, step); });
}

/// Returns the column; a word is looked for in the row's own sentence.
Index choose_column(const Trace& trace, const Tensor& tensor, Index row, const ExplainCell& options,
                    const Streams& streams) {
    const Axis columns = columns_of_row(trace, tensor, row);
    if (options.column)
        return index_named(trace, {tensor, columns, "column", "explain"}, *options.column,
                           notes_to(streams));
    if (tensor.columns().size > 1)
        throw Error("explain", "{} has {} columns; say which after the row", tensor.path(),
                    tensor.columns().size);
    return 0;
}

}  // namespace

void explain_cell(const ExplainCell& options, const Streams& streams) {
    Document document = open_for_numbers(options.study, streams);
    const std::optional<Index> sentence = take_recorded_text(document, options.sentence);
    make_changes(document, options.changes, streams);
    const Trace trace = sentence_page(evaluate_study(document, {}, streams), sentence);
    const TensorId id = tensor_named(trace, options.tensor);
    const Tensor& tensor = trace[id];
    const Index row = index_named(trace, {tensor, tensor.rows(), "row", "explain"}, options.row,
                                  notes_to(streams));
    const Index column = choose_column(trace, tensor, row, options, streams);
    const auto steps = arithmetic_steps(trace, id, row, column);
    streams.out << (options.json ? write_explanation_json(trace, steps)
                                 : explanation_text(trace, steps));
}

void add_explain_options(Options& command, ExplainCell& explain) {
    command.argument("STUDY", explain.study, "A *.headlight file");
    command.argument("PATH", explain.tensor, "The matrix");
    command.argument("ROW", explain.row, "An index from 0, a word, a node, or an edge: '9<-33'");
    command.optional_argument("COLUMN", explain.column,
                              "Likewise; may be omitted if there is only one column");
    command.flag("--json", explain.json, "For programs");
    add_sentence(command, explain.sentence);
    add_change_options(command, explain.changes);
    command.example("  headlight explain tired.headlight blocks.0.attn.heads.0.pattern tired cat");
}

}  // namespace headlight
