#include "model/chance_levels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <type_traits>

#include "core/analyses/head_metrics.h"
#include "core/compute.h"
#include "core/mechanisms/add_tensor.h"
#include "core/operations/mask_operations.h"
#include "model/settings/settings.h"

namespace headlight {

namespace {

constexpr int kWidestModel = 64;
constexpr int kLeastHeads = 64, kFewestSeeds = 8;  // of a layer; heads of all seeds together
constexpr std::uint64_t kFirstSeed = 0x5eed0000;   // an unlikely choice for a study's seed
constexpr double kDeviations = 5;

int smaller(int width, int factor) {
    return width > 0 ? std::max(1, width / factor) : width;
}

/// Divides all widths by the same number: the effects of random weights depend on the ratios of
/// widths.
StackSettings made_small(StackSettings settings) {
    settings.unembedding = Unembedding::None;
    const int factor = (settings.d_model + kWidestModel - 1) / kWidestModel;
    if (factor <= 1) return settings;
    AttentionSettings& attention = settings.attention;
    settings.d_model = smaller(settings.d_model, factor);
    settings.block.d_ff = smaller(settings.block.d_ff, factor);
    attention.d_hidden = smaller(attention.d_hidden, factor);
    for (Widths* widths : {&attention.d_k, &attention.d_v})
        for (int& width : widths->values) width = smaller(width, factor);
    attention.output = Switch::On;  // heads need not fit side by side
    return settings;
}

/// Accumulates mean, deviation and maximum of numbers that come one by one.
struct Spread {
    double sum = 0, squares = 0, largest = 0;
    int count = 0;

    void add(double value) {
        if (!std::isfinite(value)) return;
        sum += value;
        squares += value * value;
        largest = std::max(largest, value);
        ++count;
    }
    double level() const {
        if (count == 0) return 0;
        const double mean = sum / count;
        const double variance = std::max(0.0, squares / count - mean * mean);
        return std::max(largest, mean + kDeviations * std::sqrt(variance));
    }
};

using Spreads = std::vector<std::vector<Spread>>;  // by layer, then by metric

Spreads measure_spreads(const StackSettings& shape, const std::vector<Words>& sentences) {
    const StackSettings settings = made_small(shape);
    const int n_heads = std::max(1, settings.attention.n_heads);
    const int n_seeds = std::max(kFewestSeeds, (kLeastHeads + n_heads - 1) / n_heads);
    Spreads spreads(static_cast<std::size_t>(settings.n_layers),
                    std::vector<Spread>(head_metric_names().size()));
    const Watched metrics{.everything = false, .globs = {"blocks.*.metrics"}};
    for (int s = 0; s < n_seeds; ++s) {
        const std::uint64_t seed = kFirstSeed + static_cast<std::uint64_t>(s);
        const Trace trace =
            compute(plan_head_metrics(sentences, settings, seed), {}, metrics, nullptr);
        for (const Tensor& tensor : trace.tensors()) {
            if (tensor.identity().role != Role::Metrics) continue;
            auto& spread = spreads[static_cast<std::size_t>(tensor.identity().layer)];
            for (std::size_t m = 0; m < spread.size(); ++m)
                spread[m].add(static_cast<double>((*tensor.value)(0, static_cast<Index>(m))));
        }
    }
    return spreads;
}

// ---- settings as numbers, so that equal settings are recognised ----

struct NumbersOut {
    std::vector<Scalar> numbers;

    void section(const char*) {}
    void number(const Field&, auto& value, auto) { put(value); }
    void choice(const Field&, auto& value, const auto&) { put(value); }
    void flag(const Field&, Switch& value) { put(value); }
    void group(const Field&, auto& settings) { visit_fields(settings, *this); }
    void widths(const Field&, Widths& value, WidthRange) {
        put(value.values.size());
        for (const int width : value.values) put(width);
    }
    void put(auto value) { numbers.push_back(static_cast<Scalar>(value)); }
};

struct NumbersIn {
    ConstView numbers;
    Index row, at = 0;

