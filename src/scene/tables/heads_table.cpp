#include "scene/tables/heads_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "model/weights.h"
#include "scene/figures/compared_sides.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// The columns before the metrics measure how far the two patterns are apart.
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

const Tensor* metrics_of(const Trace& trace, const Row& row) {
    return find_of_head(trace, *row.attention, row.head, Role::Metrics);
}

MetricRows metric_rows(const HeadsList& list) {
    return list.without_first ? MetricRows::WithoutFirst : MetricRows::All;
}

std::vector<double> no_metrics() {
    return std::vector<double>(measured_metric_names().size(), kNoNumber);
}

std::vector<double> metrics_of_row(const Trace& trace, const Row& row, const HeadsList& list) {
    const Tensor* metrics = metrics_of(trace, row);
    if (!metrics || !metrics->value) return no_metrics();
    return measured_metrics(trace, *metrics, metric_rows(list));
}

/// "the metrics of 2 of 12 heads are not defined: …"; nothing where all are. `of`: "" or "of A ".
std::vector<std::string> note_unmeasured(const Trace& trace, const std::vector<Row>& rows,
                                         const HeadsList& list, const std::string& of) {
    std::vector<std::string> paths;
    for (const Row& row : rows) {
        const Tensor* metrics = metrics_of(trace, row);
        if (metrics && metrics->value && !is_measured(*metrics, metric_rows(list)))
            paths.push_back(metrics->identity().at(Role::Pattern).path);
    }
    if (paths.empty()) return {};
    return {fmt::format(
        "the metrics of {} of {} {}are not defined, since their patterns have NaN or infinity: {}",
        paths.size(), counted(std::ssize(rows), "head"), of, list_few(paths))};
}

/// A head's numbers in both traces. Where only one of them has induction measured in its text, both
/// have it on the probe.
struct BothMetrics {
    std::vector<double> a = no_metrics(), b = no_metrics();
};
BothMetrics both_metrics(const ComparedTraces& traces, const Row& row, const HeadsList& list) {
    const Tensor* a = metrics_of(traces.a, row);
    const Tensor* b = a ? traces.b.find(a->path()) : nullptr;
    if (!a || !a->value || !b || !b->value) return {};
    const MetricRows rows = metric_rows(list);
    BothMetrics both{measured_metrics(traces.a, *a, rows), measured_metrics(traces.b, *b, rows)};
    if (!measures_induction_apart(traces.a.plan(), traces.b.plan())) return both;
    both.a.back() = measured_on_probe(traces.a, *a, rows);
    both.b.back() = measured_on_probe(traces.b, *b, rows);
    return both;
}

/// True for A, and for B, if any head has that number there.
struct HasNumber {
    bool a = false, b = false;
};
HasNumber has_number(const std::vector<BothMetrics>& heads, std::size_t m) {
    const auto has = [&](std::vector<double> BothMetrics::*side) {
        return std::ranges::any_of(
            heads, [&](const BothMetrics& both) { return !std::isnan((both.*side)[m]); });
    };
    return {has(&BothMetrics::a), has(&BothMetrics::b)};
}

std::vector<std::string> probe_words_in(const Trace& trace) {
    const Tensor* probe = trace.find("probe.embed");
    return probe ? trace.items(probe->rows().list) : std::vector<std::string>();
}

