// Ablation: a named intervention by which a head adds nothing of its own to the output.
#pragma once

#include <optional>
#include <string>

#include "core/components.h"
#include "model/document.h"

namespace headlight {

/// Returns the head's tensor that an ablation sets: z, or in a graph attention out. Null if it has
/// none.
const Tensor* ablated_tensor(const Trace& trace, const Component& attention, int head);

/// Returns the tensor's current ablation; nothing if it is not ablated.
std::optional<Ablation> find_ablation(const Tensor& z);

/// Ablates a tensor and replaces what was set in it. With no ablation given, takes the ablation
/// back. It holds for every row, even if the text and the settings change.
void ablate(Document& document, const std::string& path, std::optional<Ablation> ablation);

/// Returns the name of that change: "Ablate head 2 to zero", "Restore head 2".
std::string ablation_name(const Component& attention, int head, std::optional<Ablation> ablation);

/// Ablates every head of the attention but one, which is restored if it was ablated.
void keep_one_head(Document& document, const Trace& whole, const Component& attention, int head,
                   Ablation ablation);
/// Takes back every ablation of the attention's heads; other pins stay.
void restore_heads(Document& document, const Trace& whole, const Component& attention);

}  // namespace headlight
