// The settings of a study's layers. Plain values; the mechanisms' headers say what they mean.
#pragma once

#include "core/widths.h"

namespace headlight {

enum class Switch { Off, On };

/// Where W_Q, W_K or W_V comes from. The Shared projections of a head are one matrix.
enum class Projection { Learned, Identity, Shared };
enum class Score { ScaledDot, Dot, Cosine, Bilinear, Additive };
enum class Normalizer { Softmax, Hard, TopK, Sparsemax, Entmax };

enum class Positions { None, Sinusoidal, Learned };  // added to the input
/// Positions inside the scores.
enum class RelativePositions { None, Rotary, Shaw, Alibi, Buckets, Quadratic };
enum class RotaryPairs { Interleaved, Halves };  // columns 2f and 2f + 1, or f and f + d/2

/// Masks combine: a query may read a key only if every mask allows it.
struct MaskSettings {
    Switch causal = Switch::Off;
    int window = 0;                  // how far a key may be; 0: no window
    int dilation = 1;                // with dilation m, only every m-th key, counted from the query
    Switch documents = Switch::Off;  // only keys of the same document; "|" separates documents

    bool operator==(const MaskSettings&) const = default;
};

/// One attention, of a sentence on itself or on another one.
struct AttentionSettings {
    int n_heads = 4;
    int n_kv_heads = 0;  // number of groups that share keys and values; 0: one per head
    Widths d_k = {}, d_v = {};
    Switch output = Switch::On;  // W_O; off: the heads side by side, or their sum if as wide as X
    Projection query = Projection::Learned, key = Projection::Learned, value = Projection::Learned;
    Switch bias = Switch::Off;  // b_Q, b_K, b_V, b_O
    Score score = Score::ScaledDot;
    float d_power = 0.5f;  // ScaledDot: scores are divided by d_k to this power
    int d_hidden = 16;     // of additive scores
    float temperature = 1;
    Normalizer normalizer = Normalizer::Softmax;
    int top_k = 3;
    RelativePositions relative = RelativePositions::None;
    RotaryPairs rotary_pairs = RotaryPairs::Interleaved;
    int max_distance = 8;  // Shaw: where distances are clipped; buckets: where the last begins
    int n_buckets = 8;
    float alpha = 1;  // width of quadratic positional scores

    bool operator==(const AttentionSettings&) const = default;
};

enum class Norm { None, Pre, Post };
enum class NormType { Layer, Rms };
enum class Mlp { None, Relu, Gelu, GeluTanh };

/// The parts of a layer around its attention.
struct BlockSettings {
    Switch residual = Switch::On;
    Norm norm = Norm::None;
    Mlp mlp = Mlp::None;
    int d_ff = 64;

    bool operator==(const BlockSettings&) const = default;
};

enum class Unembedding { None, Learned, Tied };
enum class Readout { NextWord, Pronoun };

/// Pointing: the last layer mixes the words' embeddings themselves. Its values are made of them,
/// not of what the layers before have mixed; no residual passes it by, and it has no MLP. So what
/// comes out is made of the words that it points at, and of nothing else.            [cf. Vinyals
/// 2015]
enum class LastLayer { Block, Pointing };

/// A stack of layers.
struct StackSettings {
    int n_layers = 1;
    LastLayer last_layer = LastLayer::Block;
    int d_model = 32;
    Positions positions = Positions::Sinusoidal;
    AttentionSettings attention = {};
    MaskSettings mask = {};
    BlockSettings block = {};
    Switch final_norm = Switch::Off;
    NormType norm_type = NormType::Layer;         // of the blocks' norms and the final one
    Unembedding unembedding = Unembedding::None;  // logits and probabilities
    Readout readout = Readout::NextWord;          // of every word, or what "it" stands for

    bool operator==(const StackSettings&) const = default;
};

/// A stack over the patches of an image, which have no next word.
struct PatchStackSettings : StackSettings {
    bool operator==(const PatchStackSettings&) const = default;
};

enum class RecurrentCellType { Rnn, Gru, Lstm };
enum class Feeding { Teacher, Free };

/// A recurrent encoder and decoder.                                            [Bahdanau 2015]
struct RecurrentSettings {
    RecurrentCellType cell_type = RecurrentCellType::Gru;
    Switch bidirectional = Switch::On;
    Switch attention = Switch::On;  // off: the decoder sees the last state only
    Feeding feeding = Feeding::Teacher;
    int d_model = 16;   // of the embeddings
    int d_state = 12;   // of h (each direction) and s
    int d_hidden = 10;  // of the additive scores
    float temperature = 1;
    Normalizer normalizer = Normalizer::Softmax;
    int top_k = 3;

    bool operator==(const RecurrentSettings&) const = default;
};

enum class GraphMechanism { Gat, GatV2, Transformer };
enum class Combine { Concat, Mean };
enum class Activation { None, Elu };

/// A stack of graph attention layers.
struct GraphSettings {
    GraphMechanism mechanism = GraphMechanism::Gat;
    int n_layers = 1;
    int n_heads = 4;
    int d_in = 8;
    int d_out = 8;                      // of each head
    int d_edge = 0;                     // of random edge features; 0: none
    float slope = 0.2f;                 // of the LeakyReLU, below 0
    Combine combine = Combine::Concat;  // of the last layer; the ones before concatenate
    Activation activation = Activation::Elu;
    int n_classes = 0;  // that the nodes are told apart into; 0: they are not

    bool operator==(const GraphSettings&) const = default;
};

}  // namespace headlight
