// Evaluates a plan into a trace, reusing whatever has not changed since an earlier trace.
#pragma once

#include "core/evaluation/segment.h"

namespace headlight {

// Schedule: the order and the segments in which tensors of a plan are computed, and the values that
// stay.
//
// Goals: evaluations with equal keys share one schedule. A value that is needed only by other
// tensors is released as soon as the last of them has read it.

/// Everything but the plan that a schedule depends on.
struct ScheduleKey {
    Flags kept;        // the values stay in the trace
    Flags reused;      // the computed matrices come from an earlier trace
    Flags overridden;  // given, or cells are set by hand: the settings do not say what it is
    int n_threads = 1;
    std::vector<Index> first_rows = {};  // those that exist before; empty: none of any tensor

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
    /// Returns how many first rows of its matrix must exist before.
    Index first_rows(TensorId id) const {
        return makes_[id] && !key_.first_rows.empty() ? key_.first_rows[id] : 0;
    }

    const std::vector<Segment>& segments() const { return segments_; }
    /// Returns the tensors that are not kept and are read for the last time in this segment.
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

/// The tensors whose values are to be kept. Tensors with Keep::Always are kept in any case.
struct Watched {
    bool everything = false;
    std::vector<std::string> globs = {};

    bool contains(std::string_view path) const;
    bool operator==(const Watched&) const = default;
};

/// True if any matrices of the plan come later.
bool has_later(const Plan& plan);
/// Returns what is watched and can be computed now, where matrices of the plan come later; those
/// that the rest needs are asked for.
Watched watched_so_far(const Plan& plan, const Watched& watched);

/// A leaf's numbers, of its shape, in place of those that its operation makes.
struct LeafOverride {
    TensorId leaf = 0;
    MatrixPtr values;
};
using LeafOverrides = std::span<const LeafOverride>;

class Matches;

/// Evaluates plans into traces, again and again. Similar evaluations, such as those of a drag or an
/// animation, share one schedule. For a small study, the memory of the trace before the last is
/// reused if nothing else uses it. Only one thread at a time may use an Evaluator.
class Evaluator {
  public:
    /// The memory of traces up to this size is reused.
    explicit Evaluator(Index reused_bytes = Index(16) << 20) : reused_bytes_(reused_bytes) {}

    /// Runs every operation of the plan whose result is not in `previous` (null if there is none)
    /// and applies the interventions that are on. A tensor with the same operation, settings,
    /// inputs and intervention shares the earlier matrices; with the same plan only inputs and
    /// interventions are compared. Of another plan, first rows that are the same are taken over:
    /// after a word is typed, a causal network computes the rows from it on. A leaf that is `given`
    /// is the same as in `previous` if it was given the same matrix there. The bits are those of
    /// computing everything from scratch, whatever is watched and however `for_each` runs the
    /// tasks. The progress of `for_each` is advanced; it can throw Cancelled.
    std::shared_ptr<const Trace> evaluate(std::shared_ptr<const Plan> plan,
                                          const Interventions& interventions,
                                          const Watched& watched, const Trace* previous,
                                          const ForEach& for_each = serial(),
                                          LeafOverrides given = {});

  private:
    void decide_kept(std::shared_ptr<const Plan> plan, const Watched& watched);
    std::shared_ptr<Trace> make_trace(const Interventions& interventions, LeafOverrides given);
    void run_from(const Matches& matches, std::vector<Index> first_rows, Trace& trace,
                  const ForEach& for_each);

    Index reused_bytes_;
    std::shared_ptr<const Plan> plan_;
    Watched watched_;
    Flags kept_;  // the kept tensors of that plan
    bool is_small_ = false;
    std::unique_ptr<const Schedule> schedule_;
    std::shared_ptr<Trace> last_, before_last_;
};

/// Runs one evaluation.
Trace compute(std::shared_ptr<const Plan> plan, const Interventions& interventions,
              const Watched& watched, const Trace* previous, const ForEach& for_each = serial());

/// Runs one evaluation of a plan that is not used again.
Trace compute(Plan plan, const Interventions& interventions, const Watched& watched,
              const Trace* previous, const ForEach& for_each = serial());

/// Returns the total size of the values that a trace of this plan keeps.
double count_kept_bytes(const Plan& plan, const Watched& watched);

/// Returns the paths of interventions that fit no tensor of the plan, or have a cell outside it.
std::vector<std::string> dormant_interventions(const Plan& plan,
                                               const Interventions& interventions);

/// Returns the value of a tensor, computed again from its inputs if the trace did not keep it.
MatrixPtr compute_value(const Trace& trace, TensorId id);

/// The computation of a tensor: the call of its operation, and the result before the intervention.
/// Values that the trace did not keep are computed again. The trace must outlive it.
class Workings {
  public:
    Workings(const Trace& trace, TensorId id);

    Call call() const {
        return {in_, tensor_.settings(), tensor_.rows().size, tensor_.columns().size, 0, &trace_,
                id_};
    }
    const MatrixPtr& computed() const { return computed_; }
    MatrixPtr value() const;  // after the intervention

  private:
    struct Remade;
    Workings(const Trace& trace, TensorId id, Remade& remade);

    const Trace& trace_;
    TensorId id_;
    const Tensor& tensor_;
    std::vector<MatrixPtr> inputs_;
    std::vector<ConstView> in_;
    MatrixPtr computed_;
};

}  // namespace headlight
