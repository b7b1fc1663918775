// The settings of the other mechanisms and of whole studies. See settings.h.
#pragma once

#include "model/document.h"
#include "model/settings/setting_names.h"
#include "model/settings/settings.h"

namespace headlight {

void visit_fields(ImageSettings& s, auto& visit) {
    const bool is_convolution = s.mechanism == ImageMechanism::Convolution;
    visit.section("Image");
    visit.choice({"mechanism", "Mechanism",
                  "Self-attention over patches, or nine heads that together form a convolution."},
                 s.mechanism, kImageMechanismWords);
    visit.number({"patch", "Patch", "Side of a patch, in pixels.", !is_convolution}, s.patch,
                 Range{1, kMaxImageSide});
    visit.flag({"normalized", "Normalised",
                "Of each channel image_mean is subtracted, and it is divided by image_std; a "
                "pretrained model brings both.",
                !is_convolution},
               s.normalized);
    visit.number({"n_classes", "Classes",
                  "Classes that the picture is one of: a class token reads its patches; 0: none.",
                  !is_convolution},
                 s.n_classes, Range{0, kMaxWidth});
    visit.choice({"class_token", "Class token",
                  "What tells the class: a token that reads the patches after the last layer, or "
                  "one that is an item like them, the last or the first one.",
                  !is_convolution},
                 s.class_token, kClassTokenWords);
    visit.choice({"kernel", "Kernel",
                  "Drawn from the seed; or each of nine output channels is one neighbour, the mean "
                  "of its channels.",
                  is_convolution},
                 s.kernel, kKernelWords);
    visit.number({"kernel_out", "Channels out", "Output channels of a random kernel.",
                  is_convolution && s.kernel == Kernel::Random},
                 s.kernel_out, Range{1, kMaxChannels});
    visit.choice({"centers", "Centers",
                  "Where the nine heads look: at the cells of the kernel, or anywhere near, drawn "
                  "from the seed.",
                  is_convolution},
                 s.centers, kCentersWords);
    visit.number(
        {"alpha", "Alpha",
         "How sharply each of the nine heads reads one pixel; trained weights bring their own.",
         is_convolution},
        s.alpha, Range{0.0f, 1000.0f});
    visit.group({"stack", "Stack", "The attention layers.", !is_convolution, "documents"}, s.stack);
}

void visit_fields(RecurrentSettings& s, auto& visit) {
    visit.section("Recurrent");
    visit.choice({"cell", "Cell", "The recurrent cell, which carries the state from word to word."},
                 s.cell_type, kRecurrentCellWords);
    visit.flag({"bidirectional", "Bidirectional", "The encoder also reads from right to left."},
               s.bidirectional);
    visit.flag({"attention", "Attention", "Off: the decoder sees only the encoder's last states."},
               s.attention);
    visit.choice({"feeding", "Feeding",
                  "The decoder's next input: the word of the target (teacher forcing) or its own "
                  "choice (free running)."},
                 s.feeding, kFeedingWords);
    visit.number({"d_model", "Embedding width", "Width of a word's vector, d_model."}, s.d_model,
                 kWidths);
    visit.number({"d_state", "State width", "Width of the state, in each direction."}, s.d_state,
                 kWidths);
    const bool attends = s.attention == Switch::On;
    visit.number(
        {"d_hidden", "Hidden width", "Width of the hidden layer of additive scores.", attends},
        s.d_hidden, kWidths);
    visit_normalizer(s, visit, attends);
}

void visit_fields(GraphSettings& s, auto& visit) {
    const bool is_transformer = s.mechanism == GraphMechanism::Transformer;
    visit.section("Stack");
    visit.choice({"mechanism", "Mechanism", "How a node weighs its neighbours."}, s.mechanism,
                 kGraphMechanismWords);
    visit.number({"n_layers", "Layers", "Number of layers."}, s.n_layers, Range{1, kMaxLayers});
    visit.widths(of_layers({"n_heads", "Heads", "Attention heads in each layer."}), s.n_heads,
                 Range{1, kMaxHeads});
    visit.number(
        {"d_in", "Feature width", "Width of a node's features, unless the graph has its own."},
        s.d_in, kWidths);
    visit.widths(of_layers({"d_out", "Head width", "Width of a head's output."}), s.d_out, kWidths);
    visit.number({"d_edge", "Edge width",
                  "Width of an edge's random features; 0: none. Edge weights replace them."},
                 s.d_edge, Range{0, kMaxWidth});
    visit.number({"slope", "Slope", "Slope of the LeakyReLU below 0.", !is_transformer}, s.slope,
                 Range{0.0f, 1.0f});
    visit.choice({"combine", "Combine", "How the heads of the last layer are combined."}, s.combine,
                 kCombineWords);
    visit.choice({"inner_combine", "Combine inside",
                  "How the heads of the layers before the last one are combined.", s.n_layers > 1},
                 s.inner_combine, kCombineWords);
    visit.flag(
        {"output", "Output W_O", "Mix the heads that are concatenated with W_O.", is_transformer},
        s.output);
    visit.flag({"bias", "Bias", "Add biases to projections and to outputs, which start at 0."},
               s.bias);
    visit.flag({"skip", "Skip", "Add X W_skip to what each layer gives.", is_transformer}, s.skip);
    visit.choice({"activation", "Activation", "The activation after each layer."}, s.activation,
                 kActivationWords);
    visit.flag({"last_activation", "Last activation", "Off: none after the last layer.",
                s.activation != Activation::None},
               s.last_activation);
    visit.number({"n_classes", "Classes",
                  "Classes that the nodes are told apart into, by a last matrix W_C; 0: none."},
                 s.n_classes, Range{0, kMaxWidth});
}

/// True if a cache of keys and values is of use: no word reads a later one.
inline bool can_decode(const SentenceStudy& s) {
    return s.layer.mask.causal == Switch::On;
}

void visit_fields(SentenceStudy& s, auto& visit) {
    visit.group({"layer", "Layer", "The layers and their parts."}, s.layer);
    visit.flag(
        {"decoding", "KV cache",
         "Also decode a causal study word by word, with cached keys and values.", can_decode(s)},
        s.decoding);
}

void visit_fields(AlignmentStudy& s, auto& visit) {
    const bool is_recurrent = s.mechanism == AlignmentMechanism::Recurrent;
    visit.choice({"mechanism", "Mechanism", "How the target reads the source."}, s.mechanism,
                 kAlignmentMechanismWords);
    // There is no distance between two sequences; in the transformer only the decoder is causal.
    const char* const idle = s.mechanism == AlignmentMechanism::Cross
                                 ? "relative rotary_pairs max_distance n_buckets alpha mask"
                                 : "causal";
    visit.group({"layer", "Layer", "Settings of cross-attention and of the Transformer.",
                 !is_recurrent, idle},
                s.layer);
    visit.group(
        {"recurrent", "Recurrent", "Settings of the recurrent encoder and decoder.", is_recurrent},
        s.recurrent);
}

void visit_fields(GraphStudy& s, auto& visit) {
    visit.group({"layer", "Layer", "The layers and their parts."}, s.layer);
    visit.flag({"self_loops", "Self-loops", "Every node also reads itself."}, s.self_loops);
}

void visit_fields(RecordedStudy&, auto&) {}  // there is nothing to set

void visit_fields(ImageStudy& s, auto& visit) {
    visit.group({"layer", "Layer", "The layers and their parts."}, s.layer);
}

}  // namespace headlight
