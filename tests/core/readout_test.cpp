// What a logit is made of, and what it would be after fewer layers.
#include "core/analyses/readout.h"

#include <doctest/doctest.h>

#include "core/compute.h"
#include "core/mechanisms/image_attention.h"
#include "core/mechanisms/transformer.h"

namespace headlight::readout_test {
namespace {

const std::vector<Words> kSentence = {{"the", "cat", "saw", "the", "dog"}};

StackSettings network(int n_layers = 3) {
    StackSettings s;
    s.n_layers = n_layers;
    s.d_model = 12;
    s.positions = Positions::Learned;
    s.attention.n_heads = 3;
    s.attention.bias = Switch::On;
    s.mask.causal = Switch::On;
    s.block.norm = Norm::Pre;
    s.block.mlp = Mlp::Gelu;
    s.block.d_ff = 20;
    s.final_norm = Switch::On;
    s.unembedding = Unembedding::Learned;
    return s;
}

Trace trace_of(const StackSettings& settings, const Interventions& interventions = {},
               bool keeps_all = true) {
    Watched watched{.everything = keeps_all, .globs = {"logits"}};
    return compute(plan_sentences(kSentence, settings, 7), interventions, watched, nullptr);
}

double sum_of(const LogitParts& found) {
    double sum = 0;
    for (const LogitPart& part : found.parts) sum += part.value;
    return sum;
}

/// Biases and gains that are not 0 and 1.
Interventions trained(const StackSettings& settings) {
    Interventions set;
    const Trace trace = trace_of(settings);
    for (const Tensor& tensor : trace.tensors()) {
        const bool is_constant =
            tensor.identity().role == Role::Bias || tensor.identity().role == Role::Gain;
        if (!is_constant || !tensor.is_leaf()) continue;
        for (Index j = 0; j < tensor.columns().size; ++j)
            set[tensor.path()].set(0, j,
                                   static_cast<Scalar>(0.3 + 0.1 * static_cast<double>(j % 7)));
    }
    return set;
}

std::vector<StackSettings> networks() {
    std::vector<StackSettings> all{network()};
    const auto also = [&](auto change) {
        all.push_back(network());
        change(all.back());
    };
    also([](StackSettings& s) { s.norm_type = NormType::Rms; });
    also([](StackSettings& s) { s.final_norm = Switch::Off; });
    also([](StackSettings& s) { s.unembedding = Unembedding::Tied; });
    also([](StackSettings& s) { s.unembedding_bias = Switch::On; });
    also([](StackSettings& s) { s.logit_scale = 0.5f; });
    also([](StackSettings& s) { s.embedding_scale = 2; });
    also([](StackSettings& s) { s.block.parallel = Switch::On; });
    also([](StackSettings& s) { s.attention.output = Switch::Off; });
    also([](StackSettings& s) { s.block.mlp_gate = Switch::On; });
    return all;
}

}  // namespace

TEST_CASE("the parts of a logit add up to it") {
    for (const StackSettings& settings : networks()) {
        const Trace trace = trace_of(settings, trained(settings));
        for (const LogitQuestion question :
             {LogitQuestion{4, 2, {}}, LogitQuestion{1, 0, {}}, LogitQuestion{3, 1, 3}}) {
            const auto found = attribute_logit(trace, question);
            REQUIRE(found.has_value());
            CHECK(found->logit == doctest::Approx(logit_asked(trace, question)));
            CHECK(sum_of(*found) == doctest::Approx(found->logit).epsilon(1e-4));
            const auto n_heads = std::ranges::count_if(
                found->parts, [](const LogitPart& part) { return part.what.head >= 0; });
            CHECK(n_heads == 9);
        }
    }
}

TEST_CASE("a head that adds nothing of its own has no part in a logit") {
    const StackSettings settings = network();
    Interventions set = trained(settings);
    set["blocks.2.attn.heads.1.z"].ablation = Ablation::Zero;
    const Trace trace = trace_of(settings, set);
    const auto found = attribute_logit(trace, {4, 2, {}});
    REQUIRE(found.has_value());
    for (const LogitPart& part : found->parts)
        if (part.what.layer == 2 && part.what.head == 1) CHECK(part.value == 0);
    CHECK(sum_of(*found) == doctest::Approx(found->logit).epsilon(1e-4));
}

TEST_CASE("what was set by hand in the stream or in the logits is a part") {
    const StackSettings settings = network();
    for (const char* path :
         {"blocks.1.resid_post", "blocks.0.attn.out", "ln_final.out", "logits"}) {
        Interventions set = trained(settings);
        set[path].set(4, 2, 50);
        const Trace trace = trace_of(settings, set);
        const auto found = attribute_logit(trace, {4, 2, {}});
        REQUIRE(found.has_value());
        CHECK(sum_of(*found) == doctest::Approx(found->logit).epsilon(1e-3));
    }
}

TEST_CASE("values that a trace did not keep are found again") {
    const StackSettings settings = network();
    const auto kept = attribute_logit(trace_of(settings), {4, 2, {}});
    const auto lean = attribute_logit(trace_of(settings, {}, false), {4, 2, {}});
    REQUIRE(kept.has_value());
    REQUIRE(lean.has_value());
    CHECK(kept->logit == lean->logit);
    for (std::size_t k = 0; k < kept->parts.size(); ++k)
        CHECK(kept->parts[k].value == lean->parts[k].value);
}

TEST_CASE("norms after each layer leave no sum to split") {
    StackSettings settings = network();
    settings.block.norm = Norm::Post;
    settings.final_norm = Switch::Off;
    CHECK_FALSE(attribute_logit(trace_of(settings), {4, 2, {}}).has_value());
    settings = network();
    settings.readout = Readout::MaskedWord;
    CHECK_FALSE(attribute_logit(trace_of(settings), {4, 2, {}}).has_value());
}

TEST_CASE("the lens after a layer shows the logits of a network that ends there") {
    for (const StackSettings& settings : networks()) {
        const Interventions set = trained(settings);
        const Trace trace = trace_of(settings, set);
        const Matrix lens = lens_logits(trace, 3);
        REQUIRE(lens.rows() == settings.n_layers + 1);
        CHECK(lens.row(settings.n_layers) == trace.at("logits").value->row(3));
        for (int l = 1; l < settings.n_layers; ++l) {
            StackSettings shorter = settings;
            shorter.n_layers = l;
            const Trace ends = trace_of(shorter, set);
            CHECK((lens.row(l) - ends.at("logits").value->row(3)).cwiseAbs().maxCoeff() <
                  1e-5 * std::max(Scalar(1), lens.row(l).cwiseAbs().maxCoeff()));
        }
    }
}

TEST_CASE("the logit of a class is the sum of what was added to the class token") {
    for (const ClassToken token : {ClassToken::Item, ClassToken::First}) {
        ImageSettings settings{.patch = 2, .n_classes = 3, .class_token = token};
        static_cast<StackSettings&>(settings.stack) = network(2);
        settings.stack.mask.causal = Switch::Off;
        settings.stack.unembedding = Unembedding::None;
        Matrix pixels = Matrix::Constant(24, 3, Scalar(0.25));
        pixels(7, 1) = 1, pixels(20, 2) = -1;
        const Trace trace =
            compute(plan_image({6, pixels}, settings, 5), {}, {.everything = true}, nullptr);
        const Matrix& logits = *trace.at("logits").value;
        const LogitQuestion question{.row = 0, .word = 2, .minus = 1};
        const auto found = attribute_logit(trace, question);
        REQUIRE(found);
        CHECK(found->logit == doctest::Approx(logits(0, 2) - logits(0, 1)));
        CHECK(sum_of(*found) == doctest::Approx(found->logit).epsilon(1e-4));
        CHECK(found->parts.size() > 6);
        const Matrix lens = lens_logits(trace, 0);
        CHECK(lens.rows() == 3);
        CHECK(lens.bottomRows(1).isApprox(logits, Scalar(1e-5)));
        CHECK(!lens.topRows(1).isApprox(logits, Scalar(1e-2)));
        CHECK(row_of_stream(trace, 0) == (token == ClassToken::First ? 0 : 6));
    }
}

TEST_CASE("a question outside the logits is refused") {
    const Trace trace = trace_of(network());
    CHECK_THROWS_WITH(logit_asked(trace, {9, 0, {}}), doctest::Contains("there is no row 9"));
    CHECK_THROWS_WITH(logit_asked(trace, {0, 99, {}}), doctest::Contains("there is no word 99"));
    StackSettings silent = network();
    silent.unembedding = Unembedding::None;
    const Trace without = trace_of(silent);
    CHECK(list_streams(without).empty());
    CHECK_THROWS_WITH(lens_logits(without, 0), doctest::Contains("the study has none"));
}

}  // namespace headlight::readout_test
