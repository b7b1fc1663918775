// Attention that was recorded elsewhere: patterns, and what can be read off them alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/matrix_source.h"
#include "core/plan.h"

namespace headlight {

struct RecordedPatterns {
    std::vector<std::string> tokens;
    int n_layers = 1, n_heads = 1;
    std::shared_ptr<const MatrixSource> source;  // matrix l · n_heads + h: tokens × tokens
};

/// Names blocks.l.attn.heads.h.pattern, which are read when they are looked at; on demand the
/// metrics of the heads that need no more than a pattern (head_metrics.h), and raw attention,
/// rollout and, of few tokens, flow across the layers, as if a residual passed each of them by
/// (across_layers.h).
/// Throws Error if there is no token or no source.
Plan plan_recorded(RecordedPatterns patterns);

}  // namespace headlight
