// Schedule: which tensors of a plan are computed, in which order and segments, and what stays.
//
// Goals: evaluations with equal keys share one schedule. A value that is needed only by other
// tensors is released as soon as the last of them has read it.
#pragma once

#include "core/evaluation/segment.h"

namespace headlight {

/// What a schedule depends on besides the plan.
struct ScheduleKey {
    Flags kept;        // the values stay in the trace
    Flags reused;      // the computed matrices come from an earlier trace
    Flags overridden;  // given, or cells are set by hand: the settings do not say what it is
    int n_threads = 1;
    std::vector<Index> first_rows = {};  // that are there before; empty: none of any tensor

    bool operator==(const ScheduleKey&) const = default;
};

class Schedule {
  public:
    Schedule(const Plan& plan, ScheduleKey key);

    const ScheduleKey& key() const { return key_; }
    /// True if the tensor is kept or read.
    bool needs(TensorId id) const { return needed_[id]; }
    /// True if the tensor gets a matrix of its own in the trace.
    bool makes(TensorId id) const { return makes_[id]; }
    /// The rows of its matrix that must be there before.
    Index first_rows(TensorId id) const {
        return makes_[id] && !key_.first_rows.empty() ? key_.first_rows[id] : 0;
    }

    const std::vector<Segment>& segments() const { return segments_; }
    /// The tensors that are not kept and are read for the last time in this segment.
    const std::vector<TensorId>& released_after(std::size_t segment) const {
        return released_[segment];
    }
    double work() const { return work_; }  // estimated multiply-adds

  private:
    void decide_released(const Plan& plan);

    ScheduleKey key_;
    Flags needed_, stored_, makes_;
    std::vector<Segment> segments_;
    std::vector<std::vector<TensorId>> released_;  // by segment
    double work_ = 0;
};

}  // namespace headlight
