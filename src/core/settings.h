// The settings of a study's layers. Plain values; the mechanisms' headers say what they mean.
#pragma once

#include "core/attention_settings.h"

namespace headlight {

enum class Norm { None, Pre, Post };
enum class NormType { Layer, Rms };
enum class Mlp { None, Relu, Gelu, GeluTanh, Silu };

/// The parts of a layer around its attention.
struct BlockSettings {
    Switch residual = Switch::On;
    Switch parallel = Switch::Off;  // attention and MLP both read X
    Norm norm = Norm::None;
    Mlp mlp = Mlp::None;
    Switch mlp_gate = Switch::Off;  // the hidden layer times activation(x W_gate)
    Switch mlp_bias = Switch::On;
    int d_ff = 64;

    bool operator==(const BlockSettings&) const = default;
};

enum class Unembedding { None, Learned, Tied };
enum class Readout { NextWord, Pronoun, MaskedWord };

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
    float embedding_scale = 1;  // of the words' embeddings
    Positions positions = Positions::Sinusoidal;
    int token_types = 0;  // with a vector each; a word's is the number of "[SEP]" before it
    Switch embedding_norm = Switch::Off;
    AttentionSettings attention = {};
    MaskSettings mask = {};
    BlockSettings block = {};
    Switch final_norm = Switch::Off;
    NormType norm_type = NormType::Layer;         // of the blocks' norms and the final one
    float norm_epsilon = 1e-5f;                   // of all norms
    Unembedding unembedding = Unembedding::None;  // logits and probabilities
    Switch unembedding_bias = Switch::Off;        // b_U
    float logit_scale = 1;                        // of what W_U reads
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
enum class Activation { None, Elu, Relu };

/// A stack of graph attention layers.
struct GraphSettings {
    GraphMechanism mechanism = GraphMechanism::Gat;
    int n_layers = 1;
    Widths n_heads = {{4}};  // one for all layers, or one for each
    int d_in = 8;
    Widths d_out = {{8}};                     // of each head; one for all layers, or one for each
    int d_edge = 0;                           // of random edge features; 0: none
    float slope = 0.2f;                       // of the LeakyReLU, below 0
    Combine combine = Combine::Concat;        // of the last layer
    Combine inner_combine = Combine::Concat;  // of the layers before it
    Switch output = Switch::On;               // Transformer: W_O, where heads are concatenated
    Switch bias = Switch::Off;
    Switch skip = Switch::Off;  // Transformer: X W_skip is added to what a layer gives
    Activation activation = Activation::Elu;
    Switch last_activation = Switch::On;  // off: none after the last layer
    int n_classes = 0;                    // that the nodes are told apart into; 0: they are not

    bool operator==(const GraphSettings&) const = default;
};

}  // namespace headlight
