// Components: a plan divided into the units that people look at: an attention, an MLP, a recurrent
// layer, a step. The window calls them parts.
//
// Goals: the window, the list of tensors and the figures know components, not mechanisms. The
// components of a new mechanism follow from the identities of its tensors.
#pragma once

#include <string>
#include <vector>

#include "core/trace.h"

namespace headlight {

struct Component {
    Location place;     // its tensors' location, without the head
    std::string path;   // "blocks.0.attn", "encoder.forward.steps.3", "input"
    std::string group;  // "Layer 0", "Encoder layer 1"; components of one group are adjacent
    std::string label;  // "attention", "MLP", "input"
    int n_heads = 0;    // 0: not an attention
    std::vector<const char*> head_names = {};  // of each head; empty: they have none
    std::vector<TensorId> tensors;             // in the order of computation

    bool has(const Location& tensor) const;
    bool is_cross() const { return place.component == ComponentKind::CrossAttention; }
    bool is_of_class() const { return place.component == ComponentKind::ClassAttention; }
    bool is_analyses() const { return place.component == ComponentKind::Analyses; }
    /// True for a step of a recurrent network or of decoding.
    bool is_of_step() const { return place.step >= 0; }
};

using Components = std::vector<Component>;

/// Returns "who", or without a name "2": as in "Ablate head 2". A tensor is one of a head.
std::string head_word(const Component& attention, int head);
std::string head_word(const PlannedTensor& of_head);
/// Returns "who", or without a name "head 2".
std::string head_title(const Component& attention, int head);
std::string head_title(const PlannedTensor& of_head);

/// Returns an attention's name among all: "Layer 0", "Layer 1 · cross", "Layer 2 · class".
std::string attention_name(const Component& attention);

/// Returns "Encoder forward"; "" for the main network.
std::string network_words(Network network);

/// Every tensor is in exactly one component, except that the probe's tensors are in none.
/// Components are in the order of computation; analyses of the whole network come last.
Components make_components(const Plan& plan);

/// Returns the component with that path, or at that place; null if there is none.
const Component* find_component(const Components& components, const std::string& path);
const Component* find_component(const Components& components, const Location& place);

/// Returns the component that a tensor is in; null for the probe's tensors and for unknown paths.
const Component* component_with(const Plan& plan, const Components& components,
                                const std::string& tensor_path);

/// Returns the tensors in a picture of the component: its own (of one head only), and those of
/// other components that they read. Biases and gains are left out. Tensors that are computed on
/// demand appear only if the component has no others.
std::vector<TensorId> shown_tensors(const Plan& plan, const Component& component, int head);

/// Returns the head's tensor with that role; null if it has none.
const Tensor* find_of_head(const Trace& trace, const Component& component, int head, Role role);
/// Returns the mask that is added to the scores from which a pattern is made; null if none is, or
/// not to all at once.
const Tensor* find_mask(const Trace& trace, const PlannedTensor& pattern);

}  // namespace headlight
