#include "scene/held_rows.h"

#include "text/quoted_word.h"
namespace headlight {

bool has_item_rows(const Tensor& tensor, int list) {
    return (tensor.rows().kind == AxisKind::Query || tensor.rows().kind == AxisKind::Item) &&
           tensor.rows().list == list;
}

ReadWeights read_weights(const Trace& trace, const Tensor& pattern, const Selection& selection) {
    ReadWeights read;
    const Focus& focus = selection.current().focus;
    const Index n = trace.edges() ? trace.edges()->n_nodes : pattern.rows().size;
    if (!pattern.value || (!trace.edges() && !has_item_rows(pattern, focus.query_list)))
        return read;
    for (const Index query : focus.queries())
        if (query < n) read.queries.push_back(query);
    if (read.queries.empty()) return read;
    const RowsAs as = selection.rows_as;
    read.weights = trace.edges() ? joined_rows(*pattern.value, *trace.edges(), read.queries, as)
                                 : joined_rows(*pattern.value, read.queries, as);
    if (as == RowsAs::Sum) read.most = static_cast<Scalar>(read.queries.size());
    return read;
}

namespace {

std::string join_names(const std::vector<std::string>& items, const std::vector<Index>& queries) {
    constexpr std::size_t kMostNames = 3;
    std::string names;
    for (std::size_t k = 0; k < queries.size() && k < kMostNames; ++k)
        names += (k > 0 ? ", " : "") + quoted_word(items.at(static_cast<std::size_t>(queries[k])));
    if (queries.size() > kMostNames)
        names += " and " + std::to_string(queries.size() - kMostNames) + " more";
    return names;
}

}  // namespace

std::string joined_name(const std::vector<std::string>& items, const std::vector<Index>& queries,
                        RowsAs as) {
    const std::string names = join_names(items, queries);
    return queries.size() < 2 ? names : (as == RowsAs::Sum ? "sum of " : "mean of ") + names;
}

std::string joined_title(const std::vector<std::string>& items, const std::vector<Index>& queries,
                         RowsAs as) {
    const std::string names = join_names(items, queries);
    return queries.size() < 2 ? names : (as == RowsAs::Sum ? "Sum of " : "Mean of ") + names;
}

std::optional<PointedCell> largest_of_held_row(const Trace& trace, const Selection& selection) {
    const Tensor* tensor = trace.find(selection.chosen);
    if (!tensor || !tensor->value) return std::nullopt;
    const CellPick held = cell_pick(*tensor, selection.held().focus);
    if (held.rows.size() != 1 || tensor->value->cols() == 0) return std::nullopt;
    Index column = 0;
    tensor->value->row(held.rows.front()).maxCoeff(&column);
    return PointedCell{tensor->path(), held.rows.front(), column};
}

}  // namespace headlight
