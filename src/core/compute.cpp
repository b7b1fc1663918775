#include "core/compute.h"

#include <algorithm>
#include <unordered_map>

#include "core/error.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

/// For each tensor: whether its value stays in memory.
Flags kept_tensors(const Plan& plan, const Watched& watched) {
    const bool is_small = keeps_when_small(plan);
    Flags kept;
    kept.reserve(plan.tensors().size());
    for (const PlannedTensor& tensor : plan.tensors())
        kept.push_back(tensor.keep == Keep::Always ||
                       (tensor.keep == Keep::WhenSmall && is_small) ||
                       watched.contains(tensor.path));
    return kept;
}

Index count_kept(const Plan& plan, const Flags& kept) {
    Index bytes = 0;
    for (TensorId id = 0; id < kept.size(); ++id)
        if (kept[id]) bytes += count_bytes(plan[id]);
    return bytes;
}

/// Finds the matrices of an earlier trace that this one would compute again.
class Matches {
  public:
    Matches(const Trace& trace, const Trace* previous)
        : trace_(trace),
          previous_(previous),
          is_same_plan_(previous && previous->shared_plan() == trace.shared_plan()),
          matches_(trace.tensors().size()) {
        if (!previous_) return;
        for (TensorId id = 0; id < matches_.size(); ++id) {
            const Tensor& tensor = trace_[id];
            Match& match = matches_[id];
            match.earlier = find_earlier(id);
            if (!match.earlier) continue;
            match.computed = tensor.is_given == match.earlier->is_given &&
                             (tensor.is_given ? tensor.computed == match.earlier->computed
                                              : is_same_computation(tensor, *match.earlier));
            match.value = match.computed && tensor.intervention == match.earlier->intervention;
        }
    }

    /// For each tensor: whether its computed matrix is given, or can be reused.
    Flags reused() const {
        Flags reused;
        reused.reserve(matches_.size());
        for (TensorId id = 0; id < matches_.size(); ++id)
            reused.push_back(trace_[id].is_given ||
                             (matches_[id].computed && matches_[id].earlier->computed));
        return reused;
    }

    void take_over(Trace& trace, TensorId id) const {
        const Match& match = matches_[id];
        Tensor& tensor = trace.tensors()[id];
        if (!match.computed) {
            tensor.value = after_intervention(trace, id, tensor.computed);
            return;
        }
        if (tensor.computed != match.earlier->computed) tensor.computed = match.earlier->computed;
        if (!match.value || !match.earlier->value)
            tensor.value = after_intervention(trace, id, tensor.computed);
        else if (tensor.value != match.earlier->value)
            tensor.value = match.earlier->value;
    }

  private:
    struct Match {
        const Tensor* earlier = nullptr;  // the earlier trace's tensor with the same path
        bool computed = false;            // its computed matrix is the same
        bool value = false;               // its value is the same
    };

    /// The earlier tensor with the same path. It usually has the same index.
    const Tensor* find_earlier(TensorId id) const {
        const auto& tensors = previous_->tensors();
        if (is_same_plan_) return &tensors[id];
        const std::string& path = trace_[id].path();
        return id < tensors.size() && tensors[id].path() == path ? &tensors[id]
                                                                 : previous_->find(path);
    }

    bool is_same_computation(const Tensor& tensor, const Tensor& earlier) const {
        if (is_same_plan_)
            return std::ranges::all_of(tensor.inputs(),
                                       [&](TensorId input) { return matches_[input].value; });
        if (!is_same_use(tensor.planned(), earlier.planned())) return false;
        for (std::size_t i = 0; i < tensor.inputs().size(); ++i) {
            const Match& input = matches_[tensor.inputs()[i]];
            if (!input.value || input.earlier != &(*previous_)[earlier.inputs()[i]]) return false;
        }
        return true;
    }

    static bool is_same_use(const PlannedTensor& a, const PlannedTensor& b) {
        return a.operation == b.operation && a.rows == b.rows && a.columns == b.columns &&
               a.inputs.size() == b.inputs.size() && a.settings == b.settings;
    }

    const Trace& trace_;
    const Trace* previous_;
    bool is_same_plan_;  // then the indices agree
    std::vector<Match> matches_;
};

void run_all(const Schedule& schedule, Trace& trace, const ForEach& for_each) {
    Progress* const progress = for_each.progress();
    if (progress) progress->begin(schedule.work());
    for (std::size_t s = 0; s < schedule.segments().size(); ++s) {
        const Segment& segment = schedule.segments()[s];
        if (progress) progress->enter(trace[segment.ids.back()].path());
        run(segment, trace, for_each);
        for (const TensorId id : schedule.released_after(s)) {
            trace.tensors()[id].computed.reset();
            trace.tensors()[id].value.reset();
        }
    }
}

void check_given(const Tensor& tensor, const Matrix& values) {
    const Index rows = tensor.rows().size, columns = tensor.columns().size;
    if (!tensor.is_leaf())
        throw Error("evaluate", tensor.path() + " is computed: it cannot be given");
    if (values.rows() != rows || values.cols() != columns)
        throw Error("evaluate", tensor.path() + " is " + shape_text(rows, columns) +
                                    ", it was given " + shape_text(values.rows(), values.cols()));
}

}  // namespace

bool Watched::contains(std::string_view path) const {
    return everything || std::any_of(globs.begin(), globs.end(),
                                     [&](const std::string& glob) { return matches(glob, path); });
}

void Evaluator::decide_kept(std::shared_ptr<const Plan> plan, const Watched& watched) {
    if (plan == plan_ && watched == watched_) return;
    plan_ = std::move(plan);
    watched_ = watched;
    kept_ = kept_tensors(*plan_, watched_);
    is_small_ = count_kept(*plan_, kept_) <= reused_bytes_;
    schedule_.reset();
}

