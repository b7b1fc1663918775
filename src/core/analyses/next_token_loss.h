// The loss of a text's own next tokens: how badly the network predicts the text that it reads.
#pragma once

#include <vector>

#include "core/trace.h"

namespace headlight {

/// Returns, for each row of the logits, the word of the vocabulary that comes next in its sentence;
/// −1 where there is no next word, or the vocabulary lacks it. Throws Error if there are no logits,
/// or not one row of them a token.
std::vector<Index> next_tokens(const Trace& trace);

/// Returns the mean cross-entropy of the next tokens, in nats:
///     1/m · Σ_i −log softmax(logits(i))(next(i)),   i over the m rows that have a next token
/// `stream` replaces the last layer's output, n × d_model; everything after it is computed by the
/// trace's own weights. Throws Error if no row has a next token.
double next_token_loss(const Trace& trace, const Matrix& stream, const std::vector<Index>& next);

/// Returns the loss of the trace itself.
double next_token_loss(const Trace& trace);

}  // namespace headlight
