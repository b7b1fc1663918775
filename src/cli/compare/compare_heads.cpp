#include "cli/compare/compare_heads.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "cli/open_study.h"
#include "cli/output/csv_cell.h"
#include "core/analyses/head_metrics.h"
#include "core/components.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/text/json_text.h"
#include "scene/figures/compared_sides.h"

namespace headlight {
namespace {

/// Before the metrics: how far the two patterns are apart.
const std::vector<std::string> kDistances = {"total variation", "Jensen-Shannon", "mean |A - B|",
                                             "largest A - B"};

struct HeadRow {
    std::string attention;
    int head = 0;
    std::vector<double> numbers;  // of the columns; NaN: there is none
};

struct HeadTable {
    std::vector<std::string> columns;
    std::vector<HeadRow> rows;
    std::vector<std::string> left_out;  // heads that B has not, or that cannot be subtracted
};

std::vector<double> distances_of(const HeadDifference& d) {
    const auto number = [](Scalar value) { return static_cast<double>(value); };
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    return {d.rows ? number(d.rows->total_variation) : kNone,
            d.rows ? number(d.rows->jensen_shannon_bits) : kNone, number(d.mean_magnitude),
            number(d.signed_largest)};
}

/// A's metrics less B's; none where the two are not of the whole text.
void add_metrics(HeadRow& row, const Tensor* a, const Tensor* b) {
    for (Index m = 0; m < std::ssize(head_metric_names()); ++m)
        row.numbers.push_back(a && b && a->value && b->value
                                  ? static_cast<double>((*a->value)(0, m) - (*b->value)(0, m))
                                  : std::numeric_limits<double>::quiet_NaN());
}

HeadTable make_table(const Trace& a, const Trace& b, WithMetrics metrics) {
    HeadTable table{kDistances, {}, {}};
    if (metrics == WithMetrics::Yes)
        for (const char* name : head_metric_names()) table.columns.emplace_back(name);
    const Components components = make_components(a.plan());
    for (const Component& attention : components)
        for (int h = 0; h < attention.n_heads; ++h) {
            const Tensor* pattern = find_of_head(a, attention, h, Role::Pattern);
            if (!pattern || !pattern->value) continue;
            const Tensor* other = b.find(pattern->path());
            HeadDifference d;
            if (other && other->value)
                d = head_difference({a, *pattern}, {b, *other});
            else
                d.problem = "B has no such head";
            if (!d.problem.empty()) {
                table.left_out.push_back(pattern->path() + ": " + d.problem);
                continue;
            }
            HeadRow row{attention.path, h, distances_of(d)};
            const Tensor* of_a = find_of_head(a, attention, h, Role::Metrics);
            if (metrics == WithMetrics::Yes)
                add_metrics(row, of_a, of_a ? b.find(of_a->path()) : nullptr);
            table.rows.push_back(std::move(row));
        }
    return table;
}

/// By magnitude, the largest first; heads without that number last.
void sort_by(HeadTable& table, const std::string& column) {
    const auto at = std::ranges::find(table.columns, column);
    if (at == table.columns.end()) {
        std::string known;
        for (const std::string& name : table.columns) known += (known.empty() ? "" : ", ") + name;
        throw Error("--sort", "'" + column + "' is no column; there are " + known);
    }
    const auto k = static_cast<std::size_t>(at - table.columns.begin());
    const auto size = [k](const HeadRow& row) {
        return std::isnan(row.numbers[k]) ? -1 : std::abs(row.numbers[k]);
    };
    std::ranges::stable_sort(table.rows, std::ranges::greater(), size);
}

std::string heads_csv(const HeadTable& table) {
    std::string csv = "attention,head";
    for (const std::string& column : table.columns) csv += "," + column;
    csv += '\n';
    for (const HeadRow& row : table.rows) {
        csv += csv_cell(row.attention) + "," + std::to_string(row.head);
        for (const double number : row.numbers)
            csv += "," + (std::isnan(number) ? "" : number_text(static_cast<float>(number)));
        csv += '\n';
    }
    return csv;
}

std::string heads_json(const HeadTable& table) {
    std::string json = "[";
    for (const HeadRow& row : table.rows) {
        json += std::string(&row == &table.rows.front() ? "\n" : ",\n") +
                "  {\"attention\": " + json_string(row.attention) +
                ", \"head\": " + std::to_string(row.head);
        for (std::size_t k = 0; k < table.columns.size(); ++k) {
            const double number = row.numbers[k];
            json += ", " + json_string(table.columns[k]) + ": " +
                    (std::isnan(number) ? "null" : number_text(static_cast<float>(number)));
        }
        json += "}";
    }
    return json + "\n]\n";
}

bool is_json(const std::optional<std::string>& output) {
    return output && output->ends_with(".json");
}

}  // namespace

void check_is_heads_table(const std::optional<std::string>& output) {
    if (output && !is_json(output)) check_is_csv_name(*output, " or .json");
}

void write_compared_heads(const Trace& a, const Trace& b, const ComparedHeads& options,
                          const Streams& streams) {
    HeadTable table = make_table(a, b, options.metrics);
    if (table.rows.empty())
        throw Error("compare", table.left_out.empty() ? "A has no heads" : table.left_out.front());
    if (options.sort) sort_by(table, *options.sort);
    write_notes(streams, "left out: ", table.left_out);
    if (options.metrics == WithMetrics::No)
        write_note(streams, "of single sentences there are no metrics of heads");
    const std::string text = is_json(options.output) ? heads_json(table) : heads_csv(table);
    if (options.output)
        write_file(*options.output, text);
    else
        streams.out << text;
}

}  // namespace headlight
