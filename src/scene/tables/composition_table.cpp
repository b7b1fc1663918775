#include "scene/tables/composition_table.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/analyses/composition.h"
#include "core/error.h"
#include "paint/number_format.h"

namespace headlight {

std::string composition_caption(const Trace& trace) {
    const std::string equation = trace.at(composition_path(Composition::Value)).equation();
    const std::string folded = equation.substr(std::min(equation.find(';'), equation.size()));
    return "Frobenius norm of the product over the norms of both" + folded +
           "; random directions reach about " +
           format_value(static_cast<Scalar>(chance_of_composition(trace)));
}

Table composition_table(const Trace& trace) {
    const Tensor* by_value = trace.find(composition_path(Composition::Value));
    if (!by_value)
        throw Error("composition",
                    "the study has no heads of two layers that read one residual stream");
    if (!by_value->value)
        throw Error("composition", "the scores are being computed; try again in a moment");
    Table table{"composition", composition_caption(trace), {}, 2};
    const Index n_heads = by_value->settings().count;
    std::vector<std::pair<Index, Index>> pairs;
    for (Index i = 0; i < by_value->rows().size; ++i)
        for (Index j = 0; j < (i / n_heads + 1) * n_heads; ++j) pairs.emplace_back(i, j);
    std::vector<std::string>& earlier = table.add_texts("earlier");
    for (const auto& [i, j] : pairs) earlier.push_back(axis_label(trace, by_value->columns(), j));
    std::vector<std::string>& later = table.add_texts("later");
    for (const auto& [i, j] : pairs) later.push_back(axis_label(trace, by_value->rows(), i));
    static constexpr const char* kInputs[] = {"Q", "K", "V"};
    for (int c = 0; c < kCompositions; ++c) {
        const Tensor* scores = trace.find(composition_path(static_cast<Composition>(c)));
        std::vector<double>& numbers = table.add_numbers(kInputs[c]);
        for (const auto& [i, j] : pairs)
            numbers.push_back(scores && scores->value ? static_cast<double>((*scores->value)(i, j))
                                                      : std::numeric_limits<double>::quiet_NaN());
    }
    return table;
}

}  // namespace headlight
