// The statements of ready-made studies about themselves are true of their numbers.
#include "model/claims.h"

#include <algorithm>

#include "core/analyses/head_metrics.h"
#include "core/operations/score_operations.h"

namespace headlight::claims_test {

TEST_CASE("claims: every statement of a ready-made study about itself is true of its numbers") {
    Claims claims = score_claims();
    claims.merge(layer_claims());
    claims.merge(other_claims());
    CHECK(claims.size() == presets().size());
    for (const Preset& preset : presets()) {
        INFO(preset.name);
        const auto claim = claims.find(preset.name);
        REQUIRE(claim != claims.end());
        CHECK(std::string(preset.what) == claim->second.what);
        claim->second.check();
    }
}

TEST_CASE("claims: a statement about equal words belongs to a sentence that has them") {
    const std::vector<Index> words = word_numbers(plan(ready("no-positions"))->items());
    CHECK(*std::ranges::max_element(words) + 1 < std::ssize(words));
}

// ---- docs/mechanisms.md ----

TEST_CASE("claims: ALiBi's slopes of six heads are every second one of eight after those of four") {
    const Scalar slopes[] = {0.25f, 0.0625f, 0.015625f, 0.00390625f, 0.5f, 0.125f};
    for (int h = 0; h < 6; ++h) CHECK(operations::alibi_slope(h, 6) == slopes[h]);
}

TEST_CASE("claims: row j − i + c of rel_K belongs to the distance j − i") {
    Document document = ready("shaw");
    Intervention& intervention = document.interventions["blocks.0.attn.rel_K"];
    for (Index d = 0; d < 8; ++d) intervention.set(4 + 1, d, 0);
    const Matrix S = at(computed(document), head(0, "position_scores"));
    for (Index i = 0; i + 1 < S.rows(); ++i) CHECK(S(i, i + 1) == 0);
    CHECK(S(1, 0) != 0);
}

TEST_CASE("claims: a tied W_U is words × d_model; shared projections are one matrix per group") {
    const Trace trace(plan(ready("language-model")));
    CHECK(trace.at("W_U").rows().size == trace.at("logits").columns().size);
    CHECK(trace.at("W_U").columns().size == 32);
    Document document = ready("gqa");
    AttentionSettings& attention = document.sentence()->layer.attention;
    attention.key = attention.query = Projection::Shared;
    CHECK(has(Trace(plan(document)), "blocks.0.attn.kv.1.W_S"));
    CHECK_FALSE(has(Trace(plan(document)), "blocks.0.attn.heads.0.W_Q"));
}

TEST_CASE("claims: learned positions of several sentences repeat W_pos") {
    Document document = ready("learned-positions");
    CHECK_FALSE(has(Trace(plan(document)), "W_pos"));
    document.sentence()->text = "a b c\nd e f";
    const Trace trace = computed(document);
    CHECK(far(at(trace, "pos_embed").bottomRows(3), at(trace, "W_pos")) == 0);
}

TEST_CASE("claims: decoding differs by rounding only, and states how many words it can take") {
    Document document = ready("kv-cache");
    document.sentence()->layer.n_layers = 4;
    CHECK(at(computed(document), "decoding.difference").cwiseAbs().maxCoeff() < Scalar(1e-4));
    document = ready("kv-cache");
    std::string& text = document.sentence()->text;
    text = "w";
    for (int i = 1; i < 372; ++i) text += " w";
    CHECK_NOTHROW(plan(document));
    text += " w";
    CHECK_THROWS(plan(document));
}

TEST_CASE("claims: a recurrent decoder begins with <start> and ends with <end>") {
    const Trace trace(plan(ready("bahdanau")));
    const Index n_words = trace.at("logits").columns().size;
    CHECK(axis_label(trace, trace.at("decoder.embed").rows(), 0) == "<start>");
    CHECK(trace.at("decoder.embed").rows().size == n_words + 1);
    CHECK(axis_label(trace, trace.at("logits").columns(), n_words - 1) == "<end>");
    CHECK(has(trace, "decoder.W_init"));
    CHECK(has(trace, "decoder.s_init"));
}

TEST_CASE("claims: masks apply to the decoder's self-attention only") {
    Document document = ready("transformer");
    document.alignment()->layer.mask.window = {{1}};
    const Trace trace = computed(document);
    CHECK((at(trace, "encoder.mask").array() == 0).all());
    CHECK((at(trace, "cross_mask").array() == 0).all());
    const Matrix& M = at(trace, "decoder.mask");
    CHECK(M(3, 2) == 0);
    CHECK(M(3, 1) != 0);
    CHECK(M(3, 4) != 0);
}

TEST_CASE("claims: temperature does not touch ALiBi") {
    const Trace cold =
        changed("alibi", [](Document& d) { d.sentence()->layer.attention.temperature = 0.5f; });
    const Trace trace = computed(ready("alibi"));
    CHECK(far(at(cold, head(0, "position_scores")), at(trace, head(0, "position_scores"))) == 0);
    CHECK(far(at(cold, head(0, "content_scores")), 2 * at(trace, head(0, "content_scores"))) <
          Scalar(1e-4));
}

}  // namespace headlight::claims_test
