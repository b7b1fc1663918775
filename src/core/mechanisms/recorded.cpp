#include "core/mechanisms/recorded.h"

#include "core/analyses/across_layers.h"
#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "core/mechanisms/add_tensor.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

/// With more tokens, the flow between all pairs takes too long.
constexpr Index kMostFlowTokens = 64;

}  // namespace

Plan plan_recorded(RecordedPatterns patterns) {
    if (patterns.tokens.empty()) throw Error("recording", "there is no token");
    if (!patterns.source) throw Error("recording", "its file is not open");
    const auto n = static_cast<Index>(patterns.tokens.size());
    const Axis query{AxisKind::Query, n}, key{AxisKind::Key, n};
    Plan plan;
    plan.lists[0].names =
        std::make_shared<const std::vector<std::string>>(std::move(patterns.tokens));
    LayerRange layers{.attentions = {},
                      .n_heads = patterns.n_heads,
                      .has_residual = true,
                      .output = {},
                      .has_flow = n <= kMostFlowTokens,
                      .words = word_numbers(plan.items())};
    for (int l = 0; l < patterns.n_layers; ++l)
        layers.attentions.push_back({.component = ComponentKind::Attention, .layer = l});
    AcrossLayers across(plan, layers);
    for (int l = 0; l < patterns.n_layers; ++l) {
        const Location& attention = layers.attentions[static_cast<std::size_t>(l)];
        for (int h = 0; h < patterns.n_heads; ++h)
            add_result(plan,
                       {attention.of_head(h).at(Role::Pattern), "A", query, key, Stage::Score,
                        Quantity::Probability, Keep::WhenSmall},
                       "recorded", operations::recorded, {},
                       {.begin = Index(l) * patterns.n_heads + h, .source = patterns.source});
        across.add_layer();
    }
    across.finish();
    add_recorded_metrics(plan, layers.attentions, patterns.n_heads, layers.words);
    return plan;
}

}  // namespace headlight
