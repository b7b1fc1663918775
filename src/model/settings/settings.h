// Every setting, once: its key, its label, its meaning, its range and when it matters.
// A front end is a visitor of these lists: the reader and the writer of studies, the check of
// ranges, the options of the command line, the panel of the window, the table in the documentation.
// A new setting is a member in core/settings.h and a line here.
//
// A visitor has one function for each kind of setting:
//     section(label)                   the following settings belong together
//     number(field, value, range)      int or float
//     widths(field, value, range)      one width, or one for each field.each
//     choice(field, value, words)      an enum
//     flag(field, value)               a Switch
//     group(field, settings)           settings within settings; calls visit_fields on them
#pragma once

#include "model/settings/setting_names.h"

namespace headlight {

/// Visits the settings from scores to weights, for every mechanism with scores of its own.
void visit_normalizer(auto& s, auto& visit, bool is_relevant = true) {
    visit.number(
        {"temperature", "Temperature",
         "Scores are divided by it: a low one makes hard attention, a high one soft attention.",
         is_relevant},
        s.temperature, Range{0.01f, 100.0f});
    visit.choice({"addressing", "Addressing", "How a row of scores becomes weights that sum to 1.",
                  is_relevant},
                 s.normalizer, kNormalizerWords);
    visit.number({"top_k", "Top k", "Each query reads only the k keys with the largest scores.",
                  is_relevant && s.normalizer == Normalizer::TopK},
                 s.top_k, Range{1, kMaxDistance});
}

/// Visits the settings of the angles by which positions turn the columns of a head.
void visit_rotary(AttentionSettings& s, auto& visit) {
    const bool turns = s.relative == RelativePositions::Rotary;
    const bool is_scaled = turns && s.rotary_scaling != RotaryScaling::None;
    const bool has_band = is_scaled && (s.rotary_scaling == RotaryScaling::Llama3 ||
                                        s.rotary_scaling == RotaryScaling::Yarn);
    visit.number(
        {"rotary_base", "Rotary base",
         "Pair f of d columns turns by base^(−2f/d) from one position to the next.", turns},
        s.rotary_base, Range{1.0f, 1e9f});
    visit.number({"rotary_window_base", "Base in windows",
                  "The rotary base of layers with a window, whose turns are never slowed down; 0: "
                  "that of the others.",
                  turns},
                 s.rotary_window_base, Range{0.0f, 1e9f});
    visit.number({"rotary_dims", "Rotary columns",
                  "How many of a head's columns rotate, counted from the first; 0: all.", turns},
                 s.rotary_dims, kHeadWidths);
    visit.widths(of_layers({"rotary_layers", "Rotary layers",
                            "Whether heads rotate, 1 or 0: in all layers or in each.", turns}),
                 s.rotary_layers, kOnOff);
    visit.choice(
        {"rotary_scaling", "Rotary scaling",
         "How the turns are slowed down for texts longer than those of the training.", turns},
        s.rotary_scaling, kRotaryScalingWords);
    visit.number(
        {"rotary_factor", "Rotary factor", "How many times longer the texts are.", is_scaled},
        s.rotary_factor, Range{1.0f, 10000.0f});
    visit.number({"rotary_length", "Rotary length", "Words in the texts of the training.",
                  is_scaled && s.rotary_scaling != RotaryScaling::Linear},
                 s.rotary_length, Range{1, 10'000'000});
    visit.number(
        {"rotary_low", "Rotary low",
         "Pairs with fewer full turns in that length are slowed down by the factor.", has_band},
        s.rotary_low, Range{0.001f, 10000.0f});
    visit.number({"rotary_high", "Rotary high",
                  "Pairs with more full turns in that length stay as fast.", has_band},
                 s.rotary_high, Range{0.001f, 10000.0f});
}

/// Visits the settings of positions inside the scores.
void visit_relative(AttentionSettings& s, auto& visit) {
    visit.section("Relative positions");
    visit.choice({"relative", "Relative", "How the distance between two words enters the scores."},
                 s.relative, kRelativePositionWords);
    visit.choice({"rotary_pairs", "Rotary pairs",
                  "Which columns rotate together: neighbours, or one of each half.",
                  s.relative == RelativePositions::Rotary},
                 s.rotary_pairs, kRotaryPairsWords);
    visit_rotary(s, visit);
    visit.number(
        {"max_distance", "Max distance",
         "Shaw: larger distances are clipped; buckets: the last one begins here.",
         s.relative == RelativePositions::Shaw || s.relative == RelativePositions::Buckets},
        s.max_distance, Range{1, kMaxDistance});
    visit.number({"n_buckets", "Buckets", "Number of buckets for distances.",
                  s.relative == RelativePositions::Buckets},
                 s.n_buckets, Range{4, 128});
    visit.flag({"shared_buckets", "Shared buckets", "All layers share the first one's biases.",
                s.relative == RelativePositions::Buckets},
               s.shared_buckets);
    visit.number({"alpha", "Alpha",
                  "How sharply quadratic scores peak: a large one reads a single position.",
                  s.relative == RelativePositions::Quadratic},
                 s.alpha, Range{0.0f, 1000.0f});
}

void visit_fields(AttentionSettings& s, auto& visit) {
    visit.section("Attention");
    visit.number({"n_heads", "Heads", "Attention heads in each layer."}, s.n_heads,
                 Range{1, kMaxHeads});
    visit.number({"n_kv_heads", "K, V heads",
                  "Number of heads with keys and values, each shared by a group of query heads; 0: "
                  "one for each head."},
                 s.n_kv_heads, Range{0, kMaxHeads});
    const bool as_wide_as_x = s.query == Projection::Identity || s.key == Projection::Identity;
    visit.widths({"d_k", "Key width", "Width of a head's queries and keys; 0: d_model / heads.",
                  !as_wide_as_x},
                 s.d_k, kHeadWidths);
    visit.widths({"d_v", "Value width", "Width of a head's values; 0: d_model / heads.",
                  s.value == Projection::Learned},
                 s.d_v, kHeadWidths);
    visit.flag({"output", "Output W_O", "Mix the heads with W_O; off: concatenated or summed."},
               s.output);
    visit.section("Projections");
    visit.choice({"query", "Query", "Where W_Q comes from; shared projections use one matrix."},
                 s.query, kProjectionWords);
    visit.choice({"key", "Key", "Where W_K comes from; shared projections use one matrix."}, s.key,
                 kProjectionWords);
    visit.choice({"value", "Value", "Where W_V comes from; shared projections use one matrix."},
                 s.value, kProjectionWords);
    visit.flag({"bias", "Bias", "Add b_Q, b_K, b_V and b_O, which start at 0."}, s.bias);
    visit.flag(
        {"qkv_bias", "Bias of Q, K, V", "With biases: b_Q, b_K, b_V, too.", s.bias == Switch::On},
        s.qkv_bias);
    visit.flag({"output_bias", "Bias of W_O", "With biases: b_O, too.",
                s.bias == Switch::On && s.output == Switch::On},
               s.output_bias);
    visit.flag({"qk_norm", "Q, K norm", "An RMS norm of each head's queries and keys."}, s.qk_norm);
    visit.section("Score");
    visit.choice({"score", "Score", "How a query and a key give a score."}, s.score, kScoreWords);
    visit.number({"d_power", "Power of d",
                  "Scores are divided by d_k to this power: 0.5 means √d_k, 0 no scaling.",
                  s.score == Score::ScaledDot},
                 s.d_power, Range{0.0f, 1.0f});
    visit.number({"score_cap", "Score cap",
                  "Scores are pressed below it: c tanh(S / c); 0: they stay as they are."},
                 s.score_cap, Range{0.0f, 10000.0f});
    visit.number({"d_hidden", "Hidden width", "Width of the hidden layer of additive scores.",
                  s.score == Score::Additive},
                 s.d_hidden, kWidths);
    visit_normalizer(s, visit);
    visit_relative(s, visit);
}

void visit_fields(MaskSettings& s, auto& visit) {
    visit.section("Mask");
    visit.flag({"causal", "Causal", "A word reads only itself and the words before it."}, s.causal);
    visit.widths(of_layers({"window", "Window",
                            "A word reads only words within this distance, in all layers or in "
                            "each; 0: no limit."}),
                 s.window, kWindows);
    visit.number(
        {"dilation", "Dilation", "Spacing of the words that a word reads; 2: every second one."},
        s.dilation, Range{1, kMaxDistance});
    visit.flag({"documents", "Documents",
                "A word reads only its own document; a vertical bar separates documents."},
               s.documents);
}

void visit_fields(BlockSettings& s, auto& visit) {
    visit.section("Block");
    visit.flag({"residual", "Residual", "Add the input of each part to its output."}, s.residual);
    visit.flag({"parallel", "Parallel", "Attention and MLP read the same input: X + f(X) + g(X).",
                s.mlp != Mlp::None},
               s.parallel);
    visit.choice({"norm", "Norm",
                  "Before each part (pre-norm), after its sum (post-norm), or before and after the "
                  "part."},
                 s.norm, kNormWords);
    visit.choice({"mlp", "MLP", "The activation of the two-layer network after attention."}, s.mlp,
                 kMlpWords);
    visit.flag({"mlp_gate", "MLP gate",
                "The hidden layer is multiplied by a gate: activation(x W_gate) ⊙ (x W_in).",
                s.mlp != Mlp::None},
               s.mlp_gate);
    visit.flag({"mlp_bias", "MLP bias", "Add b_in, b_gate and b_out, which start at 0.",
                s.mlp != Mlp::None},
               s.mlp_bias);
    visit.number({"d_ff", "MLP width", "Width of the MLP's hidden layer.", s.mlp != Mlp::None},
                 s.d_ff, kWidths);
}

void visit_fields_of_layers(StackSettings& s, auto& visit) {
    visit.section("Stack");
    visit.number({"n_layers", "Layers", "Number of layers."}, s.n_layers, Range{1, kMaxLayers});
    visit.number({"d_model", "Model width", "Width of a word's vector, d_model."}, s.d_model,
                 kWidths);
    visit.choice({"positions", "Positions", "What is added to the embeddings."}, s.positions,
                 kPositionWords);
    visit.flag({"embedding_norm", "Embedding norm", "A norm of what the first layer reads."},
               s.embedding_norm);
    visit.group({"attention", "Attention", "The attention in each layer."}, s.attention);
    visit.group({"mask", "Mask", "Which keys a query may read: those that every mask allows."},
                s.mask);
    visit.group({"block", "Block", "What surrounds the attention."}, s.block);
    visit.choice({"norm_type", "Norm type",
                  "Layer norm, or RMS norm, which subtracts no mean and has no bias.",
                  s.block.norm != Norm::None || s.final_norm == Switch::On},
                 s.norm_type, kNormTypeWords);
    visit.number({"norm_epsilon", "Norm epsilon",
                  "Added to the variance, or the mean square, before the root is taken."},
                 s.norm_epsilon, Range{0.0f, 1.0f});
    visit.section("Output");
    visit.flag({"final_norm", "Final norm", "A norm after the last layer."}, s.final_norm);
}

void visit_fields(StackSettings& s, auto& visit) {
    visit_fields_of_layers(s, visit);
    const bool has_logits = s.unembedding != Unembedding::None;
    visit.number({"embedding_scale", "Embedding scale",
                  "The words' embeddings are multiplied by it, often √d_model."},
                 s.embedding_scale, Range{0.001f, 10000.0f});
    visit.number({"token_types", "Token types",
                  "Vectors for the parts of a text, which [SEP] ends; 0: none."},
                 s.token_types, Range{0, kMaxDistance});
    visit.choice({"last_layer", "Last layer", "Pointing: it mixes the words' embeddings alone."},
                 s.last_layer, kLastLayerWords);
    visit.choice(
        {"unembedding", "Next word", "The matrix W_U, which gives the logits of the next word."},
        s.unembedding, kUnembeddingWords);
    visit.flag(
        {"unembedding_bias", "Bias of W_U", "Add b_U to the logits; it starts at 0.", has_logits},
        s.unembedding_bias);
    visit.number({"logit_scale", "Logit scale", "What W_U reads is multiplied by it.", has_logits},
                 s.logit_scale, Range{0.001f, 10000.0f});
    visit.number(
        {"logit_cap", "Logit cap",
         "Logits are pressed below it: c tanh(x / c); 0: they stay as they are.", has_logits},
        s.logit_cap, Range{0.0f, 10000.0f});
    visit.choice({"readout", "Read-out",
                  "The next word, the word that “it” stands for, each word itself, as if it were "
                  "masked, or three questions, whose answers are the last layer's patterns.",
                  has_logits || s.last_layer == LastLayer::Pointing},
                 s.readout, kReadoutWords);
}

void visit_fields(PatchStackSettings& s, auto& visit) {
    visit_fields_of_layers(s, visit);
}

}  // namespace headlight
