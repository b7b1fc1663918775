// The studies that are ready: one for each mechanism at least, and each can be evaluated.
#include "model/presets.h"

#include <doctest/doctest.h>
#include <set>

#include "core/plan.h"
#include "model/evaluate.h"

namespace headlight::presets_test {

TEST_CASE("presets: names are unique, short and valid on the command line") {
    std::set<std::string_view> names;
    for (const Preset& preset : presets()) {
        INFO(preset.name);
        CHECK(names.insert(preset.name).second);
        CHECK(preset.name.size() <= 20);
        CHECK(preset.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
              std::string_view::npos);
        CHECK(preset.what.ends_with('.'));
        CHECK(find_preset(preset.name) != nullptr);
    }
    CHECK(find_preset("nothing") == nullptr);
}

TEST_CASE("presets: every preset can be evaluated, and no two are equal") {
    for (const Preset& preset : presets()) {
        INFO(preset.name);
        CHECK_NOTHROW(evaluate(preset.make(), nullptr, {}));
        for (const Preset& other : presets())
            CHECK(((&preset == &other) == (preset.make() == other.make())));
    }
}

TEST_CASE("presets: no untrained study opens on a row that seems to have understood the sentence") {
    const std::string text = built_in_sentence().sentence()->text;
    int n_studies = 0;
    for (const Preset& preset : presets()) {
        const Document document = preset.make();
        if (!document.sentence() || document.sentence()->text != text || document.weights) continue;
        INFO(preset.name);
        ++n_studies;
        const Trace trace = evaluate(document, nullptr, {});
        const Tensor& pattern = trace.at("blocks.0.attn.heads.0.pattern");
        const Index it = find_on_axis(trace, pattern.rows(), "it").front();
        for (const char* word : {"cat", "street", "tired"})
            CHECK((*pattern.value)(it, find_on_axis(trace, pattern.columns(), word).front()) <
                  Scalar(0.25));
    }
    CHECK(n_studies > 20);
}

TEST_CASE("presets: each preset has the tensors of its mechanism") {
    const std::pair<const char*, const char*> shown[] = {
        {"shared", "blocks.0.attn.heads.0.W_S"},
        {"gqa", "blocks.0.attn.kv.1.k"},
        {"bilinear", "blocks.0.attn.heads.0.W_a"},
        {"additive", "blocks.0.attn.heads.0.hidden"},
        {"rope", "blocks.0.attn.heads.0.rot_q"},
        {"shaw", "blocks.0.attn.rel_K"},
        {"t5-bias", "blocks.0.attn.rel_bias"},
        {"quadratic", "blocks.0.attn.alpha"},
        {"encoder", "blocks.1.mlp.post"},
        {"language-model", "probs"},
        {"kv-cache", "decoding.out"},
        {"cross-attention", "blocks.0.cross.heads.0.pattern"},
        {"transformer", "decoder.blocks.0.cross.heads.0.pattern"},
        {"bahdanau", "decoder.steps.0.c"},
        {"image", "patches"},
        {"convolution", "difference"},
        {"gatv2", "gat.0.heads.0.ranking"},
        {"edge-features", "edge_features"},
        {"graph-transformer", "blocks.0.attn.heads.0.pattern"},
        {"rollout", "across.rollout"},
        {"head-metrics", "blocks.3.attn.heads.11.metrics"},
        {"attention", "blocks.0.attn.heads.0.QK"}};
    for (const auto& [name, path] : shown) {
        INFO(name);
        const Preset* preset = find_preset(name);
        REQUIRE(preset);
        CHECK_MESSAGE(plan(preset->make())->find(path), path);
    }
}

}  // namespace headlight::presets_test
