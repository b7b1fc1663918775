#include "core/analyses/head_metrics.h"

#include <unordered_map>

#include "core/mechanisms/add_tensor.h"
#include "core/operations/analysis_operations.h"
#include "core/operations/mask_operations.h"

namespace headlight {

std::span<const char* const> head_metric_names() {
    static constexpr const char* kNames[] = {"entropy",  "distance",  "previous",  "next",
                                             "first",    "duplicate", "induction", "symmetry",
                                             "sparsity", "norm"};
    return kNames;
}

std::vector<std::string> probe_words() {
    std::vector<std::string> words;
    for (Index i = 0; i < 2 * kProbeWords; ++i)
        words.push_back("r" + std::to_string(i % kProbeWords));
    return words;
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
    const std::vector<std::string>& paths;
    int count;
    const std::vector<Index>& words;
};

enum class Known { Everything, Patterns };

/// What the metrics of one head are read off.
std::vector<TensorId> metric_inputs(const Trace& trace, const std::string& head, Known known) {
    std::vector<TensorId> inputs{trace.id_of(head + ".pattern")};
    if (known == Known::Patterns) return inputs;
    inputs.push_back(trace.id_of(head + ".norm_weighted"));
    inputs.push_back(trace.id_of("probe." + head + ".pattern"));
    return inputs;
}

bool is_known(HeadMetric metric, Known known) {
    return known == Known::Everything ||
           (metric != HeadMetric::Induction && metric != HeadMetric::Norm);
}

void add_metrics(Trace& trace, const Heads& of, Known known) {
    const auto names = head_metric_names();
    const auto named = [&](const char* noun, std::vector<std::string> list) {
        const auto size = static_cast<Index>(list.size());
        return Axis{AxisKind::Named, size, trace.add_list(noun, std::move(list))};
    };
    const Axis metrics = named("metric", {names.begin(), names.end()});
    const Axis which = named("tokens", {"all tokens", "without the first"});
    const auto numbers = std::make_shared<const std::vector<Index>>(of.words);
    std::vector<TensorId> all;
    for (const std::string& path : of.paths)
        for (int h = 0; h < of.count; ++h) {
            const std::string head = path + ".heads." + std::to_string(h);
            std::vector<TensorId> inputs = metric_inputs(trace, head, known);
            const Axis rows = trace[inputs[0]].rows;
            if (known == Known::Patterns && rows.size > 2 * kOverviewSide)
                add_result(trace,
                           {head + ".overview",
                            "A small",
                            {AxisKind::Position, kOverviewSide},
                            {AxisKind::Position, kOverviewSide},
                            Stage::Output,
                            Quantity::Probability,
                            Keep::OnDemand},
                           "max of what falls on a cell", operations::overview, {inputs[0]}, {});
            all.push_back(add_result(
                trace,
                {head + ".metrics", "metrics", which, metrics, Stage::Output, Quantity::Amount,
                 Keep::OnDemand},
                "what the head does", operations::head_metrics, std::move(inputs),
                {.group_rows = rows.groups > 1 ? rows.size / rows.groups : 0, .indices = numbers}));
        }
    const Axis layers = named("attention", of.paths), heads{AxisKind::Head, of.count};
    for (std::size_t m = 0; m < names.size(); ++m)
        if (is_known(static_cast<HeadMetric>(m), known))
            add_result(trace,
                       {std::string("metrics.") + names[m], names[m], layers, heads, Stage::Output,
                        Quantity::Amount, Keep::OnDemand},
                       "of every head", operations::collect_metric, all,
                       {.begin = static_cast<Index>(m)});
}

}  // namespace

void add_head_metrics(Trace& trace, const std::vector<std::string>& paths, int n_heads,
                      const std::vector<Index>& words) {
    add_metrics(trace, {paths, n_heads, words}, Known::Everything);
}

void add_recorded_metrics(Trace& trace, const std::vector<std::string>& paths, int n_heads,
                          const std::vector<Index>& words) {
    add_metrics(trace, {paths, n_heads, words}, Known::Patterns);
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

std::optional<HeadLabel> head_label(const Trace& trace, const std::string& attention, int head) {
    const Tensor* metrics = trace.find(attention + ".heads." + std::to_string(head) + ".metrics");
    const Tensor* chance = trace.find(kChancePath);
    if (!metrics || !metrics->value || !chance || !chance->value) return std::nullopt;
    for (Index l = 0; l < chance->rows.size; ++l)
        if (axis_label(trace, chance->rows, l) == attention)
            return head_label(*metrics->value, {chance->value->row(l).data(),
                                                static_cast<std::size_t>(chance->columns.size)});
    return std::nullopt;
}

const char* label_text(HeadMetric metric) {
    static constexpr const char* kTexts[] = {
        "entropy",         "distance",  "previous token", "next token", "first token",
        "duplicate token", "induction", "symmetry",       "sparsity",   "norm"};
    return kTexts[static_cast<std::size_t>(metric)];
}

}  // namespace headlight
