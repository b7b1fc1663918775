#include "core/analyses/head_metrics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "core/mechanisms/add_tensor.h"
#include "core/operations/analysis_operations.h"
#include "core/operations/mask_operations.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

constexpr const char* kOfHeads = "of every head, ";
constexpr const char* kOnText = "where the text repeats itself";
constexpr const char* kOnProbe = "on 8 random words said twice";
constexpr const char* kOverviewEquation = "max of what falls on a cell";
constexpr const char* kMetricsEquation = "what the head does";

/// Returns `count` different names, if there are so many, spread over all of them.
std::vector<std::string> sample_names(const std::vector<std::string>& names, std::size_t count) {
    const auto spread = [](const auto& all, std::size_t n) {
        std::vector<std::string> some;
        for (std::size_t k = 0; k < n; ++k) some.emplace_back(all[k * all.size() / n]);
        return some;
    };
    // A vocabulary usually has no name twice, and it is large: it is not searched for repetitions.
    if (names.size() >= count) {
        std::vector<std::string> some = spread(names, count);
        if (std::unordered_set<std::string_view>(some.begin(), some.end()).size() == count)
            return some;
    }
    std::vector<std::string_view> different;
    std::unordered_set<std::string_view> met;
    met.reserve(names.size());
    for (const std::string& name : names)
        if (met.insert(name).second) different.push_back(name);
    return spread(different, std::min(count, different.size()));
}

/// Repeats some words once; made-up words fill up where there are too few.
std::vector<std::string> said_twice(const std::vector<std::string>& some) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < 2 * kProbeWords; ++i) {
        const std::size_t word = i % kProbeWords;
        words.push_back(word < some.size() ? some[word] : fmt::format("r{}", word));
    }
    return words;
}

/// The least number of repeated words: fewer of them say little about a head.
constexpr Index kLeastRepeats = 4;

/// True if enough words repeat earlier ones of their text.
bool repeats_itself(const Trace& trace) {
    std::unordered_set<std::string_view> met;
    Index n = 0;
    for (const std::string& word : trace.items())
        if (!met.insert(word).second && ++n == kLeastRepeats) return true;
    return false;
}

}  // namespace

std::span<const char* const> head_metric_names() {
    static constexpr const char* kNames[] = {"entropy",  "distance",  "previous",  "next",
                                             "first",    "duplicate", "induction", "symmetry",
                                             "sparsity", "norm"};
    return kNames;
}

std::vector<std::string> probe_words(const std::vector<std::string>& known) {
    return said_twice(sample_names(known, kProbeWords));
}

void set_probe_words(Plan& plan, const std::vector<std::string>& words) {
    const std::vector<std::string> some = sample_names(words, kProbeWords);
    const auto n_words = static_cast<Index>(some.size());
    const Axis probe = plan.at("probe.embed").rows;
    plan.lists[static_cast<std::size_t>(probe.list)].names =
        std::make_shared<const std::vector<std::string>>(said_twice(some));
    const PlannedTensor* metrics = plan.find("metrics.induction");
    if (!metrics || induction_place(plan) != kOnProbe) return;
    const std::string random =
        n_words < kProbeWords ? fmt::format(" and {} random ones", kProbeWords - n_words) : "";
    plan.tensors()[plan.id_at(metrics->path)].equation =
        fmt::format("{}on {} of the weights' words{} said twice", kOfHeads, n_words, random);
}

std::vector<Index> word_numbers(const std::vector<std::string>& words) {
    std::unordered_map<std::string, Index> numbers;
    std::vector<Index> result;
    result.reserve(words.size());
    for (const std::string& word : words)
        result.push_back(
            word == kPaddingWord
                ? Index(-1)
                : numbers.emplace(word, static_cast<Index>(numbers.size())).first->second);
    return result;
}

