// Parts: a plan cut into what is looked at as one: an attention, an MLP, a recurrent layer, a
// step.
//
// Goals: the window, the list of tensors and the figures know parts, not mechanisms; a new
// mechanism shows up by the paths of its tensors.
#pragma once

#include <string>
#include <vector>

#include "core/plan.h"

namespace headlight {

struct Part {
    std::string path;               // "blocks.0.attn", "encoder.forward.steps.3", "input"
    std::string group;              // "Layer 0", "Encoder layer 1"; parts of one stand together
    std::string label;              // "attention", "MLP", "input"
    int n_heads = 0;                // 0: nobody attends here
    std::vector<TensorId> tensors;  // in the order of computation
};

using Parts = std::vector<Part>;

/// The part of what is read off the whole network: metrics, attention across layers, influence.
inline constexpr const char* kAnalysesPart = "analyses";

/// Every tensor is in one part, but for those of the probe, which are in none. In the order of
/// computation, what is read off the whole network last.
Parts parts_of(const Plan& plan);

/// The part of that path; null if there is none.
const Part* find_part(const Parts& parts, const std::string& path);

/// What a picture of the part shows: its tensors, of its heads only one, and what they read from
/// other parts. Without biases and gains, and without what is only computed on demand unless there
/// is nothing else.
std::vector<TensorId> shown_tensors(const Plan& plan, const Part& part, int head);

/// The head that a path belongs to ("blocks.0.attn.heads.2.q" → 2); −1 for what all heads share.
int head_of(std::string_view path);

/// The part that a tensor is in; null for the probe's.
const Part* part_with(const Plan& plan, const Parts& parts, const std::string& tensor_path);

/// "blocks.0.attn.heads.2"; the part's own path where it has no heads.
std::string head_path(const Part& part, int head);

}  // namespace headlight
