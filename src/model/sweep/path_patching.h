// Path patching: the change of one component's output goes to one receiver alone. [Wang 2022]
#pragma once

#include "model/sweep/sweep.h"

namespace headlight {

/// The output of every head in the layers that the logits are read from, in the order of
/// computation: of an encoder–decoder those of the decoder, both its attentions.
std::vector<TensorId> list_head_outputs(const Plan& plan);

/// Self-attention, and cross-attention.
bool is_swept_attention(ComponentKind component);

/// What evaluations along a path share.
class PathPatching {
  public:
    /// `base` and `plan` outlive it. Throws Error if there is no such receiver, or nothing before
    /// it.
    PathPatching(const Trace& base, std::shared_ptr<const Plan> plan, Interventions own,
                 const SweepPath& path, const ForEach& for_each);

    /// The component comes before the receiver.
    bool is_before(const Identity& component) const;

    /// The last stream where the component has been replaced, and only the receiver knows.
    Matrix last_stream_with(TensorId component, const Intervention& replacement,
                            const ForEach& for_each) const;

  private:
    std::vector<TensorId> received() const;
    Trace run(Interventions changed, const std::vector<TensorId>& wanted, const Trace& before,
              const ForEach& for_each) const;

    const Trace& base_;
    std::shared_ptr<const Plan> plan_;
    Interventions own_, frozen_;  // of the document, and beside them every head as it is
    SweepPath path_;
    std::optional<TensorId> receiver_;  // its output; none: the logits
    std::optional<Trace> frozen_trace_;
};

}  // namespace headlight