namespace {

struct Heads {
    const std::vector<Location>& attentions;
    int count;
    const std::vector<Index>& words;
    bool has_only_patterns = false;  // of a recording
};

enum class InductionOn { Text, Probe, Nothing };

/// Counts words that occurred before and were then followed by a word other than this one.
Index count_repeats(const std::vector<Index>& words, Index n_sentence) {
    Index count = 0;
    std::unordered_map<Index, Index> first;
    for (Index r = 0; r < static_cast<Index>(words.size()); ++r) {
        if (r % n_sentence == 0) first.clear();
        const Index word = words[static_cast<std::size_t>(r)];
        const Index earliest = first.emplace(word, r).first->second;
        if (word >= 0 && earliest + 1 < r) ++count;
    }
    return count;
}

InductionOn induction_on(const Plan& plan, const Heads& of) {
    const Axis rows = plan.at(of.attentions[0].of_head(0).at(Role::Pattern).path).rows;
    const Index n_repeats = count_repeats(of.words, std::max(Index(1), rows.size / rows.groups));
    if (of.has_only_patterns) return n_repeats > 0 ? InductionOn::Text : InductionOn::Nothing;
    return n_repeats >= kProbeWords ? InductionOn::Text : InductionOn::Probe;
}

/// Returns the inputs from which the metrics of one head are computed.
std::vector<TensorId> metric_inputs(const Plan& plan, const Heads& of, const Location& head,
                                    InductionOn induction) {
    std::vector<TensorId> inputs{plan.id_at(head.at(Role::Pattern).path)};
    if (of.has_only_patterns) return inputs;
    inputs.push_back(plan.id_at(head.at(Role::NormWeighted).path));
    if (induction != InductionOn::Probe) return inputs;
    Location probe = head;
    probe.network = Network::Probe;
    inputs.push_back(plan.id_at(probe.at(Role::Pattern).path));
    return inputs;
}

bool is_known(const Heads& of, HeadMetric metric, InductionOn induction) {
    if (metric == HeadMetric::Induction) return induction != InductionOn::Nothing;
    return !of.has_only_patterns || metric != HeadMetric::Norm;
}

std::string metric_equation(HeadMetric metric, InductionOn induction) {
    if (metric != HeadMetric::Induction) return "of every head";
    return std::string(kOfHeads) + (induction == InductionOn::Text ? kOnText : kOnProbe);
}

/// True for recorded patterns, which are read piece by piece, and for computed ones that are not
/// all kept.
bool has_overviews(const Plan& plan, const Heads& of) {
    const PlannedTensor& pattern = plan.at(of.attentions[0].of_head(0).at(Role::Pattern).path);
    if (pattern.rows.groups > 1 || pattern.rows.size <= 2 * kOverviewSide) return false;
    return of.has_only_patterns || !keeps_when_small(plan);
}

/// Adds the overview and the metrics of a head whose pattern comes later. Returns the metrics.
TensorId add_summaries(Plan& plan, const Location& head, const LaterMatrices& later,
                       TensorName metrics, std::shared_ptr<const std::vector<Index>> numbers) {
    const Index number = plan.at(head.at(Role::Pattern).path).settings.begin;
    const Axis side{AxisKind::Position, later.overview_side};
    add_result(plan,
               {head.at(Role::Overview), "A small", side, side, Stage::Output,
                Quantity::Probability, Keep::OnDemand},
               kOverviewEquation, operations::recorded, {},
               {.begin = number, .source = later.overviews});
    return add_result(plan, std::move(metrics), kMetricsEquation, operations::recorded, {},
                      {.begin = number, .indices = std::move(numbers), .source = later.metrics});
}

void add_metrics(Plan& plan, const Heads& of) {
    const auto names = head_metric_names();
    const auto named = [&](const char* noun, std::vector<std::string> list) {
        const auto size = static_cast<Index>(list.size());
        return Axis{AxisKind::Named, size, plan.add_list(noun, std::move(list))};
    };
    const Axis metrics = named("metric", {names.begin(), names.end()});
    const Axis which = named("tokens", {"all tokens", "without the first"});
    const InductionOn induction = induction_on(plan, of);
    const auto numbers = std::make_shared<const std::vector<Index>>(of.words);
    const bool has_overview = has_overviews(plan, of);
    std::vector<TensorId> all;
    std::vector<std::string> paths;
    for (const Location& attention : of.attentions) {
        paths.push_back(attention.path());
        for (int h = 0; h < of.count; ++h) {
            const Location head = attention.of_head(h);
            std::vector<TensorId> inputs = metric_inputs(plan, of, head, induction);
            const Axis rows = plan[inputs[0]].rows;
            TensorName name{head.at(Role::Metrics), "metrics",        which,         metrics,
                            Stage::Output,          Quantity::Amount, Keep::OnDemand};
            if (const LaterMatrices* later = find_later(plan[inputs[0]])) {
                all.push_back(add_summaries(plan, head, *later, std::move(name), numbers));
                continue;
            }
            if (has_overview)
                add_result(plan,
                           {head.at(Role::Overview),
                            "A small",
                            {AxisKind::Position, kOverviewSide},
                            {AxisKind::Position, kOverviewSide},
                            Stage::Output,
                            Quantity::Probability,
                            Keep::OnDemand},
                           kOverviewEquation, operations::overview, {inputs[0]}, {});
            all.push_back(add_result(
                plan, std::move(name), kMetricsEquation, operations::head_metrics,
                std::move(inputs),
                {.group_rows = rows.groups > 1 ? rows.size / rows.groups : 0, .indices = numbers}));
        }
    }
    const Axis layers = named("attention", std::move(paths)), heads{AxisKind::Head, of.count};
    const Location analyses{.component = ComponentKind::Analyses};
    for (std::size_t m = 0; m < names.size(); ++m)
        if (const auto metric = static_cast<HeadMetric>(m); is_known(of, metric, induction))
            add_result(plan,
                       {analyses.at(std::string("metrics.") + names[m]), names[m], layers, heads,
                        Stage::Output, Quantity::Amount, Keep::OnDemand},
                       metric_equation(metric, induction), operations::collect_metric, all,
                       {.begin = static_cast<Index>(m)});
}

}  // namespace

