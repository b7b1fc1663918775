// Schedule: which tensors of a plan are computed, in which order and segments, and what stays.
//
// Goals: decided once for all evaluations that begin alike; what was made for readers only is
// released as soon as the last has read it.
#pragma once

#include "core/evaluation/segment.h"

namespace headlight {

/// How an evaluation begins, beside its plan: what its schedule depends on.
struct Beginning {
    Flags kept;        // their values stay in the trace
    Flags is_there;    // what is computed is there already
    Flags overridden;  // given, or cells are set by hand: the settings do not say what it is
    int n_threads = 1;

    bool operator==(const Beginning&) const = default;
};

class Schedule {
  public:
    Schedule(const Plan& plan, Beginning beginning);

    const Beginning& beginning() const { return beginning_; }
    /// True if somebody keeps or reads the tensor.
    bool needs(TensorId id) const { return needed_[id]; }
    /// True if the trace gets a matrix for it, which is its own.
    bool makes(TensorId id) const { return makes_[id]; }

    const std::vector<Segment>& segments() const { return segments_; }
    /// What is not kept, and read for the last time in a segment.
    const std::vector<TensorId>& released_after(std::size_t segment) const {
        return released_[segment];
    }
    double work() const { return work_; }  // multiply-adds, by estimate

  private:
    void decide_released(const Plan& plan);

    Beginning beginning_;
    Flags needed_, stored_, makes_;
    std::vector<Segment> segments_;
    std::vector<std::vector<TensorId>> released_;  // by segment
    double work_ = 0;
};

}  // namespace headlight
