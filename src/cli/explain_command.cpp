// headlight explain: where the number in a cell comes from.
#include "cli/commands.h"
#include "cli/explanation.h"
#include "cli/open_study.h"
#include "core/axis_names.h"
#include "core/error.h"
#include "scene/options/item_names.h"

namespace headlight {
namespace {

/// A word is looked for in the row's own sentence.
Index choose_column(const Trace& trace, const Tensor& tensor, Index row, const ExplainCell& options,
                    const Streams& streams) {
    const Axis columns = columns_of_row(trace, tensor, row);
    if (options.column)
        return index_named(trace, {tensor, columns, "column", "explain"}, *options.column,
                           notes_to(streams));
    if (tensor.columns().size > 1)
        throw Error("explain", tensor.path() + " has " + std::to_string(tensor.columns().size) +
                                   " columns; say which after the row");
    return 0;
}

}  // namespace

void explain_cell(const ExplainCell& options, const Streams& streams) {
    Document document = open_for_numbers(options.study, streams);
    const std::optional<Index> sentence = take_recorded_text(document, options.sentence);
    const Trace trace = sentence_page(evaluate_study(document, {}, streams), sentence);
    const TensorId id = tensor_named(trace, options.tensor);
    const Tensor& tensor = trace[id];
    const Index row = index_named(trace, {tensor, tensor.rows(), "row", "explain"}, options.row,
                                  notes_to(streams));
    const Index column = choose_column(trace, tensor, row, options, streams);
    const auto steps = arithmetic_steps(trace, id, row, column);
    streams.out << (options.form == ExplainAs::Json ? write_explanation_json(trace, steps)
                                                    : explanation_text(trace, steps));
}

}  // namespace headlight
