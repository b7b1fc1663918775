// The settings of an attention and of its mask. See settings.h.
#pragma once

#include "model/settings/setting_field.h"
#include "model/settings/setting_words.h"

namespace headlight {

/// The settings from scores to weights, for every mechanism with scores of its own.
void visit_normalizer(auto& s, auto& visit, bool matters = true) {
    visit.number(
        {"temperature", "Temperature",
         "Scores are divided by it: a low one makes hard attention, a high one soft attention.",
         matters},
        s.temperature, Range{0.01f, 100.0f});
    visit.choice(
        {"addressing", "Addressing", "How a row of scores becomes weights that sum to 1.", matters},
        s.normalizer, kNormalizerWords);
    visit.number({"top_k", "Top k", "Each query reads only the k keys with the largest scores.",
                  matters && s.normalizer == Normalizer::TopK},
                 s.top_k, Range{1, kMaxDistance});
}

/// How far a position turns the columns of a head.
void visit_rotary(AttentionSettings& s, auto& visit) {
    const bool turns = s.relative == RelativePositions::Rotary;
    const bool is_scaled = turns && s.rotary_scaling != RotaryScaling::None;
    const bool has_band = is_scaled && (s.rotary_scaling == RotaryScaling::Llama3 ||
                                        s.rotary_scaling == RotaryScaling::Yarn);
    visit.number(
        {"rotary_base", "Rotary base",
         "Pair f of d columns turns by base^(−2f/d) from one position to the next.", turns},
        s.rotary_base, Range{1.0f, 1e9f});
    visit.number({"rotary_dims", "Rotary columns",
                  "How many of a head's columns rotate, counted from the first; 0: all.", turns},
                 s.rotary_dims, kHeadWidths);
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

/// Positions inside the scores.
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
    visit.number({"d_hidden", "Hidden width", "Width of the hidden layer of additive scores.",
                  s.score == Score::Additive},
                 s.d_hidden, kWidths);
    visit_normalizer(s, visit);
    visit_relative(s, visit);
}

void visit_fields(MaskSettings& s, auto& visit) {
    visit.section("Mask");
    visit.flag({"causal", "Causal", "A word reads only itself and the words before it."}, s.causal);
    visit.number({"window", "Window", "A word reads only words within this distance; 0: no limit."},
                 s.window, Range{0, kMaxDistance});
    visit.number(
        {"dilation", "Dilation", "Spacing of the words that a word reads; 2: every second one."},
        s.dilation, Range{1, kMaxDistance});
    visit.flag({"documents", "Documents",
                "A word reads only its own document; a vertical bar separates documents."},
               s.documents);
}

}  // namespace headlight
