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
    visit.number({"temperature", "Temperature", "Scores are divided by it: low is hard, high soft.",
                  matters},
                 s.temperature, Range{0.01f, 100.0f});
    visit.choice(
        {"addressing", "Addressing", "How a row of scores becomes weights that sum to 1.", matters},
        s.normalizer, kNormalizerWords);
    visit.number({"top_k", "Top k", "Only the k largest scores of a row count.",
                  matters && s.normalizer == Normalizer::TopK},
                 s.top_k, Range{1, kMaxDistance});
}

void visit_fields(AttentionSettings& s, auto& visit) {
    visit.section("Attention");
    visit.number({"n_heads", "Heads", "Attention heads in each layer."}, s.n_heads,
                 Range{1, kMaxHeads});
    visit.number({"n_kv_heads", "K, V heads",
                  "Heads share keys and values in so many groups; 0: each head has its own."},
                 s.n_kv_heads, Range{0, kMaxHeads});
    const bool as_wide_as_x = s.query == Projection::Identity || s.key == Projection::Identity;
    visit.widths({"d_k", "Key width", "Width of a head's queries and keys; 0: d_model / heads.",
                  !as_wide_as_x},
                 s.d_k, kHeadWidths);
    visit.widths({"d_v", "Value width", "Width of a head's values; 0: d_model / heads.",
                  s.value == Projection::Learned},
                 s.d_v, kHeadWidths);
    visit.flag({"output", "Output W_O", "Mix the heads with W_O; off: side by side or summed."},
               s.output);
    visit.section("Projections");
    visit.choice({"query", "Query", "Where W_Q comes from; shared ones are one matrix."}, s.query,
                 kProjectionWords);
    visit.choice({"key", "Key", "Where W_K comes from; shared ones are one matrix."}, s.key,
                 kProjectionWords);
    visit.choice({"value", "Value", "Where W_V comes from; shared ones are one matrix."}, s.value,
                 kProjectionWords);
    visit.flag({"bias", "Bias", "Add b_Q, b_K, b_V and b_O, which start at 0."}, s.bias);
    visit.section("Score");
    visit.choice({"score", "Score", "How a query and a key become a number."}, s.score,
                 kScoreWords);
    visit.number({"d_power", "Power of d",
                  "Scores are divided by d_k to this power: 0.5 is √d_k, 0 leaves them large.",
                  s.score == Score::ScaledDot},
                 s.d_power, Range{0.0f, 1.0f});
    visit.number({"d_hidden", "Hidden width", "Width of the hidden layer of additive scores.",
                  s.score == Score::Additive},
                 s.d_hidden, kWidths);
    visit_normalizer(s, visit);
    visit.section("Relative positions");
    visit.choice({"relative", "Relative", "How the distance of two words enters the scores."},
                 s.relative, kRelativePositionWords);
    visit.choice({"rotary_pairs", "Rotary pairs", "Columns turn with their neighbour or by halves.",
                  s.relative == RelativePositions::Rotary},
                 s.rotary_pairs, kRotaryPairsWords);
    visit.number(
        {"max_distance", "Max distance",
         "Shaw: distances beyond are clipped; buckets: the last one begins here.",
         s.relative == RelativePositions::Shaw || s.relative == RelativePositions::Buckets},
        s.max_distance, Range{1, kMaxDistance});
    visit.number({"n_buckets", "Buckets", "Distances are put into so many buckets.",
                  s.relative == RelativePositions::Buckets},
                 s.n_buckets, Range{4, 128});
    visit.number({"alpha", "Alpha", "How narrow quadratic positional scores look.",
                  s.relative == RelativePositions::Quadratic},
                 s.alpha, Range{0.0f, 1000.0f});
}

void visit_fields(MaskSettings& s, auto& visit) {
    visit.section("Mask");
    visit.flag({"causal", "Causal", "A word reads itself and those before it."}, s.causal);
    visit.number({"window", "Window", "A word reads those at most so far away; 0: all."}, s.window,
                 Range{0, kMaxDistance});
    visit.number({"dilation", "Dilation",
                  "How far apart are the words that a word reads; 2: every second one."},
                 s.dilation, Range{1, kMaxDistance});
    visit.flag({"documents", "Documents",
                "A word reads only its own document; a vertical bar parts documents."},
               s.documents);
}

void visit_fields(BlockSettings& s, auto& visit) {
    visit.section("Block");
    visit.flag({"residual", "Residual", "Add the input of each part to its output."}, s.residual);
    visit.choice({"norm", "Norm", "Before each part, or after it."}, s.norm, kNormWords);
    visit.choice({"mlp", "MLP", "The activation of the two-layer network after attention."}, s.mlp,
                 kMlpWords);
    visit.number({"d_ff", "MLP width", "Width of the MLP's hidden layer.", s.mlp != Mlp::None},
                 s.d_ff, kWidths);
}

void visit_fields_of_layers(StackSettings& s, auto& visit) {
    visit.section("Stack");
    visit.number({"n_layers", "Layers", "Layers, one after another."}, s.n_layers,
                 Range{1, kMaxLayers});
    visit.number({"d_model", "Model width", "Width of a word's vector."}, s.d_model, kWidths);
    visit.choice({"positions", "Positions", "What is added to the embeddings."}, s.positions,
                 kPositionWords);
    visit.group({"attention", "Attention", "The attention of each layer."}, s.attention);
    visit.group({"mask", "Mask", "Which keys a query may read; masks combine."}, s.mask);
    visit.group({"block", "Block", "What stands around the attention."}, s.block);
    visit.choice(
        {"norm_type", "Norm type", "Layer norm, or RMS norm: no mean is taken off, no bias.",
         s.block.norm != Norm::None || s.final_norm == Switch::On},
        s.norm_type, kNormTypeWords);
    visit.section("Output");
    visit.flag({"final_norm", "Final norm", "A norm after the last layer."}, s.final_norm);
}

void visit_fields(StackSettings& s, auto& visit) {
    visit_fields_of_layers(s, visit);
    visit.choice({"unembedding", "Next word", "W_U, which makes the next word's probabilities."},
                 s.unembedding, kUnembeddingWords);
}

void visit_fields(PatchStackSettings& s, auto& visit) {
    visit_fields_of_layers(s, visit);
}

}  // namespace headlight
