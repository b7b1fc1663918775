// The loss of a text's own next tokens: how badly the network foretells the text that it reads.
#pragma once

#include <vector>

#include "core/trace.h"

namespace headlight {

/// For each row of the logits the word of the vocabulary that comes next in its sentence; −1 where
/// none does, or one that the vocabulary does not have. Throws Error if there are no logits, or not
/// one row of them a token.
std::vector<Index> next_tokens(const Trace& trace);

/// The mean cross-entropy of the next tokens, in nats:
///     1/m · Σ_i −log softmax(logits(i))(next(i)),   i over the m rows that have a next token
/// `stream` stands in place of what the last layer gives out, n × d_model; what is behind it is
/// computed by the trace's own weights. Throws Error if no row has a next token.
double next_token_loss(const Trace& trace, const Matrix& stream, const std::vector<Index>& next);

/// That of the trace itself.
double next_token_loss(const Trace& trace);

}  // namespace headlight
