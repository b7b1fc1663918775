// Parts: a plan cut into what is looked at as one: an attention, an MLP, a recurrent layer, a
// step.
//
// Goals: the window, the list of tensors and the figures know parts, not mechanisms; a new
// mechanism shows up by what its tensors are.
#pragma once

#include <string>
#include <vector>

#include "core/trace.h"

namespace headlight {

struct Component {
    Location place;                 // of what is in it, but for the head
    std::string path;               // "blocks.0.attn", "encoder.forward.steps.3", "input"
    std::string group;              // "Layer 0", "Encoder layer 1"; parts of one stand together
    std::string label;              // "attention", "MLP", "input"
    int n_heads = 0;                // 0: nobody attends here
    std::vector<TensorId> tensors;  // in the order of computation

    bool has(const Location& tensor) const;
    bool is_cross() const { return place.component == ComponentKind::CrossAttention; }
    bool is_analyses() const { return place.component == ComponentKind::Analyses; }
    /// One step of several, of a recurrent network or of decoding.
    bool is_of_step() const { return place.step >= 0; }
};

using Components = std::vector<Component>;

/// "Encoder forward"; "" of the main network.
std::string network_words(Network network);

/// Every tensor is in one part, but for those of the probe, which are in none. In the order of
/// computation, what is read off the whole network last.
Components make_components(const Plan& plan);

/// The part of that path, or with that place; null if there is none.
const Component* find_component(const Components& components, const std::string& path);
const Component* find_component(const Components& components, const Location& place);

/// The part that a tensor is in; null for the probe's, and where there is no such tensor.
const Component* component_with(const Plan& plan, const Components& components,
                                const std::string& tensor_path);

/// What a picture of the part shows: its tensors, of its heads only one, and what they read from
/// other parts. Without biases and gains, and without what is only computed on demand unless there
/// is nothing else.
std::vector<TensorId> shown_tensors(const Plan& plan, const Component& component, int head);

/// Of a head the tensor with that role; null if it has none.
const Tensor* find_of_head(const Trace& trace, const Component& component, int head, Role role);

}  // namespace headlight
