// Readout computes logits from the residual stream: after every layer (the logit lens), and part by
// part (direct logit attribution); and the loss of the next tokens, from the last layer.
//
// Goals: the numbers are those of the trace, by its own operations; parts add up to the logit.
// Not goals: words for the parts, which pictures choose; networks without logits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"

namespace headlight {

/// The logit of a word at a place, or how much larger it is than that of another word.
struct LogitQuestion {
    Index row = 0;  // of the logits
    Index word = 0;
    std::optional<Index> minus = {};

    bool operator==(const LogitQuestion&) const = default;
};

/// Returns the path of the logits; not every network has them.
std::string logits_path();

/// Returns the row of the logits that is used unless another is chosen: the first masked token,
/// [MASK] or <mask>, else the last one that is not padding. Throws Error if there are no logits.
Index usual_place(const Plan& plan);

/// Returns the answer in the trace. Throws Error if there are no logits, or no such row or word.
double logit_asked(const Trace& trace, const LogitQuestion& question);

// ---- from the last layer to the logits ----

/// Returns the output of the last layer, from which the logits are computed, row by row. Throws
/// Error if the network has no logits.
TensorId last_stream(const Plan& plan);

/// Returns the row of the last stream that a row of the logits comes from.
Index row_of_stream(const Trace& trace, Index row);

/// Returns the logits that rows of the last stream would give, by the trace's own weights. Pins
/// after the last stream have no effect. n × d_model → n × words.
Matrix read_out(const Trace& trace, const Matrix& rows);

/// Returns the path of a computed matrix after the last layer that is set by hand; empty if there
/// is none.
std::string pinned_readout(const Trace& trace);

// ---- logit lens                                                       [nostalgebraist 2020] ----

/// Returns the residual streams that could be read: the input of the first layer and the output of
/// each. Empty if the network has no logits or no layers.
std::vector<TensorId> list_streams(const Plan& plan);

/// Returns the logits that one place would have if the layers after a stream did nothing:
/// everything between the last layer and the logits is computed on that place's row of each stream.
/// One row a stream, one column a word; the last row is that of the logits themselves. Throws Error
/// as logit_asked does.
Matrix lens_logits(const Trace& trace, Index row);

// ---- direct logit attribution                          [Elhage 2021, "Logit attribution"] ----

/// One addend of the last residual stream, and its share of the logit.
struct LogitPart {
    Identity what;  // a head's output, an MLP's, the embeddings, …; Bias: biases together
    double value = 0;
};

struct LogitParts {
    std::vector<LogitPart> parts;  // in the order of computation
    double logit = 0;              // their sum
};

/// Returns the logit as a sum over the addends of the residual stream. The last norm's mean and
/// deviation are taken as they are, so that it is linear; its bias and that of the logits are
/// parts. The change by cells set by hand is a part of its own. Returns nothing where the stream is
/// no sum: where norms follow each layer, or a nonlinear head comes after the last one.
std::optional<LogitParts> attribute_logit(const Trace& trace, const LogitQuestion& question);

// ---- the loss of a text's own next tokens ----

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