void add_head_metrics(Plan& plan, const std::vector<Location>& attentions, int n_heads,
                      const std::vector<Index>& words) {
    add_metrics(plan, {attentions, n_heads, words});
}

void add_recorded_metrics(Plan& plan, const std::vector<Location>& attentions, int n_heads,
                          const std::vector<Index>& words) {
    add_metrics(
        plan,
        {.attentions = attentions, .count = n_heads, .words = words, .has_only_patterns = true});
}

std::string induction_place(const Plan& plan) {
    const PlannedTensor* metrics = plan.find("metrics.induction");
    if (!metrics) return "";
    return metrics->equation.substr(std::string_view(kOfHeads).size());
}

bool is_induction_of_text(const Plan& plan) {
    return induction_place(plan) == kOnText;
}

Scalar induction_on_probe(const ConstView& probe, Index skip) {
    Scalar sum = 0;
    Index n = 0;
    for (Index i = kProbeWords; i < probe.rows(); ++i) {
        const Index earlier = i - kProbeWords;
        if (earlier < skip) continue;
        const Scalar all = probe.row(i).tail(probe.cols() - skip).sum();
        if (!std::isfinite(all)) return std::numeric_limits<Scalar>::quiet_NaN();
        if (!(all > 0)) continue;
        sum += probe(i, earlier + 1) / all;
        ++n;
    }
    return n == 0 ? Scalar(0) : sum / static_cast<Scalar>(n);
}

std::optional<HeadLabel> head_label(const Matrix& metrics, std::span<const Scalar> chance) {
    HeadLabel best{HeadMetric::Previous, -1};
    for (const HeadMetric metric : {HeadMetric::Previous, HeadMetric::Next, HeadMetric::First,
                                    HeadMetric::Duplicate, HeadMetric::Induction}) {
        const Scalar value = metrics(0, static_cast<Index>(metric));
        if (value < kLeastLabel || !(value > chance[static_cast<std::size_t>(metric)])) continue;
        if (value > best.value) best = {metric, value};
    }
    if (best.value < 0) return std::nullopt;
    return best;
}

