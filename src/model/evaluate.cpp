#include "model/evaluate.h"

#include "core/error.h"
#include "model/edits.h"
#include "text/words.h"

namespace headlight {
namespace {

void check_range(const char* setting, int value, int most) {
    if (value < 1 || value > most)
        throw Error("study", std::string(setting) + " is " + std::to_string(value) +
                                 ", it can be 1 to " + std::to_string(most));
}

Trace plan_study(const SentenceStudy& study, std::uint64_t seed) {
    const SelfAttentionSettings& layer = study.layer;
    check_range("layers", layer.n_layers, kMaxLayers);
    check_range("heads", layer.n_heads, kMaxHeads);
    check_range("d_model", layer.d_model, kMaxWidth);
    check_range("d_k", layer.d_k, kMaxWidth);
    check_range("d_v", layer.d_v, kMaxWidth);
    const std::vector<std::string> words = split_words(study.text);
    check_word_count(words.size());
    return plan_self_attention(words, layer, seed);
}

Trace plan_study(const GraphStudy& study, std::uint64_t seed) {
    const GraphAttentionSettings& layer = study.layer;
    check_range("heads", layer.n_heads, kMaxHeads);
    check_range("d_in", layer.d_in, kMaxWidth);
    check_range("d_out", layer.d_out, kMaxWidth);
    if (!(layer.slope >= 0 && layer.slope <= 1))
        throw Error("study",
                    "the LeakyReLU slope is " + std::to_string(layer.slope) + ", it can be 0 to 1");
    std::vector<std::string> names;
    names.reserve(study.graph.nodes.size());
    for (const Node& node : study.graph.nodes) names.push_back(node.name);
    return plan_graph_attention(names, readings(study), layer, seed);
}

}  // namespace

Trace plan(const Document& document) {
    return std::visit([&](const auto& study) { return plan_study(study, document.seed); },
                      document.study);
}

Trace evaluate(const Document& document, const Trace* previous, const Watched& watched) {
    return compute(plan(document), document.holds, watched, previous);
}

}  // namespace headlight