/// Returns a line for each metric that one of the two has and the other has not, or that is
/// measured on other words.
std::vector<std::string> metrics_apart(const ComparedTraces& traces,
                                       const std::vector<BothMetrics>& heads) {
    const std::vector<std::string> names = measured_metric_names();
    const HasNumber on_probe = has_number(heads, names.size() - 1);
    std::vector<std::string> lines;
    for (std::size_t m = 0; m < names.size(); ++m) {
        const HasNumber has = has_number(heads, m);
        if (has.a == has.b) continue;
        lines.push_back(fmt::format("{} has no difference: only the text of {} has it", names[m],
                                    has.a ? "A" : "B"));
        const bool is_induction = m == static_cast<std::size_t>(HeadMetric::Induction);
        if (is_induction && on_probe.a && on_probe.b)
            lines.back() += fmt::format("; {} is of both", names.back());
    }
    if (on_probe.a && on_probe.b && probe_words_in(traces.a) != probe_words_in(traces.b))
        lines.push_back(names.back() + ": the words of A's probe are others than those of B's");
    return lines;
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

/// Adds a column for each of measured_metric_names(), with a row for each head.
void add_metrics(Table& table, const std::vector<std::vector<double>>& of_heads) {
    const std::vector<std::string> names = measured_metric_names();
    for (std::size_t m = 0; m < names.size(); ++m) {
        std::vector<double>& column = table.add_numbers(names[m]);
        for (const std::vector<double>& numbers : of_heads) column.push_back(numbers[m]);
    }
}

void add_metric_differences(HeadsTable& made, const ComparedTraces& traces,
                            const std::vector<Row>& rows, const HeadsList& list) {
    std::vector<BothMetrics> all;
    std::vector<std::vector<double>> differences;
    for (const Row& row : rows) {
        all.push_back(both_metrics(traces, row, list));
        differences.push_back(all.back().a);
        std::ranges::transform(all.back().a, all.back().b, differences.back().begin(),
                               std::minus());
    }
    add_metrics(made.table, differences);
    made.notes = note_unmeasured(traces.a, rows, list, "of A ");
    std::ranges::move(note_unmeasured(traces.b, rows, list, "of B "),
                      std::back_inserter(made.notes));
    std::ranges::move(metrics_apart(traces, all), std::back_inserter(made.notes));
}

HeadDifference difference_of(const ComparedTraces& traces, const Tensor& pattern) {
    HeadDifference d;
    const Tensor* other = traces.b.find(pattern.path());
    if (!other) d.problem = "B has no such head";
    if (!pattern.value || (other && !other->value)) d.problem = "it is not computed yet";
    return d.problem.empty() ? head_difference({traces.a, pattern}, {traces.b, *other}) : d;
}

}  // namespace

bool measures_induction_apart(const Plan& a, const Plan& b) {
    return is_induction_of_text(a) != is_induction_of_text(b);
}

HeadsTable heads_table(const Trace& trace, const Components& components, const HeadsList& list) {
    HeadsTable made{{"heads", "metrics of the heads", {}, 2}, {}, {}};
    const std::vector<Row> rows = rows_of(components, list);
    add_labels(made.table, rows);
    std::vector<std::vector<double>> numbers;
    for (const Row& row : rows) numbers.push_back(metrics_of_row(trace, row, list));
    add_metrics(made.table, numbers);
    made.notes = note_unmeasured(trace, rows, list, "");
    add_sorted_by(made.table, rows, list);
    return made;
}

HeadsTable compared_heads_table(const ComparedTraces& traces, const Components& of_a,
                                const HeadsList& list) {
    HeadsTable made{{"heads", "A − B of every head", {}, 2}, {}, {}};
    std::vector<Row> rows;
    std::vector<HeadDifference> differences;
    for (const Row& row : rows_of(of_a, list)) {
        const Tensor* pattern = find_of_head(traces.a, *row.attention, row.head, Role::Pattern);
        if (!pattern) continue;
        HeadDifference d = difference_of(traces, *pattern);
        if (!d.problem.empty()) {
            made.left_out.push_back(fmt::format("{}: {}", pattern->path(), d.problem));
            continue;
        }
        rows.push_back(row);
        differences.push_back(std::move(d));
    }
    if (rows.empty())
        throw Error("compare", made.left_out.empty() ? "A has no heads" : made.left_out.front());
    add_labels(made.table, rows);
    add_distances(made.table, differences);
    if (traces.metrics == WithMetrics::Yes) add_metric_differences(made, traces, rows, list);
    add_sorted_by(made.table, rows, list);
    return made;
}

}  // namespace headlight
