#include "scene/tables/sweep_table.h"

#include <string>
#include <utility>
#include <vector>

#include "scene/figures/sweep_figure.h"

namespace headlight {

Table sweep_table(const DoneSweep& sweep) {
    const SweepResult& result = sweep.result;
    Table table{"sweep", sweep_title(sweep) + "; " + sweep.sentence, {}, 1};
    const bool has_names = has_two_attentions(result) || result.over == SweepOver::Tokens;
    std::vector<std::string> names = row_names(result);
    for (std::size_t l = 0; l < names.size() && !has_names; ++l)
        names[l] = std::to_string(result.rows[l].layer);
    table.add_texts("layer") = std::move(names);
    for (Index k = 0; k < result.change.cols(); ++k) {
        std::vector<double>& numbers =
            table.add_numbers(result.columns[static_cast<std::size_t>(k)]);
        for (Index l = 0; l < result.change.rows(); ++l)
            numbers.push_back(static_cast<double>(result.change(l, k)));
    }
    return table;
}

}  // namespace headlight
