// Ablation: a head that adds nothing of its own to the output, as an intervention with a name.
#pragma once

#include <optional>
#include <string>

#include "core/components.h"
#include "model/document.h"

namespace headlight {

/// The head's tensor that an ablation sets: z, or in a graph attention out. Null if it has none.
const Tensor* ablated_tensor(const Trace& trace, const Component& attention, int head);

/// How the tensor is ablated now; nothing if it is not.
std::optional<Ablation> find_ablation(const Tensor& z);

/// Ablates a tensor and replaces what was set in it. With no ablation given, takes the ablation
/// back. It holds for every row, whatever the text and the settings become.
void ablate(Document& document, const std::string& path, std::optional<Ablation> ablation);

/// The name of that change: "Ablate head 2 to zero", "Restore head 2".
std::string ablation_name(const Component& attention, int head, std::optional<Ablation> ablation);

/// Ablates every head of the attention but one, which is restored if it was ablated.
void keep_one_head(Document& document, const Trace& whole, const Component& attention, int head,
                   Ablation ablation);
/// Takes back every ablation of the attention's heads; other pins stay.
void restore_heads(Document& document, const Trace& whole, const Component& attention);

}  // namespace headlight
