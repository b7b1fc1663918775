// Every setting, once: its key, its label, what it is, what it can be and when it matters.
// A front end is a visitor of these lists: the reader and the writer of studies, the check of
// ranges, the options of the command line, the panel of the window, the table in the
// documentation. A new setting is a member in core/settings.h and a line here.
//
// A visitor has one function for each kind of setting:
//     section(label)                   what follows belongs together
//     number(field, value, range)      int or float
//     widths(field, value, range)      one width, or one for each field.each
//     choice(field, value, words)      an enum
//     flag(field, value)               a Switch
//     group(field, settings)           settings within settings; calls visit_fields on them
#pragma once

#include "model/settings/attention_fields.h"

namespace headlight {

void visit_fields(BlockSettings& s, auto& visit) {
    visit.section("Block");
    visit.flag({"residual", "Residual", "Add the input of each part to its output."}, s.residual);
    visit.flag({"parallel", "Parallel", "Attention and MLP read the same input: X + f(X) + g(X).",
                s.mlp != Mlp::None},
               s.parallel);
    visit.choice({"norm", "Norm", "Before each part (pre-norm) or after it (post-norm)."}, s.norm,
                 kNormWords);
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
    visit.choice({"readout", "Read-out",
                  "The next word, the word that “it” stands for, or each word itself, as if it "
                  "were masked.",
                  has_logits},
                 s.readout, kReadoutWords);
}

void visit_fields(PatchStackSettings& s, auto& visit) {
    visit_fields_of_layers(s, visit);
}

}  // namespace headlight
