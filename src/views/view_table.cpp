#include "views/view_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/analyses/composition.h"
#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "figure/number_format.h"
#include "model/vocabulary.h"
#include "model/weights.h"
#include "text/strings.h"
#include "views/compared_sides.h"
#include "views/finished_sweep.h"
#include "views/heads_order.h"
#include "views/readout_view.h"
#include "views/readout_words.h"

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
    for (const Row& row : rows) {
        const Tensor* metrics = metrics_of(trace, row);
        const bool is_measured = metrics && metrics->value;
        numbers.push_back(is_measured ? measured_metrics(trace, *metrics, metric_rows(list))
                                      : no_metrics());
    }
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
    if (traces.has_metrics) add_metric_differences(made, traces, rows, list);
    add_sorted_by(made.table, rows, list);
    return made;
}

namespace {

/// Returns the numbers that the view of logits shows for one side. B's words are others, so its
/// columns have plain names.
Table of_logits(const Scene& scene, ViewId view, AskedLogits::Heads heads) {
    const LogitView readout = make_readout(scene);
    AskedLogits asked{scene.document, scene.trace, readout.question};
    asked.heads = heads;
    if (view == ViewId::Attribution) return attribution_table(asked);
    const bool is_named = !scene.selection.looks.readout.word.empty() && readout.problem.empty();
    if ((view == ViewId::Lens && readout.unranked.empty()) || is_named) asked.is_named = true;
    asked.n_words = view == ViewId::Lens ? most_likely_words(readout) : readout.next.size();
    return view == ViewId::Lens ? lens_table(asked) : next_words_table(asked);
}

/// Puts the rows of B after those of A, each with its side.
Table joined(Table a, const Table& b) {
    std::vector<std::string> sides(a.n_rows(), side_text(ComparedSide::A));
    sides.resize(sides.size() + b.n_rows(), side_text(ComparedSide::B));
    for (std::size_t k = 0; k < a.columns.size(); ++k)
        std::visit(
            [&](auto& cells) {
                const auto& more = std::get<std::decay_t<decltype(cells)>>(b.columns[k].cells);
                cells.insert(cells.end(), more.begin(), more.end());
            },
            a.columns[k].cells);
    a.columns.insert(a.columns.begin(), TableColumn{"side", std::move(sides)});
    ++a.n_labels;
    return a;
}

ViewTable of_logits_of_sides(const Scene& scene, ViewId view) {
    const std::vector<ComparedSide> sides = sides_without_difference(scene, HasHeads::All);
    using Heads = AskedLogits::Heads;
    if (sides.size() < 2) return {of_logits(scene, view, Heads::Asked), ""};
    const SceneOfB b(scene);
    if (!has_readout(b.scene().trace))
        return {of_logits(scene, view, Heads::Asked), "B names no words and is left out"};
    Table of_a = of_logits(scene, view, Heads::Plain),
          of_b = of_logits(b.scene(), view, Heads::Plain);
    if (of_a.columns.size() != of_b.columns.size())
        throw Error("export", "the tables of A and B have other columns; export one at a time");
    of_a.caption = fmt::format("A: {}; B: {}", of_a.caption, of_b.caption);
    const std::string path = logits_path();
    const std::string others = other_words_text({scene.trace, scene.trace.at(path)},
                                                {b.scene().trace, b.scene().trace.at(path)});
    if (!others.empty()) of_a.caption += "; B reads " + others;
    return {joined(std::move(of_a), of_b), ""};
}

std::string note_of(const HeadsTable& made) {
    std::string note;
    if (!made.left_out.empty()) note = "left out: " + made.left_out.front();
    if (made.left_out.size() > 1) note += fmt::format(" and {} more", made.left_out.size() - 1);
    for (const std::string& line : made.notes) append_part(note, "; ", line);
    return note;
}

}  // namespace

ViewTable heads_numbers(const Scene& scene) {
    const HeadsList& seen = scene.selection.listed_heads;
    const bool is_seen = scene.selection.view == ViewId::Heads && seen.heads;
    const HeadsList list = is_seen ? seen : sorted_list(scene);
    const bool is_compared = sides_of(scene, HasHeads::All).size() > 1 ||
                             sides_of(scene, HasHeads::All).front() == ComparedSide::Difference;
    if (!is_compared) {
        HeadsTable made = heads_table(scene.trace, scene.components, list);
        std::string note = note_of(made);
        return {std::move(made.table), std::move(note)};
    }
    const Document* other = scene.comparison->document;
    const bool has_several = has_several_sentences(scene.document) ||
                             (other && has_several_sentences(*other)) ||
                             scene.comparison->other<OtherSentence>();
    HeadsTable made = compared_heads_table(
        {.a = scene.trace, .b = *scene.comparison->trace, .has_metrics = !has_several},
        scene.components, list);
    std::string note = note_of(made);
    return {std::move(made.table), std::move(note)};
}

template <ViewId view>
ViewTable logits_numbers(const Scene& scene) {
    return of_logits_of_sides(scene, view);
}
template ViewTable logits_numbers<ViewId::NextWords>(const Scene&);
template ViewTable logits_numbers<ViewId::Lens>(const Scene&);
template ViewTable logits_numbers<ViewId::Attribution>(const Scene&);

ViewTable sweep_numbers(const Scene& scene) {
    return {sweep_table(*scene.sweep), ""};
}

ViewTable composition_numbers(const Scene& scene) {
    return {composition_table(scene.trace), ""};
}

ViewId numbers_view(const Scene& scene, ViewId view) {
    if (view == ViewId::Readout)
        return is_shown(scene, ViewId::Sweep) ? ViewId::Sweep : ViewId::NextWords;
    return view_of(view).table ? view : ViewId::Matrix;
}

ViewTable view_table(const Scene& scene, ViewId view) {
    check_is_shown(scene, view);
    const auto table = view_of(view).table;
    if (!table) throw Error("export", "this view has no table");
    return table(scene);
}

namespace {

/// "Frobenius norm of …; random directions reach about 0.25"
std::string composition_caption(const Trace& trace) {
    const std::string equation = trace.at(composition_path(Composition::Value)).equation();
    const std::string folded = equation.substr(std::min(equation.find(';'), equation.size()));
    return fmt::format(
        "Frobenius norm of the product over the norms of both{}; random directions reach about {}",
        folded, format_value(static_cast<Scalar>(chance_of_composition(trace))));
}

}  // namespace

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

Table sweep_table(const FinishedSweep& sweep) {
    const SweepResult& result = sweep.result;
    Table table{"sweep", fmt::format("{}; {}", sweep_title(sweep), sweep.sentence), {}, 1};
    if (has_two_attentions(result) || result.over == SweepSites::Tokens) {
        table.add_texts("layer") = row_names(result);
    } else {
        std::vector<double>& layers = table.add_numbers("layer");
        for (const SweepRow& row : result.rows) layers.push_back(row.layer);
    }
    for (Index k = 0; k < result.change.cols(); ++k) {
        std::vector<double>& numbers =
            table.add_numbers(result.columns[static_cast<std::size_t>(k)]);
        for (Index l = 0; l < result.change.rows(); ++l)
            numbers.push_back(static_cast<double>(result.change(l, k)));
    }
    return table;
}

}  // namespace headlight