namespace {

/// Returns the label. Repeated words are counted only for a head that would be named after them.
std::optional<HeadLabel> told_label(const Trace& trace, const Matrix& metrics,
                                    std::span<const Scalar> chance) {
    const auto label = head_label(metrics, chance);
    const bool is_of_repeats =
        label && (label->metric == HeadMetric::Duplicate || label->metric == HeadMetric::Induction);
    if (!is_of_repeats || repeats_itself(trace)) return label;
    Matrix told = metrics;
    told(0, Index(HeadMetric::Duplicate)) = 0;
    if (induction_place(trace) == kOnText) told(0, Index(HeadMetric::Induction)) = 0;
    return head_label(told, chance);
}

}  // namespace

std::optional<HeadLabel> head_label(const Trace& trace, const std::string& attention, int head) {
    const Tensor* metrics = trace.find(fmt::format("{}.heads.{}.metrics", attention, head));
    const Tensor* chance = trace.find(kChancePath);
    if (!metrics || !metrics->value || !chance || !chance->value) return std::nullopt;
    for (Index l = 0; l < chance->rows().size; ++l)
        if (axis_label(trace, chance->rows(), l) == attention)
            return told_label(
                trace, *metrics->value,
                {chance->value->row(l).data(), static_cast<std::size_t>(chance->columns().size)});
    return std::nullopt;
}

const char* label_text(HeadMetric metric) {
    static constexpr const char* kTexts[] = {
        "entropy",         "distance",  "previous token", "next token", "first token",
        "duplicate token", "induction", "symmetry",       "sparsity",   "norm"};
    return kTexts[static_cast<std::size_t>(metric)];
}

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

std::vector<HeadTally> empty_tally(const Trace& trace) {
    std::vector<HeadTally> tally;
    const Components components = make_components(trace.plan());
    for (const Component& component : components)
        for (int h = 0; h < component.n_heads; ++h)
            if (find_of_head(trace, component, h, Role::Metrics))
                tally.push_back(
                    {component.path, h, std::vector<Moments>(measured_metric_names().size())});
    return tally;
}

constexpr auto kInduction = static_cast<std::size_t>(HeadMetric::Induction);

/// The words of each sentence of a text, numbered; −1 is padding.
std::vector<std::span<const Index>> sentences_of(const Tensor& metrics) {
    const std::vector<Index>& words = *metrics.settings().indices;
    const Index rows = metrics.settings().group_rows;
    const std::size_t n = rows > 0 ? static_cast<std::size_t>(rows) : words.size();
    std::vector<std::span<const Index>> sentences;
    for (std::size_t at = 0; at < words.size(); at += n)
        sentences.push_back(std::span(words).subspan(at, std::min(n, words.size() - at)));
    return sentences;
}

/// The rows that a metric counts.
enum class CountedTokens { All, WithEarlierSame, WithSeveralKeys };
CountedTokens counted_tokens(HeadMetric metric) {
    switch (metric) {
        case HeadMetric::Previous:
        case HeadMetric::Next:
        case HeadMetric::First:
        case HeadMetric::Sparsity:  // of one weight: 0 / 0
            return CountedTokens::WithSeveralKeys;
        case HeadMetric::Duplicate:
            return CountedTokens::WithEarlierSame;
        default:
            return CountedTokens::All;
    }
}

/// True if the metric counts any of a sentence's rows; the tokens before `first` are left out.
bool has_rows(HeadMetric metric, std::span<const Index> words, std::size_t first) {
    switch (counted_tokens(metric)) {
        case CountedTokens::WithSeveralKeys:
            return words.size() > first + 1 && words[first + 1] >= 0;
        case CountedTokens::WithEarlierSame: {
            std::unordered_set<Index> seen;
            for (std::size_t i = first; i < words.size(); ++i)
                if (words[i] >= 0 && !seen.insert(words[i]).second) return true;
            return false;
        }
        case CountedTokens::All:
            break;
    }
    return words.size() > first;
}

