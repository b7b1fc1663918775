// Attention that was recorded elsewhere: patterns, and analyses that need only patterns.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/edges.h"
#include "core/matrix.h"
#include "core/plan.h"

namespace headlight {

/// The reader and the items that are read: tokens read themselves, tokens the source, the source
/// itself; nodes of a graph read the nodes from which edges lead to them.
enum class RecordedKind { Self, Cross, Source, Edges };

/// True if keys are of tokens or nodes, not of the source.
constexpr bool reads_tokens(RecordedKind kind) {
    return kind == RecordedKind::Self || kind == RecordedKind::Edges;
}

/// The attentions of one kind, a layer each.
struct RecordedAttention {
    RecordedKind kind = RecordedKind::Self;
    int n_layers = 1, n_heads = 1;
    int n_kv_heads = 0;      // of how many heads the keys and values are; divides n_heads
    Index d_k = 0, d_v = 0;  // the widths of queries and keys, of values; 0: not recorded
    std::vector<int> layer_heads = {};  // of Edges, where layers differ; n_heads is then the most

    int heads_in(int layer) const;
    int kv_heads_in(int layer) const { return layer_heads.empty() ? n_kv_heads : heads_in(layer); }

    bool operator==(const RecordedAttention&) const = default;
};

using RecordedAttentions = std::vector<RecordedAttention>;

/// A matrix of a recording of several texts. A pattern and q are of a head, k and v of a kv head.
enum class RecordedPart { Pattern, Query, Key, Value };
struct RecordedMatrix {
    Index text = 0;
    int attention = 0;  // in the list of attentions
    int layer = 0;
    RecordedPart part = RecordedPart::Pattern;
    int head = 0;

    bool operator==(const RecordedMatrix&) const = default;
};

/// Convert the matrix into its number in its source, and back: text by text, attention by
/// attention, layer by layer, in each the patterns, queries, keys and values that there are.
Index recorded_number(std::span<const RecordedAttention> attentions, const RecordedMatrix& matrix);
RecordedMatrix recorded_matrix(std::span<const RecordedAttention> attentions, Index number);

/// Returns the number of patterns of a text.
Index count_recorded_patterns(std::span<const RecordedAttention> attentions);

/// A picture whose patches are the tokens, from token `begin` on.
struct RecordedPicture {
    Index columns = 0, begin = 0;  // patches beside each other; 0: the tokens are no patches
    Index pixel_rows = 0, pixel_columns = 0;
    std::shared_ptr<const MatrixSource> pixels = {};  // by text: one row a pixel, red green blue
};

struct RecordedPatterns {
    std::vector<std::string> tokens, source_tokens;
    RecordedAttentions attentions;
    std::shared_ptr<const MatrixSource> source;  // matrices by recorded_number
    Index text = 0;
    bool are_of_words = false;  // of words whose pieces are joined
    RecordedPicture picture = {};
    std::shared_ptr<const Edges> edges = {};  // of Edges: what is read along
};

/// Names the patterns of a text, which are read when they are looked at:
///     blocks.l.attn.heads.h.pattern                of Self only, tokens × tokens
///     blocks.l.cross.heads.h.pattern               of Cross only, tokens × source tokens
///     encoder.blocks.l.attn, decoder.blocks.l.attn, decoder.blocks.l.cross     of several
///     blocks.l.attn.heads.h.pattern                of Edges, one number an edge
/// and beside them q, k and v if they were recorded (kv.g.k and kv.g.v where heads share them).
/// With Self only, on demand, also the metrics of the heads that need no more than a pattern
/// (head_metrics.h), and raw attention, rollout and, of few tokens, flow across the layers, as if a
/// residual passed each of them by (across_layers.h).
/// With source tokens, these are list 0 and the tokens list 1. Of a picture there is `image` as
/// well. Throws Error if there is no token, no attention or no source.
Plan plan_recorded(RecordedPatterns patterns);

}  // namespace headlight
