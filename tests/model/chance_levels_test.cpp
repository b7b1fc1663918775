// Heads with random weights get no label; heads with a clear pattern do.
#include "model/chance_levels.h"

#include <doctest/doctest.h>

#include "core/analyses/head_metrics.h"
#include "model/evaluate.h"
#include "model/presets.h"

namespace headlight::chance_levels_test {
namespace {

const Watched kMetrics{.everything = false, .globs = {"*.metrics", kChancePath}};

std::string attention_path(int layer) {
    return "blocks." + std::to_string(layer) + ".attn";
}

/// How many heads of the study have a label.
int count_named(const Document& document) {
    const Trace trace = evaluate(document, nullptr, kMetrics);
    int n = 0;
    for (int l = 0; trace.find(attention_path(l) + ".heads.0.pattern"); ++l)
        for (int h = 0; trace.find(attention_path(l) + ".heads." + std::to_string(h) + ".pattern");
             ++h)
            n += head_label(trace, attention_path(l), h) ? 1 : 0;
    return n;
}

Document saying(const char* text, Switch causal = Switch::Off) {
    Document document = built_in_sentence();
    document.sentence()->text = text;
    document.sentence()->layer.mask.causal = causal;
    return document;
}

Trace with_pattern(const char* text, const Matrix& pattern) {
    Document document = saying(text);
    document.interventions["blocks.0.attn.heads.0.pattern"] = intervene_on_all(pattern);
    return evaluate(document, nullptr, kMetrics);
}

}  // namespace

TEST_CASE("chance: no head with random weights gets a label, in any ready-made sentence") {
    for (const Preset& preset : presets()) {
        Document document = preset.make();
        if (!document.sentence()) continue;
        for (const std::uint64_t seed : {1, 2, 3, 4}) {
            document.seed = seed;
            INFO(preset.name << ", seed " << seed);
            CHECK(count_named(document) == 0);
        }
    }
}

TEST_CASE("chance: nor in short sentences with repeated words, over many seeds") {
    for (const char* text :
         {"a", "a b", "a b a", "the cat sat", "the cat and the dog", "a b c d e f g h\na b"})
        for (const Switch causal : {Switch::Off, Switch::On}) {
            Document document = saying(text, causal);
            for (document.seed = 1; document.seed <= 40; ++document.seed) {
                INFO(text << ", seed " << document.seed);
                CHECK(count_named(document) == 0);
            }
        }
}

TEST_CASE("chance: without chance levels random heads would get labels") {
    const std::vector<Scalar> never(head_metric_names().size(), 0);
    int n = 0;
    for (const char* text : {"a b", "a b c", "the cat sat on the mat"}) {
        Document document = saying(text);
        for (document.seed = 1; document.seed <= 40; ++document.seed) {
            const Trace trace = evaluate(document, nullptr, kMetrics);
            for (int h = 0; h < 4; ++h)
                n += head_label(
                         *trace.at("blocks.0.attn.heads." + std::to_string(h) + ".metrics").value,
                         never)
                         ? 1
                         : 0;
        }
    }
    MESSAGE(n << " of 480 random heads have a share of at least 0.4");
    CHECK(n > 20);
}

TEST_CASE("chance: a head that does what a label means gets that label") {
    constexpr Index kWords = 8;
    Matrix previous = Matrix::Zero(kWords, kWords);
    previous(0, 0) = 1;
    for (Index i = 1; i < kWords; ++i) previous(i, i - 1) = 1;
    const auto label = head_label(with_pattern("a b c d e f g h", previous), attention_path(0), 0);
    REQUIRE(label);
    CHECK(label->metric == HeadMetric::Previous);
    Matrix first = Matrix::Zero(kWords, kWords);
    first.col(0).setOnes();
    const auto sink = head_label(with_pattern("a b c d e f g h", first), attention_path(0), 0);
    REQUIRE(sink);
    CHECK(sink->metric == HeadMetric::First);
}

TEST_CASE("induction on the probe: an ablated head is ablated there too") {
    Document document = saying("a b c");  // nothing repeats: measured on the probe
    document.sentence()->layer.n_layers = 2;
    const auto induction = [](const Document& of) {
        const Trace trace = evaluate(of, nullptr, kMetrics);
        return (*trace.at("blocks.1.attn.heads.0.metrics").value)(0, Index(HeadMetric::Induction));
    };
    const std::string head = "blocks.0.attn.heads.1.";
    Document ablated = document, without_values = document;
    ablated.interventions[head + "z"].ablation = Ablation::Zero;
    const Matrix W_V = *evaluate(document, nullptr, kMetrics).at(head + "W_V").value;
    without_values.interventions[head + "W_V"] =
        intervene_on_all(Matrix::Zero(W_V.rows(), W_V.cols()));
    CHECK(induction(ablated) == induction(without_values));
    CHECK(induction(ablated) != induction(document));
    ablated.interventions[head + "z"].is_on = false;
    CHECK(induction(ablated) == induction(document));
}

TEST_CASE("chance: with two words no head gets a label") {
    Matrix previous(2, 2);
    previous << 1, 0, 1, 0;
    CHECK_FALSE(head_label(with_pattern("a b", previous), attention_path(0), 0));
}

TEST_CASE("chance: the levels depend only on settings and on which words are equal") {
    const auto levels = [](const Document& document) {
        return *evaluate(document, nullptr, kMetrics).at(kChancePath).value;
    };
    Document document = saying("the cat saw the dog");
    const Matrix before = levels(document);
    document.seed = 99;
    CHECK(levels(document) == before);
    document.sentence()->text = "a b c a d";
    CHECK(levels(document) == before);
    document.sentence()->text = "a b c d e";
    CHECK(levels(document) != before);
    document = saying("the cat saw the dog", Switch::On);
    CHECK(levels(document) != before);
}

TEST_CASE("chance: levels are reused while settings and equal words stay") {
    Document document = saying("the cat saw the dog");
    const Trace before = evaluate(document, nullptr, kMetrics);
    document.interventions["blocks.0.attn.heads.0.W_Q"].set(0, 0, 1);
    document.sentence()->text = "the cat saw the wolf";
    const Trace after = evaluate(document, &before, kMetrics);
    CHECK(after.at(kChancePath).value == before.at(kChancePath).value);
}

TEST_CASE("chance: wide models are made smaller, and all their heads can be drawn") {
    Document document = saying("the cat saw the dog");
    StackSettings& layer = document.sentence()->layer;
    layer.d_model = 768;
    layer.attention.n_heads = 12;
    layer.attention.d_k.values = {64};
    layer.attention.d_v.values = {64};
    layer.attention.output = Switch::Off;
    CHECK(count_named(document) == 0);
}

}  // namespace headlight::chance_levels_test
