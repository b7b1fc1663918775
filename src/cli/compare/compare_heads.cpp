#include "cli/compare/compare_heads.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <variant>
#include <vector>

#include "cli/open_study.h"
#include "cli/output/write_table.h"
#include "core/components.h"
#include "core/error.h"

namespace headlight {
namespace {

/// By magnitude, the largest first; heads without that number last.
void sort_by(Table& table, const std::string& column) {
    const auto first = table.columns.begin() + static_cast<std::ptrdiff_t>(table.n_labels);
    const auto at = std::find_if(first, table.columns.end(),
                                 [&](const TableColumn& c) { return c.name == column; });
    if (at == table.columns.end()) {
        std::string known;
        for (const std::string& name : number_columns(table))
            known += (known.empty() ? "" : ", ") + name;
        throw Error("--sort", "'" + column + "' is no column; there are " + known);
    }
    const auto k = static_cast<std::size_t>(at - table.columns.begin());
    if (std::ranges::all_of(std::get<std::vector<double>>(at->cells),
                            [](double number) { return std::isnan(number); }))
        throw Error("--sort", "no head has a number for '" + column + "' here");
    std::vector<std::size_t> rows(table.n_rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    const auto size = [&](std::size_t row) {
        const auto number = number_in(table, row, k);
        return number ? std::abs(*number) : Scalar(-1);
    };
    std::ranges::stable_sort(rows, std::ranges::greater(), size);
    keep_rows(table, rows);
}

}  // namespace

void write_compared_heads(const ComparedTraces& traces, const ComparedHeads& options,
                          const Streams& streams) {
    auto [table, left_out, notes] = compared_heads_table(traces, make_components(traces.a.plan()));
    if (options.sort) sort_by(table, *options.sort);
    write_notes(streams, "left out: ", left_out);
    write_notes(streams, "", notes);
    if (traces.metrics == WithMetrics::No)
        write_note(streams, "of single sentences there are no metrics of heads");
    write_table(table, options.output, streams);
}

}  // namespace headlight
