// Every setting, once: its key, its label, what it is, what it can be and when it matters.
// A front end is a visitor of these lists: the reader and the writer of studies, the check of
// ranges, the options of the command line, the panel of the window, the table in the
// documentation. A new setting is a member in core/settings.h and a line here.
//
// A visitor has one function for each kind of setting:
//     section(label)                   what follows belongs together
//     number(field, value, range)      int or float
//     widths(field, value, range)      one width, or one for each head
//     choice(field, value, words)      an enum
//     flag(field, value)               a Switch
//     group(field, settings)           settings within settings; calls visit_fields on them
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
    visit.section("Relative positions");
    visit.choice({"relative", "Relative", "How the distance between two words enters the scores."},
                 s.relative, kRelativePositionWords);
    visit.choice({"rotary_pairs", "Rotary pairs",
                  "Which columns rotate together: neighbours, or one of each half.",
                  s.relative == RelativePositions::Rotary},
                 s.rotary_pairs, kRotaryPairsWords);
    visit.number(
        {"max_distance", "Max distance",
         "Shaw: larger distances are clipped; buckets: the last one begins here.",
         s.relative == RelativePositions::Shaw || s.relative == RelativePositions::Buckets},
        s.max_distance, Range{1, kMaxDistance});
    visit.number({"n_buckets", "Buckets", "Number of buckets for distances.",
                  s.relative == RelativePositions::Buckets},
                 s.n_buckets, Range{4, 128});
    visit.number({"alpha", "Alpha",
                  "How sharply quadratic scores peak: a large one reads a single position.",
                  s.relative == RelativePositions::Quadratic},
                 s.alpha, Range{0.0f, 1000.0f});
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

void visit_fields(BlockSettings& s, auto& visit) {
    visit.section("Block");
    visit.flag({"residual", "Residual", "Add the input of each part to its output."}, s.residual);
    visit.choice({"norm", "Norm", "Before each part (pre-norm) or after it (post-norm)."}, s.norm,
                 kNormWords);
    visit.choice({"mlp", "MLP", "The activation of the two-layer network after attention."}, s.mlp,
                 kMlpWords);
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
    visit.group({"attention", "Attention", "The attention in each layer."}, s.attention);
    visit.group({"mask", "Mask", "Which keys a query may read: those that every mask allows."},
                s.mask);
    visit.group({"block", "Block", "What surrounds the attention."}, s.block);
    visit.choice({"norm_type", "Norm type",
                  "Layer norm, or RMS norm, which subtracts no mean and has no bias.",
                  s.block.norm != Norm::None || s.final_norm == Switch::On},
                 s.norm_type, kNormTypeWords);
    visit.section("Output");
    visit.flag({"final_norm", "Final norm", "A norm after the last layer."}, s.final_norm);
}

void visit_fields(StackSettings& s, auto& visit) {
    visit_fields_of_layers(s, visit);
    visit.choice({"last_layer", "Last layer", "Pointing: it mixes the words' embeddings alone."},
                 s.last_layer, kLastLayerWords);
    visit.choice(
        {"unembedding", "Next word", "The matrix W_U, which gives the logits of the next word."},
        s.unembedding, kUnembeddingWords);
    visit.choice({"readout", "Read-out", "The next word, or the word that “it” stands for.",
                  s.unembedding != Unembedding::None},
                 s.readout, kReadoutWords);
}

void visit_fields(PatchStackSettings& s, auto& visit) {
    visit_fields_of_layers(s, visit);
}

}  // namespace headlight