Index first_row(const Tensor& metrics, MetricRows rows) {
    return rows == MetricRows::WithoutFirst ? std::min<Index>(1, metrics.value->rows() - 1) : 0;
}

}  // namespace

void Moments::add(double x) {
    if (std::isnan(x)) return;
    low = n == 0 ? x : std::min(low, x);
    high = n == 0 ? x : std::max(high, x);
    ++n;
    const double before = x - mean;
    mean += before / static_cast<double>(n);
    square += before * (x - mean);
}

double Moments::deviation() const {
    return n > 1 ? std::sqrt(square / static_cast<double>(n - 1)) : kNoNumber;
}

std::vector<std::string> measured_metric_names() {
    const auto names = head_metric_names();
    std::vector<std::string> all(names.begin(), names.end());
    all.push_back("induction on probe");
    return all;
}

bool is_measured(const Tensor& metrics, MetricRows rows) {
    return !std::isnan(
        (*metrics.value)(first_row(metrics, rows), static_cast<Index>(HeadMetric::Entropy)));
}

double measured_metric(const Tensor& metrics, HeadMetric metric, MetricRows rows) {
    const Index row = first_row(metrics, rows);
    const auto number = static_cast<double>((*metrics.value)(row, static_cast<Index>(metric)));
    if (!metrics.settings().indices) return number;  // of the edges of a graph
    const bool has_any =
        std::ranges::any_of(sentences_of(metrics), [&](std::span<const Index> words) {
            return has_rows(metric, words, static_cast<std::size_t>(row));
        });
    return has_any ? number : kNoNumber;
}

std::string texts_without(HeadMetric metric, MetricRows rows) {
    switch (counted_tokens(metric)) {
        case CountedTokens::WithEarlierSame:
            return "that repeat no word";
        case CountedTokens::WithSeveralKeys:
            return rows == MetricRows::All ? "of one token" : "of one or two tokens";
        case CountedTokens::All:
            break;
    }
    return "";
}

std::vector<double> measured_metrics(const Trace& trace, const Tensor& metrics, MetricRows rows) {
    const std::size_t n = head_metric_names().size();
    std::vector<double> numbers(n + 1, kNoNumber);
    for (std::size_t m = 0; m < n; ++m)
        numbers[m] = measured_metric(metrics, static_cast<HeadMetric>(m), rows);
    if (!is_induction_of_text(trace.plan())) std::swap(numbers[kInduction], numbers[n]);
    return numbers;
}

double measured_on_probe(const Trace& trace, const Tensor& metrics, MetricRows rows) {
    if (!is_induction_of_text(trace.plan())) return measured_metrics(trace, metrics, rows).back();
    Location head = metrics.identity();
    head.network = Network::Probe;
    const Tensor* pattern = trace.find(head.at(Role::Pattern).path);
    if (!pattern || !pattern->value) return kNoNumber;
    const Matrix& A = *pattern->value;
    return static_cast<double>(
        induction_on_probe({A.data(), A.rows(), A.cols()}, first_row(metrics, rows)));
}

std::vector<std::string> add_text(std::vector<HeadTally>& tally, const Trace& trace,
                                  MetricRows rows) {
    if (tally.empty()) tally = empty_tally(trace);
    const auto metrics_of = [&](const HeadTally& head) -> const Tensor& {
        return trace.at(fmt::format("{}.heads.{}.metrics", head.attention, head.head));
    };
    std::vector<std::string> unmeasured;
    for (const HeadTally& head : tally)
        if (const Tensor& metrics = metrics_of(head); !is_measured(metrics, rows))
            unmeasured.push_back(metrics.identity().at(Role::Pattern).path);
    if (unmeasured.size() == tally.size()) return unmeasured;
    for (HeadTally& head : tally) {
        const Tensor& metrics = metrics_of(head);
        if (!is_measured(metrics, rows)) continue;
        const std::vector<double> numbers = measured_metrics(trace, metrics, rows);
        for (std::size_t m = 0; m < numbers.size(); ++m) head.metrics[m].add(numbers[m]);
    }
    return unmeasured;
}

}  // namespace headlight