    void section(const char*) {}
    void number(const Field&, auto& value, auto) { take(value); }
    void choice(const Field&, auto& value, const auto&) { take(value); }
    void flag(const Field&, Switch& value) { take(value); }
    void group(const Field&, auto& settings) { visit_fields(settings, *this); }
    void widths(const Field&, Widths& value, WidthRange) {
        std::size_t n = 0;
        take(n);
        value.values.resize(n);
        for (int& width : value.values) take(width);
    }
    template <typename Value>
    void take(Value& value) {
        if constexpr (std::is_floating_point_v<Value>)
            value = static_cast<Value>(numbers(row, at++));
        else
            value = static_cast<Value>(static_cast<int>(numbers(row, at++)));
    }
};

Matrix pack_settings(const std::vector<StackSettings>& all) {
    std::vector<std::vector<Scalar>> rows;
    std::size_t width = 0;
    for (StackSettings settings : all) {
        NumbersOut out;
        visit_fields(settings, out);
        width = std::max(width, out.numbers.size());
        rows.push_back(std::move(out.numbers));
    }
    Matrix numbers = Matrix::Zero(std::ssize(rows), static_cast<Index>(width));
    for (std::size_t i = 0; i < rows.size(); ++i)
        std::ranges::copy(rows[i], numbers.row(static_cast<Index>(i)).data());
    return numbers;
}

StackSettings unpack_settings(ConstView numbers, Index row) {
    StackSettings settings;
    NumbersIn in{numbers, row};
    visit_fields(settings, in);
    return settings;
}

// ---- sentences: only their beginning counts, and which words are equal ----

std::vector<Words> first_sentences(const std::vector<Words>& sentences) {
    constexpr auto kMost = static_cast<std::size_t>(kMostChanceWords);
    std::vector<Words> beginning;
    std::size_t longest = 0;
    for (const Words& sentence : sentences) {
        const std::size_t n = std::min(sentence.size(), kMost);
        longest = std::max(longest, n);
        if (!beginning.empty() && longest * (beginning.size() + 1) > kMost) break;
        beginning.emplace_back(sentence.begin(), sentence.begin() + static_cast<std::ptrdiff_t>(n));
    }
    return beginning;
}

OperationSettings operation_settings(const RandomHeads& of) {
    Words words;
    std::vector<Index> lengths;
    for (const Words& sentence : first_sentences(of.sentences)) {
        lengths.push_back(std::ssize(sentence));
        words.insert(words.end(), sentence.begin(), sentence.end());
    }
    // Every word is replaced by a number, except separators of documents.
    const std::vector<Index> numbers = word_numbers(words);
    for (std::size_t i = 0; i < words.size(); ++i)
        if (numbers[i] >= 0 && words[i] != kSeparatorWord)
            words[i] = fmt::format("w{}", numbers[i]);
    return {.names = std::make_shared<const Words>(std::move(words)),
            .indices = std::make_shared<const std::vector<Index>>(std::move(lengths)),
            .values = std::make_shared<const Matrix>(pack_settings(of.settings))};
}

std::vector<Words> unpack_sentences(const OperationSettings& settings) {
    std::vector<Words> sentences;
    auto word = settings.names->begin();
    for (const Index length : *settings.indices) {
        sentences.emplace_back(word, word + length);
        word += length;
    }
    return sentences;
}

void chance_levels_forward(const Call& call, View levels) {
    levels.setZero();
    const std::vector<Words> sentences = unpack_sentences(call.settings);
    const ConstView numbers = view(*call.settings.values);
    for (Index k = 0; k < numbers.rows(); ++k) {
        const Spreads spreads = measure_spreads(unpack_settings(numbers, k), sentences);
        for (Index l = 0; l < call.rows; ++l) {
            const auto& layer = spreads[std::min(static_cast<std::size_t>(l), spreads.size() - 1)];
            for (Index m = 0; m < call.columns; ++m)
                levels(l, m) = std::max(
                    levels(l, m), static_cast<Scalar>(layer[static_cast<std::size_t>(m)].level()));
        }
    }
}

Explanation chance_levels_explain(const Call&, ConstView levels, Index l, Index m) {
    return {.rule = "max(mean + 5 deviations, largest) over random weights of this shape",
            .terms = {},
            .sum = 0,
            .finish = {{"from fixed seeds", levels(l, m)}}};
}

}  // namespace

void add_chance_levels(Plan& plan, const RandomHeads& of) {
    const PlannedTensor* metric = plan.find("metrics.previous");
    if (!metric) return;
    const Axis attentions = metric->rows;
    const auto names = head_metric_names();
    const Axis metrics{AxisKind::Named, std::ssize(names),
                       plan.add_list("metric", {names.begin(), names.end()})};
    add_result(plan,
               {Location{.component = ComponentKind::Analyses}.at(kChancePath), "chance",
                attentions, metrics, Stage::Output, Quantity::Amount, Keep::OnDemand},
               "max(μ + 5σ, largest) over heads with random weights", operations::chance_levels, {},
               operation_settings(of));
}

std::vector<StackSettings> likely_settings() {
    StackSettings open;
    open.positions = Positions::None;
    StackSettings causal = open;
    causal.mask.causal = Switch::On;
    return {open, causal};
}

namespace operations {

const Operation chance_levels{
    "chance levels",
    {"Chance", "What heads with random weights reach: mean plus five deviations, or the largest."},
    kWhole,
    chance_levels_forward,
    nullptr,
    chance_levels_explain};

}  // namespace operations
}  // namespace headlight
