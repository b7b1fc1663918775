// Attention that was recorded elsewhere: patterns, and what can be read off them alone.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/matrix_source.h"
#include "core/plan.h"

namespace headlight {

/// What reads what: tokens themselves, tokens the source, the source itself.
enum class RecordedKind { Self, Cross, Source };

/// The attentions of one kind, a layer each.
struct RecordedAttention {
    RecordedKind kind = RecordedKind::Self;
    int n_layers = 1, n_heads = 1;
    int n_kv_heads = 0;      // of how many heads the keys and values are; divides n_heads
    Index d_k = 0, d_v = 0;  // the widths of queries and keys, of values; 0: not recorded

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

/// The matrix's number in its source, and back: text by text, attention by attention, layer by
/// layer, in each the patterns, queries, keys and values that there are.
Index recorded_number(std::span<const RecordedAttention> attentions, const RecordedMatrix& matrix);
RecordedMatrix recorded_matrix(std::span<const RecordedAttention> attentions, Index number);

/// How many patterns a text has.
Index count_recorded_patterns(std::span<const RecordedAttention> attentions);

struct RecordedPatterns {
    std::vector<std::string> tokens, source_tokens;
    RecordedAttentions attentions;
    std::shared_ptr<const MatrixSource> source;  // matrices by recorded_number
    Index text = 0;
};

/// Names the patterns of a text, which are read when they are looked at:
///     blocks.l.attn.heads.h.pattern                of Self alone, tokens × tokens
///     blocks.l.cross.heads.h.pattern               of Cross alone, tokens × source tokens
///     encoder.blocks.l.attn, decoder.blocks.l.attn, decoder.blocks.l.cross     of several
/// and beside them q, k and v if they were recorded (kv.g.k and kv.g.v where heads share them).
/// Of Self alone, on demand, also the metrics of the heads that need no more than a pattern
/// (head_metrics.h), and raw attention, rollout and, of few tokens, flow across the layers, as if a
/// residual passed each of them by (across_layers.h).
/// With source tokens, these are list 0 and the tokens list 1.
/// Throws Error if there is no token, no attention or no source.
Plan plan_recorded(RecordedPatterns patterns);

}  // namespace headlight
