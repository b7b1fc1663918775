// The settings of the other mechanisms and of whole studies. See settings.h.
#pragma once

#include "model/document.h"
#include "model/settings/settings.h"

namespace headlight {

void visit_fields(RecurrentSettings& s, auto& visit) {
    visit.section("Recurrent");
    visit.choice({"cell", "Cell", "What carries the state from word to word."}, s.cell_type,
                 kRecurrentCellWords);
    visit.flag({"bidirectional", "Bidirectional", "The encoder also reads from right to left."},
               s.bidirectional);
    visit.flag({"attention", "Attention", "Off: the decoder sees the last state of the encoder."},
               s.attention);
    visit.choice({"feeding", "Feeding",
                  "The decoder's next input: the right word (teacher) or the one it chose (free)."},
                 s.feeding, kFeedingWords);
    visit.number({"d_model", "Embedding width", "Width of a word's vector."}, s.d_model, kWidths);
    visit.number({"d_state", "State width", "Width of the state, in each direction."}, s.d_state,
                 kWidths);
    const bool attends = s.attention == Switch::On;
    visit.number(
        {"d_hidden", "Hidden width", "Width of the hidden layer of additive scores.", attends},
        s.d_hidden, kWidths);
    visit_normalizer(s, visit, attends);
}

void visit_fields(GraphSettings& s, auto& visit) {
    const bool is_gat = s.mechanism != GraphMechanism::Transformer;
    visit.section("Stack");
    visit.choice({"mechanism", "Mechanism", "How a node weighs its neighbours."}, s.mechanism,
                 kGraphMechanismWords);
    visit.number({"n_layers", "Layers", "Layers, one after another."}, s.n_layers,
                 Range{1, kMaxLayers});
    visit.number({"n_heads", "Heads", "Attention heads in each layer."}, s.n_heads,
                 Range{1, kMaxHeads});
    visit.number(
        {"d_in", "Feature width", "Width of a node's features, where the graph brings none."},
        s.d_in, kWidths);
    visit.number({"d_out", "Head width", "Width of a head's output."}, s.d_out, kWidths);
    visit.number({"d_edge", "Edge width",
                  "Width of an edge's random features; 0: none. Weights take their place."},
                 s.d_edge, Range{0, kMaxWidth});
    visit.number({"slope", "Slope", "Of the LeakyReLU, below 0.", is_gat}, s.slope,
                 Range{0.0f, 1.0f});
    visit.choice({"combine", "Combine", "How the heads of the last layer come together."},
                 s.combine, kCombineWords);
    visit.choice({"activation", "Activation", "What is done to a layer's result."}, s.activation,
                 kActivationWords);
}

void visit_fields(ImageSettings& s, auto& visit) {
    const bool is_convolution = s.mechanism == ImageMechanism::Convolution;
    visit.section("Image");
    visit.choice({"mechanism", "Mechanism",
                  "Patches that read each other, or nine heads that together are a convolution."},
                 s.mechanism, kImageMechanismWords);
    visit.number({"patch", "Patch", "Side of a patch, in pixels.", !is_convolution}, s.patch,
                 Range{1, kMaxImageSide});
    visit.number(
        {"kernel_out", "Channels out", "Channels of the convolution's result.", is_convolution},
        s.kernel_out, Range{1, kMaxChannels});
    visit.number({"alpha", "Alpha", "How narrow the nine heads look.", is_convolution}, s.alpha,
                 Range{0.0f, 1000.0f});
    visit.group({"stack", "Stack", "The layers of attention.", !is_convolution, "documents"},
                s.stack);
}

/// A cache of keys and values serves where no word reads a later one.
inline bool can_decode(const SentenceStudy& s) {
    return s.layer.mask.causal == Switch::On;
}

void visit_fields(SentenceStudy& s, auto& visit) {
    visit.group({"layer", "Layer", "What the layers are made of."}, s.layer);
    visit.flag({"decoding", "KV cache",
                "Compute a causal study word by word, too, with keys and values that are kept.",
                can_decode(s)},
               s.decoding);
}

void visit_fields(AlignmentStudy& s, auto& visit) {
    const bool is_recurrent = s.mechanism == AlignmentMechanism::Recurrent;
    visit.choice({"mechanism", "Mechanism", "How the target reads the source."}, s.mechanism,
                 kAlignmentMechanismWords);
    // Between two sequences there is no distance; in the transformer the decoder alone is causal.
    const char* const idle = s.mechanism == AlignmentMechanism::Cross
                                 ? "relative rotary_pairs max_distance n_buckets alpha mask"
                                 : "causal";
    visit.group({"layer", "Layer", "Of cross-attention and the transformer.", !is_recurrent, idle},
                s.layer);
    visit.group({"recurrent", "Recurrent", "Of the recurrent encoder and decoder.", is_recurrent},
                s.recurrent);
}

void visit_fields(GraphStudy& s, auto& visit) {
    visit.group({"layer", "Layer", "What the layers are made of."}, s.layer);
    visit.flag({"self_loops", "Self-loops", "Every node also reads itself."}, s.self_loops);
}

void visit_fields(RecordedStudy&, auto&) {}  // there is nothing to set

void visit_fields(ImageStudy& s, auto& visit) {
    visit.group({"layer", "Layer", "What the layers are made of."}, s.layer);
}

}  // namespace headlight
