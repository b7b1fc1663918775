#include "cli/composition_command.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "cli/open_study.h"
#include "cli/output/write_table.h"
#include "core/error.h"
#include "scene/tables/composition_table.h"

namespace headlight {
namespace {

/// The highest of the scores of a pair.
double highest_score(const Table& table, std::size_t row) {
    double highest = 0;
    for (std::size_t k = table.n_labels; k < table.columns.size(); ++k)
        highest = std::max(highest, static_cast<double>(number_in(table, row, k).value_or(0)));
    return highest;
}

/// Only those of a later head, or those with the highest scores.
std::vector<std::size_t> chosen_rows(const Table& table, const PrintComposition& options) {
    constexpr std::size_t kLater = 1;
    std::vector<std::size_t> rows(table.n_rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    if (options.head)
        std::erase_if(
            rows, [&](std::size_t row) { return text_in(table, row, kLater) != *options.head; });
    if (rows.empty())
        throw Error("composition", "there is no head " + *options.head +
                                       " behind the first layer; write 1.2 for head 2 of layer 1");
    if (!options.top) return rows;
    std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
        return highest_score(table, a) > highest_score(table, b);
    });
    rows.resize(std::min(rows.size(), static_cast<std::size_t>(*options.top)));
    return rows;
}

}  // namespace

void print_composition(const PrintComposition& options, const Streams& streams) {
    check_is_table_name(options.output);
    const Document document = open_for_numbers(options.study, streams);
    const Trace trace =
        evaluate_study(document, {.everything = false, .globs = {"composition.*"}}, streams);
    Table table = composition_table(trace);
    keep_rows(table, chosen_rows(table, options));
    write_note(streams, table.caption);
    write_table(table, options.output, streams);
}

}  // namespace headlight
