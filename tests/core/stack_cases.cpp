#include "core/stack_cases.h"

#include <algorithm>

#include "core/studies.h"

namespace headlight {
namespace {

template <typename Change>
StackCase changed(std::string name, Change change) {
    StackCase made{std::move(name), plain_stack()};
    change(made.settings);
    return made;
}

using StackCases = std::vector<StackCase>;
using Stack = StackSettings;

void add_projections(StackCases& cases) {
    for (const Projection query : {Projection::Learned, Projection::Identity, Projection::Shared})
        for (const Projection value :
             {Projection::Learned, Projection::Identity, Projection::Shared})
            cases.push_back(changed("projections", [&](Stack& s) {
                s.attention.query = query;
                s.attention.key = Projection::Shared;
                s.attention.value = value;
            }));
    cases.push_back(changed("no parameters", [](Stack& s) {
        s.attention.query = s.attention.key = s.attention.value = Projection::Identity;
        s.attention.output = Switch::Off;
    }));
    cases.push_back(changed("side by side without W_O", [](Stack& s) {
        s.attention.output = Switch::Off;
        s.attention.d_v.values = {4, 2};
    }));
    cases.push_back(changed("biases", [](Stack& s) { s.attention.bias = Switch::On; }));
    cases.push_back(changed("biases of Q, K, V", [](Stack& s) {
        s.attention.bias = Switch::On;
        s.attention.output_bias = Switch::Off;
    }));
    cases.push_back(changed("Q, K norms", [](Stack& s) { s.attention.qk_norm = Switch::On; }));
    cases.push_back(changed("Q, K norms, grouped, rotary", [](Stack& s) {
        s.attention.qk_norm = Switch::On;
        s.attention.n_kv_heads = 1;
        s.attention.relative = RelativePositions::Rotary;
        s.mask.causal = Switch::On;
        s.norm_epsilon = 0.1f;
    }));
    cases.push_back(changed("own widths", [](Stack& s) {
        s.attention.d_k.values = {1, 4};
        s.attention.d_v.values = {3, 2};
    }));
    cases.push_back(changed("multi-query", [](Stack& s) { s.attention.n_kv_heads = 1; }));
    cases.push_back(changed("grouped-query", [](Stack& s) {
        s.attention.n_heads = 4;
        s.attention.n_kv_heads = 2;
        s.attention.bias = Switch::On;
    }));
}

void add_scores(StackCases& cases) {
    for (const Score score : {Score::Dot, Score::Cosine, Score::Bilinear, Score::Additive})
        cases.push_back(changed("score", [&](Stack& s) {
            s.attention.score = score;
            s.attention.d_hidden = 3;
            s.attention.temperature = 0.5f;
        }));
    for (const Normalizer normalizer :
         {Normalizer::Hard, Normalizer::TopK, Normalizer::Sparsemax, Normalizer::Entmax})
        cases.push_back(changed("addressing", [&](Stack& s) {
            s.attention.normalizer = normalizer;
            s.attention.top_k = 2;
        }));
}

void add_places(StackCases& cases) {
    for (const Positions positions : {Positions::Sinusoidal, Positions::Learned})
        cases.push_back(changed("positions", [&](Stack& s) { s.positions = positions; }));
    for (const RelativePositions relative :
         {RelativePositions::Rotary, RelativePositions::Shaw, RelativePositions::Alibi,
          RelativePositions::Buckets, RelativePositions::Quadratic})
        for (const Switch causal : {Switch::Off, Switch::On})
            cases.push_back(changed("relative", [&](Stack& s) {
                s.attention.relative = relative;
                s.attention.max_distance = 2;
                s.attention.n_buckets = 4;
                s.mask.causal = causal;
            }));
    cases.push_back(changed("rotary halves", [](Stack& s) {
        s.attention.relative = RelativePositions::Rotary;
        s.attention.rotary_pairs = RotaryPairs::Halves;
    }));
    for (const RotaryScaling scaling :
         {RotaryScaling::None, RotaryScaling::Linear, RotaryScaling::Dynamic, RotaryScaling::Llama3,
          RotaryScaling::Yarn})
        cases.push_back(changed("scaled rotary", [&](Stack& s) {
            s.attention.relative = RelativePositions::Rotary;
            s.attention.d_k.values = {5};
            s.attention.rotary_dims = 4;
            s.attention.rotary_base = 50;
            s.attention.rotary_scaling = scaling;
            s.attention.rotary_factor = 3;
            // Dynamic scaling depends on the number of words: here it has none to do.
            s.attention.rotary_length = scaling == RotaryScaling::Dynamic ? 99 : 2;
        }));
    cases.push_back(changed("shared buckets", [](Stack& s) {
        s.attention.relative = RelativePositions::Buckets;
        s.attention.n_buckets = 4;
        s.attention.shared_buckets = Switch::On;
    }));
    cases.push_back(changed("causal", [](Stack& s) { s.mask.causal = Switch::On; }));
    cases.push_back(changed("window", [](Stack& s) { s.mask.window = {{1}}; }));
    cases.push_back(changed("windows of layers", [](Stack& s) {
        s.n_layers = 2;
        s.mask.window = {{0, 1}};
    }));
    cases.push_back(changed("dilated, causal", [](Stack& s) {
        s.mask.dilation = 2;
        s.mask.causal = Switch::On;
    }));
    cases.push_back(changed("documents", [](Stack& s) { s.mask.documents = Switch::On; }));
}

void add_blocks(StackCases& cases) {
    for (const Norm norm : {Norm::None, Norm::Pre, Norm::Post})
        for (const Mlp mlp : {Mlp::None, Mlp::Relu, Mlp::Gelu, Mlp::GeluTanh, Mlp::Silu})
            for (const Switch residual : {Switch::Off, Switch::On})
                cases.push_back(changed("block", [&](Stack& s) {
                    s.block = {.residual = residual, .norm = norm, .mlp = mlp, .d_ff = 5};
                }));
    for (const Norm norm : {Norm::Pre, Norm::Post})
        cases.push_back(changed("RMS norms", [&](Stack& s) {
            s.block = {.norm = norm, .mlp = Mlp::Gelu, .d_ff = 5};
            s.final_norm = Switch::On;
            s.norm_type = NormType::Rms;
        }));
    for (const Norm norm : {Norm::None, Norm::Pre})
        for (const Switch residual : {Switch::Off, Switch::On})
            cases.push_back(changed("parallel, gated", [&](Stack& s) {
                s.block = {.residual = residual,
                           .parallel = Switch::On,
                           .norm = norm,
                           .mlp = Mlp::Silu,
                           .mlp_gate = Switch::On,
                           .mlp_bias = residual,
                           .d_ff = 5};
            }));
    for (const NormType type : {NormType::Rms, NormType::Layer})
        cases.push_back(changed("norms before and after", [&](Stack& s) {
            s.block = {.norm = Norm::Both, .mlp = Mlp::Relu, .d_ff = 5};
            s.norm_type = type;
        }));
    cases.push_back(changed("rotary in one layer of two", [](Stack& s) {
        s.attention.relative = RelativePositions::Rotary;
        s.attention.rotary_layers = {{1, 0}};
        s.mask.causal = Switch::On;
    }));
    cases.push_back(changed("as Gemma", [](Stack& s) {
        s.block = {.norm = Norm::Both, .mlp = Mlp::GeluTanh, .mlp_gate = Switch::On, .d_ff = 5};
        s.norm_type = NormType::Rms;
        s.mask = {.causal = Switch::On, .window = {{1, 0}}};
        s.attention.relative = RelativePositions::Rotary;
        s.attention.rotary_window_base = 100;
        s.attention.rotary_scaling = RotaryScaling::Linear;
        s.attention.rotary_factor = 2;
        s.attention.score_cap = 1;
        s.final_norm = Switch::On;
        s.unembedding = Unembedding::Learned;
        s.logit_cap = 2;
    }));
    cases.push_back(changed("embeddings of BERT", [](Stack& s) {
        s.positions = Positions::Learned;
        s.token_types = 2;
        s.embedding_norm = Switch::On;
        s.embedding_scale = 2;
    }));
    for (const Unembedding unembedding : {Unembedding::Learned, Unembedding::Tied})
        cases.push_back(changed("masked word", [&](Stack& s) {
            s.block = {.mlp = Mlp::Gelu, .d_ff = 5};
            s.unembedding = unembedding;
            s.unembedding_bias = Switch::On;
            s.logit_scale = 0.5f;
            s.readout = Readout::MaskedWord;
        }));
    for (const Unembedding unembedding : {Unembedding::Learned, Unembedding::Tied})
        cases.push_back(changed("unembedding", [&](Stack& s) {
            s.unembedding = unembedding;
            s.final_norm = Switch::On;
        }));
}

}  // namespace

StackSettings plain_stack() {
    StackSettings settings{.n_layers = 2, .d_model = 6, .positions = Positions::None};
    settings.attention.n_heads = 2;
    settings.attention.d_k.values = {3};
    settings.attention.d_v.values = {2};
    return settings;
}

std::vector<StackCase> stack_cases() {
    StackCases cases{{"plain", plain_stack()}, {"default", {}}};
    add_projections(cases);
    add_scores(cases);
    add_places(cases);
    add_blocks(cases);
    for (std::size_t i = 0; i < cases.size(); ++i)
        cases[i].name = std::to_string(i) + " " + cases[i].name;
    return cases;
}

Trace sentences(std::string_view lines, const StackSettings& settings,
                const Interventions& interventions) {
    std::vector<Words> list;
    for (std::size_t begin = 0; begin <= lines.size();) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        list.push_back(words_of(lines.substr(begin, end - begin)));
        begin = end + 1;
    }
    return compute(plan_sentences(list, settings, 1), interventions, kWatchAll, nullptr);
}

std::string last_path(const Trace& trace, const StackSettings& settings) {
    const std::string block = "blocks." + std::to_string(settings.n_layers - 1);
    for (const std::string& path : {std::string("ln_final.out"), block + ".resid_post",
                                    block + ".mlp.out", block + ".attn.out"})
        if (trace.find(path)) return path;
    return {};
}

}  // namespace headlight
