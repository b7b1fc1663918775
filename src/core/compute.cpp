#include "core/compute.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/evaluation/matches.h"
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

const Schedule& Evaluator::schedule_for(ScheduleKey key, const Trace& trace) {
    key.kept = kept_;
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
    std::shared_ptr<Trace> trace = make_trace(interventions, given);
    const Matches matches(*trace, previous);
    run_from(matches, matches.first_rows(), *trace, for_each);
    if (!matches.first_rows().empty() && !matches.first_rows_hold(*trace)) {
        // The matches read the trace that they were made for.
        const auto first = std::exchange(trace, make_trace(interventions, given));
        run_from(matches, {}, *trace, for_each);
    }
    if (is_small_) before_last_ = std::move(last_);
    last_ = is_small_ ? trace : nullptr;
    return trace;
}

/// Computes what does not match, except for the first rows that are there already.
void Evaluator::run_from(const Matches& matches, std::vector<Index> first_rows, Trace& trace,
                         const ForEach& for_each) {
    const Schedule& schedule = schedule_for(
        {{}, matches.reused(), {}, for_each.n_threads(), std::move(first_rows)}, trace);
    for (TensorId id = 0; id < trace.tensors().size(); ++id) {
        Tensor& tensor = trace.tensors()[id];
        if (schedule.needs(id) && schedule.key().reused[id]) {
            matches.take_over(trace, id);
        } else if (tensor.computed && !schedule.makes(id)) {
            tensor.computed.reset();
            tensor.value.reset();
        } else if (schedule.first_rows(id) > 0) {
            matches.take_first_rows(trace, id);
        }
    }
    run_all(schedule, trace, for_each);
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
