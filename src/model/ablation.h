// Ablation: a head that adds nothing of its own to the output, as a pin with a name.
#pragma once

#include <optional>
#include <string>

#include "core/parts.h"
#include "model/document.h"

namespace headlight {

/// What stands in for a head's output z.
enum class Ablation {
    Zero,
    Mean,  // at every position the mean of z over the positions, without padding
};

/// The head's tensor that an ablation holds: its z, of a graph's head its out. Null if it has
/// none.
const Tensor* ablated_tensor(const Trace& trace, const Part& attention, int head);

/// How the tensor is ablated now: all of its rows are held at the same values; nothing if not.
std::optional<Ablation> ablation_of(const Tensor& z);

/// Holds the tensor of a trace of all sentences. What was held in it is replaced. Nothing: takes
/// the ablation back. The tensor must have been computed.
void ablate(Document& document, const Trace& whole, const std::string& path,
            std::optional<Ablation> ablation);

/// Ablates every head of the attention but one, which is restored if it was ablated.
void keep_one_head(Document& document, const Trace& whole, const Part& attention, int head,
                   Ablation ablation);
/// Takes back every ablation of the attention's heads; other pins stay.
void restore_heads(Document& document, const Trace& whole, const Part& attention);

}  // namespace headlight
