#include "core/analyses/head_tally.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_set>
#include <utility>

#include "core/error.h"

namespace headlight {
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

bool has_repeated_word(std::span<const Index> words, std::size_t first) {
    std::unordered_set<Index> seen;
    for (std::size_t i = first; i < words.size(); ++i)
        if (words[i] >= 0 && !seen.insert(words[i]).second) return true;
    return false;
}

/// The rows that a metric counts.
enum class CountedTokens { All, WithKeyBefore, WithEarlierSame, WithSeveralKeys };
CountedTokens counted_tokens(HeadMetric metric) {
    switch (metric) {
        case HeadMetric::Previous:
        case HeadMetric::Next:
        case HeadMetric::First:
            return CountedTokens::WithKeyBefore;
        case HeadMetric::Duplicate:
            return CountedTokens::WithEarlierSame;
        case HeadMetric::Sparsity:  // of one weight: 0 / 0
            return CountedTokens::WithSeveralKeys;
        default:
            return CountedTokens::All;
    }
}

/// Whether the metric counts any of a sentence's rows; the tokens before the first one are left
/// out.
bool has_rows(HeadMetric metric, std::span<const Index> words, std::size_t first) {
    switch (counted_tokens(metric)) {
        case CountedTokens::WithKeyBefore:
            return words.size() > first + 1 && words[first + 1] >= 0;
        case CountedTokens::WithEarlierSame:
            return has_repeated_word(words, first);
        case CountedTokens::WithSeveralKeys:
            return words.size() > 1 && words[1] >= 0;
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

std::string texts_without(HeadMetric metric) {
    switch (counted_tokens(metric)) {
        case CountedTokens::WithEarlierSame:
            return "that repeat no word";
        case CountedTokens::WithKeyBefore:
        case CountedTokens::WithSeveralKeys:
            return "of one token";
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
        return trace.at(head.attention + ".heads." + std::to_string(head.head) + ".metrics");
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
