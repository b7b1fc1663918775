#include "core/analyses/head_tally.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/error.h"

namespace headlight {
namespace {

std::vector<HeadTally> empty_tally(const Trace& trace) {
    std::vector<HeadTally> tally;
    const Components components = make_components(trace.plan());
    for (const Component& component : components)
        for (int h = 0; h < component.n_heads; ++h)
            if (find_of_head(trace, component, h, Role::Metrics))
                tally.push_back(
                    {component.path, h, std::vector<Moments>(tallied_metrics().size())});
    return tally;
}

bool has_repeated_word(const std::vector<Index>& words, std::size_t first) {
    std::unordered_set<Index> seen;
    for (std::size_t i = first; i < words.size(); ++i)
        if (words[i] >= 0 && !seen.insert(words[i]).second) return true;
    return false;
}

/// Whether the metric counts any of a text's rows; the tokens before the first one are left out.
bool has_rows(HeadMetric metric, const std::vector<Index>& words, std::size_t first) {
    switch (metric) {
        case HeadMetric::Previous:
        case HeadMetric::Next:
        case HeadMetric::First:
            return words.size() > first + 1;
        case HeadMetric::Duplicate:
            return has_repeated_word(words, first);
        default:
            return words.size() > first;
    }
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
    return n > 1 ? std::sqrt(square / static_cast<double>(n - 1)) : 0;
}

std::vector<std::string> tallied_metrics() {
    const auto names = head_metric_names();
    std::vector<std::string> all(names.begin(), names.end());
    all.push_back("induction on probe");
    return all;
}

void add_text(std::vector<HeadTally>& tally, const Trace& trace, bool without_first) {
    if (tally.empty()) tally = empty_tally(trace);
    const bool is_on_text = induction_place(trace.plan()).starts_with("where");
    const auto induction = static_cast<std::size_t>(HeadMetric::Induction);
    for (HeadTally& head : tally) {
        const std::string path =
            head.attention + ".heads." + std::to_string(head.head) + ".metrics";
        const Tensor& metrics = trace.at(path);
        const Index row = without_first ? std::min<Index>(1, metrics.value->rows() - 1) : 0;
        const std::size_t n_metrics = head_metric_names().size();
        const std::vector<Index>& words = *metrics.settings().indices;
        for (std::size_t m = 0; m < n_metrics; ++m) {
            if (!has_rows(static_cast<HeadMetric>(m), words, static_cast<std::size_t>(row)))
                continue;
            const bool is_on_probe = m == induction && !is_on_text;
            head.metrics[is_on_probe ? n_metrics : m].add(
                static_cast<double>((*metrics.value)(row, static_cast<Index>(m))));
        }
    }
}

}  // namespace headlight
