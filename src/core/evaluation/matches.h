// Matches: the matrices of an earlier trace that a new one would compute again.
#pragma once

#include "core/evaluation/overlap.h"
#include "core/evaluation/segment.h"

namespace headlight {

class Matches {
  public:
    /// Compares `trace`, which has its interventions and given leaves, with `previous`, which may
    /// be null.
    Matches(const Trace& trace, const Trace* previous);

    /// Returns, for each tensor, a flag that its computed matrix is given, or can be reused.
    Flags reused() const;
    /// Returns, for each tensor, how many first rows of its matrices can be taken over. Empty: none
    /// of any tensor.
    const std::vector<Index>& first_rows() const { return first_rows_; }
    /// True if the assumptions about first rows hold in the trace: see kLargestInOverlap.
    bool first_rows_hold(const Trace& trace) const;

    /// Gives the tensor the earlier matrices, which it would compute again.
    void take_over(Trace& trace, TensorId id) const;
    /// Gives the tensor matrices whose first rows are the earlier ones.
    void take_first_rows(Trace& trace, TensorId id) const;

  private:
    struct Match {
        const Tensor* earlier = nullptr;  // the earlier trace's tensor with the same path
        bool computed = false;            // its computed matrix is the same
        bool value = false;               // its value is the same
        Overlap overlap = {};             // of the value
    };

    bool is_same_computation(const Tensor& tensor, const Tensor& earlier) const;
    void find_overlap(TensorId id);
    OverlapInput overlap_input(TensorId id) const;

    const Trace& trace_;
    const Trace* previous_;
    bool is_same_plan_;  // then the indices agree
    std::vector<Match> matches_;
    std::vector<Index> first_rows_;
    std::vector<TensorId> must_be_small_;
};

}  // namespace headlight
