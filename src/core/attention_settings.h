// The settings of an attention. Plain values; the mechanisms' headers say what they mean.
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
/// How a text that is longer than those of the training is turned; see rotary_angles.h.
enum class RotaryScaling { None, Linear, Dynamic, Llama3, Yarn };

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
    Switch bias = Switch::Off;        // b_Q, b_K, b_V, b_O
    Switch qkv_bias = Switch::On;     // with bias: b_Q, b_K, b_V, too
    Switch output_bias = Switch::On;  // with bias: b_O, too
    Switch qk_norm = Switch::Off;     // an RMS norm of each head's queries and keys
    Score score = Score::ScaledDot;
    float d_power = 0.5f;  // ScaledDot: scores are divided by d_k to this power
    int d_hidden = 16;     // of additive scores
    float temperature = 1;
    Normalizer normalizer = Normalizer::Softmax;
    int top_k = 3;
    RelativePositions relative = RelativePositions::None;
    RotaryPairs rotary_pairs = RotaryPairs::Interleaved;
    float rotary_base = 10000;
    int rotary_dims = 0;  // the first columns of a head, which rotate; 0: all
    RotaryScaling rotary_scaling = RotaryScaling::None;
    float rotary_factor = 1;                // by which texts became longer
    int rotary_length = 8192;               // of texts before
    float rotary_low = 1, rotary_high = 4;  // turns in that length: slower, faster pairs
    int max_distance = 8;  // Shaw: where distances are clipped; buckets: where the last begins
    int n_buckets = 8;
    Switch shared_buckets = Switch::Off;  // all layers have the table of the first one
    float alpha = 1;                      // width of quadratic positional scores

    bool operator==(const AttentionSettings&) const = default;
};

}  // namespace headlight
