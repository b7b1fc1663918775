// Ablation: a head that adds nothing of its own to the output, as a pin with a name.
#pragma once

#include <optional>
#include <string>

#include "core/components.h"
#include "model/document.h"

namespace headlight {

/// What replaces a head's output z.
enum class Ablation {
    Zero,
    Mean,  // at every position the mean of z over the positions, without padding
};

/// The head's tensor that an ablation sets: z, or in a graph attention out. Null if it has none.
const Tensor* ablated_tensor(const Trace& trace, const Component& attention, int head);

/// How the tensor is ablated now; an ablated tensor has all rows set to the same values. Nothing if
/// it is not ablated.
std::optional<Ablation> find_ablation(const Tensor& z);

/// Ablates a tensor in the trace of all sentences and replaces what was set in it. With no ablation
/// given, takes the ablation back. The tensor must have been computed.
void ablate(Document& document, const Trace& whole, const std::string& path,
            std::optional<Ablation> ablation);

/// Ablates every head of the attention but one, which is restored if it was ablated.
void keep_one_head(Document& document, const Trace& whole, const Component& attention, int head,
                   Ablation ablation);
/// Takes back every ablation of the attention's heads; other pins stay.
void restore_heads(Document& document, const Trace& whole, const Component& attention);

}  // namespace headlight
