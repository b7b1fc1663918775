#include "scene/tables/heads_table.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "scene/figures/compared_sides.h"

namespace headlight {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// Before the metrics: how far the two patterns are apart.
constexpr const char* kDistances[] = {"total variation", "Jensen-Shannon", "mean |A - B|",
                                      "largest A - B"};

/// A head that has a row.
struct Row {
    const Component* attention;
    int head;
    std::optional<Scalar> number;
};

std::vector<Row> rows_of(const Components& components, const HeadsList& list) {
    std::vector<Row> rows;
    if (!list.heads) {
        for (const Component& attention : components)
            for (int h = 0; h < attention.n_heads; ++h) rows.push_back({&attention, h, {}});
        return rows;
    }
    for (const HeadsList::Head& head : *list.heads)
        if (const Component* attention = find_component(components, head.attention))
            rows.push_back({attention, head.head, head.number});
    if (rows.empty()) throw Error("heads", "the view lists no heads now");
    return rows;
}

double metric_of(const Tensor* metrics, Index m, const HeadsList& list) {
    if (!metrics || !metrics->value) return kNoNumber;
    const Index row = list.without_first ? std::min<Index>(1, metrics->value->rows() - 1) : 0;
    return static_cast<double>((*metrics->value)(row, m));
}

const Tensor* metrics_of(const Trace& trace, const Row& row) {
    return find_of_head(trace, *row.attention, row.head, Role::Metrics);
}

void add_labels(Table& table, const std::vector<Row>& rows) {
    std::vector<std::string>& attentions = table.add_texts("attention");
    for (const Row& row : rows) attentions.push_back(row.attention->path);
    std::vector<double>& heads = table.add_numbers("head");
    for (const Row& row : rows) heads.push_back(row.head);
}

void add_sorted_by(Table& table, const std::vector<Row>& rows, const HeadsList& list) {
    if (list.by.empty()) return;
    std::vector<double>& numbers = table.add_numbers(list.by);
    for (const Row& row : rows)
        numbers.push_back(row.number ? static_cast<double>(*row.number) : kNoNumber);
}

void add_distances(Table& table, const std::vector<HeadDifference>& differences) {
    const auto add = [&](std::size_t k, auto number_of) {
        std::vector<double>& numbers = table.add_numbers(kDistances[k]);
        for (const HeadDifference& d : differences) numbers.push_back(number_of(d));
    };
    const auto of_rows = [](const HeadDifference& d, Scalar RowDistances::*number) {
        return d.rows ? static_cast<double>((*d.rows).*number) : kNoNumber;
    };
    add(0, [&](const HeadDifference& d) { return of_rows(d, &RowDistances::total_variation); });
    add(1, [&](const HeadDifference& d) { return of_rows(d, &RowDistances::jensen_shannon_bits); });
    add(2, [](const HeadDifference& d) { return static_cast<double>(d.mean_magnitude); });
    add(3, [](const HeadDifference& d) { return static_cast<double>(d.signed_largest); });
}

HeadDifference difference_of(const ComparedTraces& traces, const Tensor& pattern) {
    HeadDifference d;
    const Tensor* other = traces.b.find(pattern.path());
    if (!other) d.problem = "B has no such head";
    if (!pattern.value || (other && !other->value)) d.problem = "it is not computed yet";
    return d.problem.empty() ? head_difference({traces.a, pattern}, {traces.b, *other}) : d;
}

}  // namespace

HeadsTable heads_table(const Trace& trace, const Components& components, const HeadsList& list) {
    HeadsTable made{{"heads", "metrics of the heads", {}, 2}, {}};
    const std::vector<Row> rows = rows_of(components, list);
    add_labels(made.table, rows);
    for (Index m = 0; m < std::ssize(head_metric_names()); ++m) {
        std::vector<double>& numbers =
            made.table.add_numbers(head_metric_names()[static_cast<std::size_t>(m)]);
        for (const Row& row : rows) numbers.push_back(metric_of(metrics_of(trace, row), m, list));
    }
    add_sorted_by(made.table, rows, list);
    return made;
}

HeadsTable compared_heads_table(const ComparedTraces& traces, const Components& of_a,
                                const HeadsList& list) {
    HeadsTable made{{"heads", "A − B of every head", {}, 2}, {}};
    std::vector<Row> rows;
    std::vector<HeadDifference> differences;
    for (const Row& row : rows_of(of_a, list)) {
        const Tensor* pattern = find_of_head(traces.a, *row.attention, row.head, Role::Pattern);
        if (!pattern) continue;
        HeadDifference d = difference_of(traces, *pattern);
        if (!d.problem.empty()) {
            made.left_out.push_back(pattern->path() + ": " + d.problem);
            continue;
        }
        rows.push_back(row);
        differences.push_back(std::move(d));
    }
    if (rows.empty())
        throw Error("compare", made.left_out.empty() ? "A has no heads" : made.left_out.front());
    add_labels(made.table, rows);
    add_distances(made.table, differences);
    for (Index m = 0; traces.metrics == WithMetrics::Yes && m < std::ssize(head_metric_names());
         ++m) {
        std::vector<double>& numbers =
            made.table.add_numbers(head_metric_names()[static_cast<std::size_t>(m)]);
        for (const Row& row : rows) {
            const Tensor* a = metrics_of(traces.a, row);
            const Tensor* b = a ? traces.b.find(a->path()) : nullptr;
            numbers.push_back(metric_of(a, m, list) - metric_of(b, m, list));
        }
    }
    add_sorted_by(made.table, rows, list);
    return made;
}

}  // namespace headlight
