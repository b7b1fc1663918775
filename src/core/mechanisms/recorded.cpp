#include "core/mechanisms/recorded.h"

#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "core/mechanisms/add_tensor.h"
#include "core/operations/operations.h"

namespace headlight {

Trace plan_recorded(RecordedPatterns patterns) {
    if (patterns.tokens.empty()) throw Error("recording", "there is no token");
    if (!patterns.source) throw Error("recording", "its file is not open");
    const auto n = static_cast<Index>(patterns.tokens.size());
    const Axis query{AxisKind::Query, n}, key{AxisKind::Key, n};
    Trace trace;
    trace.lists[0].names =
        std::make_shared<const std::vector<std::string>>(std::move(patterns.tokens));
    std::vector<std::string> attentions;
    for (int l = 0; l < patterns.n_layers; ++l) {
        attentions.push_back("blocks." + std::to_string(l) + ".attn");
        for (int h = 0; h < patterns.n_heads; ++h)
            add_result(trace,
                       {attentions.back() + ".heads." + std::to_string(h) + ".pattern", "A", query,
                        key, Stage::Score, Quantity::Probability, Keep::WhenSmall},
                       "recorded", operations::recorded, {},
                       {.begin = Index(l) * patterns.n_heads + h, .source = patterns.source});
    }
    add_recorded_metrics(trace, attentions, patterns.n_heads, word_numbers(trace.items()));
    return trace;
}

}  // namespace headlight