/// A trace with the interventions that are on, and what is given. Else it has no values, or those
/// of a trace that nobody uses any more.
std::shared_ptr<Trace> Evaluator::make_trace(const Interventions& interventions,
                                             GivenLeaves given) {
    const bool is_free =
        before_last_ && before_last_.use_count() == 1 && before_last_->shared_plan() == plan_;
    std::shared_ptr<Trace> trace =
        is_free ? std::move(before_last_) : std::make_shared<Trace>(plan_);
    before_last_.reset();
    if (is_free)
        for (Tensor& tensor : trace->tensors()) {
            if (!tensor.intervention.is_empty()) tensor.intervention = {};
            if (!tensor.is_given) continue;
            tensor.is_given = false;
            tensor.computed = tensor.value = nullptr;
        }
    for (const GivenLeaf& leaf : given) {
        Tensor& tensor = trace->tensors()[leaf.leaf];
        check_given(tensor, *leaf.values);
        tensor.is_given = true;
        tensor.computed = leaf.values;
    }
    for (const auto& [path, intervention] : interventions)
        if (intervention.is_on && trace->find(path))
            trace->tensors()[trace->id_at(path)].intervention = intervention;
    return trace;
}

const Schedule& Evaluator::schedule_for(Flags reused, const Trace& trace, int n_threads) {
    ScheduleKey key{kept_, std::move(reused), {}, n_threads};
    key.overridden.reserve(kept_.size());
    for (const Tensor& tensor : trace.tensors()) key.overridden.push_back(find_override(tensor));
    if (!schedule_ || !(schedule_->key() == key))
        schedule_ = std::make_unique<const Schedule>(*plan_, std::move(key));
    return *schedule_;
}

std::shared_ptr<const Trace> Evaluator::evaluate(std::shared_ptr<const Plan> plan,
                                                 const Interventions& interventions,
                                                 const Watched& watched, const Trace* previous,
                                                 const ForEach& for_each, GivenLeaves given) {
    decide_kept(std::move(plan), watched);
    const std::shared_ptr<Trace> trace = make_trace(interventions, given);
    const Matches matches(*trace, previous);
    const Schedule& schedule = schedule_for(matches.reused(), *trace, for_each.n_threads());
    for (TensorId id = 0; id < trace->tensors().size(); ++id) {
        Tensor& tensor = trace->tensors()[id];
        if (schedule.needs(id) && schedule.key().reused[id]) {
            matches.take_over(*trace, id);
        } else if (tensor.computed && !schedule.makes(id)) {
            tensor.computed.reset();
            tensor.value.reset();
        }
    }
    run_all(schedule, *trace, for_each);
    if (is_small_) before_last_ = std::move(last_);
    last_ = is_small_ ? trace : nullptr;
    return trace;
}

Trace compute(std::shared_ptr<const Plan> plan, const Interventions& interventions,
              const Watched& watched, const Trace* previous, const ForEach& for_each) {
    Evaluator evaluator;
    const auto trace =
        evaluator.evaluate(std::move(plan), interventions, watched, previous, for_each);
    return std::move(const_cast<Trace&>(*trace));  // it has no other owner
}

Trace compute(Plan plan, const Interventions& interventions, const Watched& watched,
              const Trace* previous, const ForEach& for_each) {
    return compute(std::make_shared<const Plan>(std::move(plan)), interventions, watched, previous,
                   for_each);
}

double count_kept_bytes(const Plan& plan, const Watched& watched) {
    return static_cast<double>(count_kept(plan, kept_tensors(plan, watched)));
}

std::vector<std::string> dormant_interventions(const Plan& plan,
                                               const Interventions& interventions) {
    std::vector<std::string> dormant;
    for (const auto& [path, intervention] : interventions) {
        const PlannedTensor* tensor = plan.find(path);
        const bool fits =
            tensor && std::all_of(intervention.cells.begin(), intervention.cells.end(),
                                  [&](const CellValue& cell) {
                                      return cell.row < tensor->rows.size &&
                                             cell.column < tensor->columns.size;
                                  });
        if (!fits) dormant.push_back(path);
    }
    return dormant;
}

MatrixPtr compute_value(const Trace& trace, TensorId id) {
    return trace[id].value ? trace[id].value : Workings(trace, id).value();
}

/// Values that the trace did not keep. Each is computed once, however often it is read.
struct Workings::Remade {
    std::unordered_map<TensorId, MatrixPtr> values;

    MatrixPtr value(const Trace& trace, TensorId id) {
        if (trace[id].value) return trace[id].value;
        if (const auto it = values.find(id); it != values.end()) return it->second;
        return values[id] = Workings(trace, id, *this).value();
    }
};

Workings::Workings(const Trace& trace, TensorId id, Remade& remade)
    : trace_(trace), id_(id), tensor_(trace[id]), computed_(tensor_.computed) {
    for (const TensorId input : tensor_.inputs()) {
        inputs_.push_back(remade.value(trace, input));
        in_.push_back(view(*inputs_.back()));
    }
    if (!computed_)
        computed_ = operations::handed_through(*tensor_.operation(), tensor_.settings(),
                                               tensor_.rows().size, tensor_.columns().size);
    if (!computed_) computed_ = std::make_shared<const Matrix>(compute_alone(tensor_, call()));
}

Workings::Workings(const Trace& trace, TensorId id)
    : Workings(trace, id, *std::make_unique<Remade>()) {}

MatrixPtr Workings::value() const {
    return tensor_.value ? tensor_.value : after_intervention(trace_, id_, computed_);
}

}  // namespace headlight
