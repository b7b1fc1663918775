// The settings of a study's layers. Plain values; the mechanisms' headers explain them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace headlight {

/// One width for all heads or layers ({8}), or one for each ({8, 4}). Of heads {0} means
/// d_model / n_heads, at least 1; of windows 0 means none.
struct Widths {
    std::vector<int> values = {0};

    bool follow_the_model() const { return values == std::vector{0}; }
    bool is_list() const { return values.size() > 1; }
    bool differ() const {
        return std::ranges::adjacent_find(values, std::not_equal_to<>()) != values.end();
    }
    int of(int number) const {
        const auto n = static_cast<std::size_t>(number);
        return n < values.size() ? values[n] : values.back();
    }
    bool operator==(const Widths&) const = default;
};

enum class Switch { Off, On };

/// The origin of W_Q, W_K or W_V. The Shared projections of a head are one matrix.
enum class Projection { Learned, Identity, Shared };
enum class Score { ScaledDot, Dot, Cosine, Bilinear, Additive };
enum class Normalizer { Softmax, Hard, TopK, Sparsemax, Entmax };

enum class Positions { None, Sinusoidal, Learned };  // added to the input
/// Positions inside the scores.
enum class RelativePositions { None, Rotary, Shaw, Alibi, Buckets, Quadratic };
enum class RotaryPairs { Interleaved, Halves };  // columns 2f and 2f + 1, or f and f + d/2
/// The way in which a text that is longer than those of the training is turned.
enum class RotaryScaling { None, Linear, Dynamic, Llama3, Yarn };

/// Masks combine: a query may read a key only if every mask allows it.
struct MaskSettings {
    Switch causal = Switch::Off;
    Widths window = {};              // the largest distance of a key, in all layers or in each
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
    Switch bias = Switch::Off;        // b_Q, b_K, b_V, b_O
    Switch qkv_bias = Switch::On;     // with bias: b_Q, b_K, b_V, too
    Switch output_bias = Switch::On;  // with bias: b_O, too
    Switch qk_norm = Switch::Off;     // an RMS norm of each head's queries and keys
    Score score = Score::ScaledDot;
    float d_power = 0.5f;  // ScaledDot: scores are divided by d_k to this power
    int d_hidden = 16;     // of additive scores
    float temperature = 1;
    float score_cap = 0;  // scores are c tanh(S / c), below c; 0: as they are     [Gemma 2]
    Normalizer normalizer = Normalizer::Softmax;
    int top_k = 3;
    RelativePositions relative = RelativePositions::None;
    RotaryPairs rotary_pairs = RotaryPairs::Interleaved;
    float rotary_base = 10000;
    float rotary_window_base = 0;  // in layers with a window, never scaled; 0: as in the others
    int rotary_dims = 0;           // the first columns of a head, which rotate; 0: all
    Widths rotary_layers = {{1}};  // 1 or 0, of all layers or of each: whether its heads rotate
    RotaryScaling rotary_scaling = RotaryScaling::None;
    float rotary_factor = 1;                // the factor by which texts became longer
    int rotary_length = 8192;               // of texts before
    float rotary_low = 1, rotary_high = 4;  // turns in that length: slower, faster pairs
    int max_distance = 8;  // Shaw: where distances are clipped; buckets: where the last begins
    int n_buckets = 8;
    Switch shared_buckets = Switch::Off;  // all layers have the table of the first one
    float alpha = 1;                      // width of quadratic positional scores

    bool operator==(const AttentionSettings&) const = default;
};

enum class Norm { None, Pre, Post, Both };
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
/// The form of the network's answer. Questions: the patterns of the last layer's three heads are
/// the answers: for each word who, in what state, and doing what. [a pointer network, Vinyals 2015]
enum class Readout { NextWord, Pronoun, MaskedWord, Questions };
/// The questions of the heads of the last layer, in their order (Readout::Questions).
inline constexpr std::array kQuestionNames = {"who", "state", "action"};
inline constexpr std::array kQuestionWords = {"which noun?", "which adjective?", "which verb?"};

/// The kind of the last layer. Pointing: it mixes the words' embeddings themselves. Its values are
/// made of them, not of the results of earlier layers; no residual passes it by, and it has no MLP.
/// So its output is made only of the words that it points at.                 [cf. Vinyals 2015]
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
    float logit_scale = 1;                        // of the input of W_U
    float logit_cap = 0;                          // as score_cap
    Readout readout = Readout::NextWord;          // of every word, or what "it" stands for …

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
    int n_classes = 0;                    // the number of classes of nodes; 0: none

    bool operator==(const GraphSettings&) const = default;
};

enum class ImageMechanism { Attention, Convolution };
/// The kernel of a convolution: drawn from the seed, or one output channel for each of its cells.
enum class Kernel { Random, Neighbours };
/// The places where the nine heads look before training: at the cells of the kernel, or anywhere
/// near.
enum class Centers { Grid, Random };

/// The role of a token that stands for the whole picture: it reads the patches after the last layer
/// [Touvron 2021, CaiT], or is an item as they are, from the first layer on [Dosovitskiy 2021,
/// ViT]: the last one, or the first one.
enum class ClassToken { Reader, Item, First };

/// Attention of an image's patches on each other.
struct ImageSettings {
    ImageMechanism mechanism = ImageMechanism::Attention;
    int patch = 1;                    // side of a patch, in pixels
    Switch normalized = Switch::Off;  // mean and deviation of the channels are taken out
    PatchStackSettings stack = {};
    int n_classes = 0;  // Attention: that the picture is one of; 0: it is not told
    ClassToken class_token = ClassToken::Reader;
    Kernel kernel = Kernel::Random;   // Convolution
    int kernel_out = 3;               // Convolution: output channels of a random kernel
    Centers centers = Centers::Grid;  // Convolution
    float alpha = 4;                  // Convolution: how narrow the nine heads look

    bool operator==(const ImageSettings&) const = default;
};

}  // namespace headlight
