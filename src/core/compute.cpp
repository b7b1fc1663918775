#include "core/compute.h"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/evaluation/matches.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

/// Returns, for each tensor, a flag that its value stays in memory.
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
        throw Error("evaluate", "{} is computed: it cannot be given", tensor.path());
    if (values.rows() != rows || values.cols() != columns)
        throw Error("evaluate", "{} is {}, it was given {}", tensor.path(),
                    shape_text(rows, columns), shape_text(values.rows(), values.cols()));
}

}  // namespace

bool Watched::contains(std::string_view path) const {
    return everything || std::any_of(globs.begin(), globs.end(),
                                     [&](const std::string& glob) { return matches(glob, path); });
}

bool has_later(const Plan& plan) {
    return std::ranges::any_of(plan.tensors(), find_later);
}

Watched watched_so_far(const Plan& plan, const Watched& watched) {
    if (!has_later(plan)) return watched;
    const std::size_t n = plan.tensors().size();
    Flags is_waiting(n), is_wanted(n);
    for (TensorId id = 0; id < n; ++id) {
        const LaterMatrices* later = find_later(plan[id]);
        is_waiting[id] = later && !later->is_there(plan[id].settings.begin);
        for (const TensorId input : plan[id].inputs)
            is_waiting[id] = is_waiting[id] || is_waiting[input];
    }
    Watched so_far;
    for (TensorId id = n; id-- > 0;) {
        const bool is_watched = watched.contains(plan[id].path);
        if (is_watched && !is_waiting[id]) so_far.globs.push_back(plan[id].path);
        if (!is_waiting[id] || !(is_watched || is_wanted[id])) continue;
        for (const TensorId input : plan[id].inputs) is_wanted[input] = true;
        if (const LaterMatrices* later = find_later(plan[id])) later->ask(plan[id].settings.begin);
    }
    return so_far;
}

void Evaluator::decide_kept(std::shared_ptr<const Plan> plan, const Watched& watched) {
    if (plan == plan_ && watched == watched_) return;
    plan_ = std::move(plan);
    watched_ = watched;
    kept_ = kept_tensors(*plan_, watched_);
    is_small_ = count_kept(*plan_, kept_) <= reused_bytes_;
    schedule_.reset();
}

/// Returns a trace with the interventions that are on, and the given leaves. It has no other
/// values, or those of a trace that nobody uses any more.
std::shared_ptr<Trace> Evaluator::make_trace(const Interventions& interventions,
                                             LeafOverrides given) {
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
    for (const LeafOverride& leaf : given) {
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

std::shared_ptr<const Trace> Evaluator::evaluate(std::shared_ptr<const Plan> plan,
                                                 const Interventions& interventions,
                                                 const Watched& watched, const Trace* previous,
                                                 const ForEach& for_each, LeafOverrides given) {
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

/// Computes the tensors that do not match, except for first rows that exist already.
void Evaluator::run_from(const Matches& matches, std::vector<Index> first_rows, Trace& trace,
                         const ForEach& for_each) {
    ScheduleKey key{kept_, matches.reused(), {}, for_each.n_threads(), std::move(first_rows)};
    key.overridden.reserve(kept_.size());
    for (const Tensor& tensor : trace.tensors()) key.overridden.push_back(find_override(tensor));
    if (!schedule_ || !(schedule_->key() == key))
        schedule_ = std::make_unique<const Schedule>(*plan_, std::move(key));
    const Schedule& schedule = *schedule_;
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
        computed_ = operations::constant_value(*tensor_.operation(), tensor_.settings(),
                                               tensor_.rows().size, tensor_.columns().size);
    if (!computed_) computed_ = std::make_shared<const Matrix>(compute_alone(tensor_, call()));
}

Workings::Workings(const Trace& trace, TensorId id)
    : Workings(trace, id, *std::make_unique<Remade>()) {}

MatrixPtr Workings::value() const {
    return tensor_.value ? tensor_.value : after_intervention(trace_, id_, computed_);
}

namespace {

/// The inputs that every block of a segment reads whole should fit into the caches.
constexpr Index kCachedBytes = Index(1) << 20;
/// Temporary whole matrices from this size on are made one after another.
constexpr Index kOneByOneBytes = Index(1) << 20;

/// Orders the tensors that must run, and divides them into segments.
///
/// The order is that of the plan, except for eager tensors: those on demand that no other tensor
/// waits for, such as the metrics of a head. An eager tensor runs as soon as its inputs exist,
/// before the next segment begins. Those that read a large temporary matrix run first, so that only
/// a few of many large patterns are in memory at a time.
class Order {
  public:
    Order(const Plan& plan, const ScheduleKey& key)
        : plan_(plan), key_(key), n_(plan.tensors().size()) {
        decide_needed();
        decide_eager();
        cut_segments();
    }

    Flags& needed() { return needed_; }
    std::vector<std::vector<TensorId>>& segments() { return segments_; }

    /// Tensors that are kept, or read from another segment.
    Flags stored() const {
        Flags stored = key_.kept;
        for (std::size_t s = 0; s < segments_.size(); ++s)
            for (const TensorId id : segments_[s])
                for (const TensorId input : reads(id))
                    if (segment_of_[input] != segment_of_[id] && !made_for_readers_[input])
                        stored[input] = true;
        return stored;
    }

  private:
    std::span<const TensorId> reads(TensorId id) const {
        return read_inputs(plan_, id, key_.overridden);
    }
    bool can_be_cut(TensorId id) const { return is_cut(plan_[id], key_.overridden[id]); }
    bool reads_by_row(TensorId id, std::size_t input) const {
        return plan_[id].operation->reads_by_row(input) && can_be_cut(id);
    }
    bool must_run(TensorId id) const { return needed_[id] && !key_.reused[id]; }

    void decide_needed() {
        needed_ = key_.kept;
        is_read_whole_.assign(n_, false);
        made_for_readers_.assign(n_, false);
        for (TensorId id = n_; id-- > 0;) {
            if (!must_run(id)) continue;
            made_for_readers_[id] =
                plan_[id].is_leaf() && !key_.kept[id] && can_be_cut(id) && !is_read_whole_[id];
            const std::span<const TensorId> inputs = reads(id);
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                needed_[inputs[i]] = true;
                if (!reads_by_row(id, i)) is_read_whole_[inputs[i]] = true;
            }
        }
    }

    /// A leaf that is not kept is made when it is first read, so that of many such leaves only
    /// those being read are in memory.
    bool waits_for_reader(TensorId id) const {
        return plan_[id].is_leaf() && !key_.kept[id] && !made_for_readers_[id];
    }

    /// True if the tensor has its own place in the order.
    bool is_ordered(TensorId id) const {
        return must_run(id) && !made_for_readers_[id] && !waits_for_reader(id);
    }

    /// A tensor is eager if it is on demand and only eager tensors read it.
    void decide_eager() {
        Flags is_awaited(n_, false);
        eager_.assign(n_, false);
        missing_.assign(n_, 0);
        eager_readers_.resize(n_);
        for (TensorId id = n_; id-- > 0;) {
            if (!is_ordered(id)) continue;
            eager_[id] = plan_[id].keep == Keep::OnDemand && !is_awaited[id];
            for (const TensorId input : reads(id)) {
                if (!eager_[id]) is_awaited[input] = true;
                if (!eager_[id] || !is_ordered(input)) continue;
                ++missing_[id];
                eager_readers_[input].push_back(id);
            }
        }
        for (TensorId id = 0; id < n_; ++id)
            if (eager_[id] && missing_[id] == 0) make_ready(id);
    }

    void make_ready(TensorId id) {
        const bool frees = std::ranges::any_of(
            reads(id), [&](TensorId input) { return is_large_and_temporary(input); });
        (frees ? freeing_ : ready_).push(id);
    }

    /// True if the whole matrix must exist, but only until its last reader is done.
    bool is_large_and_temporary(TensorId id) const {
        return is_ordered(id) && is_read_whole_[id] && !key_.kept[id] &&
               count_bytes(plan_[id]) >= kOneByOneBytes;
    }

    void cut_segments() {
        segment_of_.assign(n_, 0);
        for (TensorId id = 0; id < n_; ++id)
            if (plan_[id].operation->forward_together && key_.kept[id] && is_ordered(id))
                readers_of_same_[plan_[id].inputs[0]].push_back(id);
        for (TensorId id = 0; id < n_; ++id) enter_next(id);
        run_ready();
        for (std::vector<TensorId>& segment : segments_) std::ranges::sort(segment);
    }

    /// Adds the tensor, unless it has been added or waits for its readers, and those that are
    /// computed with it.
    void enter_next(TensorId id) {
        if (!is_ordered(id) || eager_[id] || segment_of_[id] != 0) return;
        const std::vector<TensorId> others = other_heads(id);
        for (const TensorId other : others)
            for (const TensorId input : reads(other)) enter_with_inputs(input);
        if (!joins_last(id)) run_ready();
        enter_with_leaves(id);
        for (const TensorId other : others) enter_with_leaves(other);
        enter_alike(id);
    }

    /// Adds the inputs of the tensor, then the tensor.
    void enter_with_inputs(TensorId id) {
        if (!is_ordered(id) || segment_of_[id] != 0) return;
        for (const TensorId input : reads(id)) enter_with_inputs(input);
        enter_next(id);
    }

    /// Returns the tensors of other heads that are computed together with this one, though they
    /// have other inputs.
    std::vector<TensorId> other_heads(TensorId id) const {
        std::vector<TensorId> others;
        if (!key_.kept[id] || can_be_cut(id) || !plan_[id].operation->forward_together)
            return others;
        for (TensorId other = id + 1; other < n_; ++other)
            if (are_heads_together(plan_[id], plan_[other]) && key_.kept[other] &&
                is_ordered(other) && !eager_[other] && segment_of_[other] == 0)
                others.push_back(other);
        return others;
    }

    /// Adds the tensors that can be computed together with this one: with the projection of one
    /// head those of the others.
    void enter_alike(TensorId id) {
        if (!plan_[id].operation->forward_together) return;
        for (const TensorId other : readers_of_same_[plan_[id].inputs[0]])
            if (plan_[other].operation == plan_[id].operation && segment_of_[other] == 0 &&
                can_enter(other) && joins_last(other))
                enter_with_leaves(other);
    }

    /// True if every input exists already or comes with the tensor.
    bool can_enter(TensorId id) const {
        return std::ranges::all_of(reads(id), [&](TensorId input) {
            return !is_ordered(input) || segment_of_[input] != 0;
        });
    }

    void run_ready() {
        while (!ready_.empty() || !freeing_.empty()) {
            Queue& next = freeing_.empty() ? ready_ : freeing_;
            const TensorId id = next.top();
            next.pop();
            enter_with_leaves(id);
        }
    }

    void enter_with_leaves(TensorId id) {
        for (const TensorId input : reads(id))
            if (must_run(input) && waits_for_reader(input) && segment_of_[input] == 0) enter(input);
        enter(id);
        for (const TensorId reader : eager_readers_[id])
            if (--missing_[reader] == 0) make_ready(reader);
    }

    /// Adds the tensor to the last segment, or begins a new one with it.
    void enter(TensorId id) {
        if (!joins_last(id)) {
            segments_.emplace_back();
            whole_bytes_ = 0;
            makes_large_ = false;
        }
        whole_bytes_ += bytes_read_whole(id);
        makes_large_ = makes_large_ || is_large_and_temporary(id);
        for (const TensorId input : reads(id))
            if (must_run(input) && made_for_readers_[input]) append(input);
        append(id);
    }

    bool joins_last(TensorId id) const {
        if (segments_.empty()) return false;
        const TensorId last = segments_.back().back();
        if (key_.kept[last] && key_.kept[id] && are_heads_together(plan_[last], plan_[id]))
            return true;
        if (!can_be_cut(id) || !can_be_cut(last) || plan_[last].rows.size != plan_[id].rows.size ||
            plan_[last].rows.groups != plan_[id].rows.groups)
            return false;
        const std::vector<TensorId>& inputs = plan_[id].inputs;
        bool reads_last = false;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (segment_of_[inputs[i]] != segments_.size()) continue;
            if (!reads_by_row(id, i)) return false;
            reads_last = true;
        }
        if (makes_large_ && !reads_last) return false;
        const Index bytes = bytes_read_whole(id);
        return bytes == 0 || whole_bytes_ + bytes <= kCachedBytes;
    }

    Index bytes_read_whole(TensorId id) const {
        const PlannedTensor& tensor = plan_[id];
        Index numbers = 0;
        for (std::size_t i = 0; i < tensor.inputs.size(); ++i)
            if (!tensor.operation->reads_by_row(i)) {
                const PlannedTensor& input = plan_[tensor.inputs[i]];
                numbers += input.rows.size * input.columns.size;
            }
        return numbers * static_cast<Index>(sizeof(Scalar));
    }

    /// Appends the tensor to the last segment. A leaf that is made for its readers is in the
    /// segment of every reader.
    void append(TensorId id) {
        if (segment_of_[id] == segments_.size()) return;
        segment_of_[id] = segments_.size();
        segments_.back().push_back(id);
    }

    const Plan& plan_;
    const ScheduleKey& key_;
    TensorId n_;
    Flags needed_;
    Flags is_read_whole_;     // by a tensor that must run
    Flags made_for_readers_;  // leaves that are made block by block, again in every segment
    Flags eager_;
    std::vector<int> missing_;  // the number of inputs that an eager tensor still waits for
    std::vector<std::vector<TensorId>> eager_readers_;
    // Kept tensors that may be computed together, by their first input.
    std::unordered_map<TensorId, std::vector<TensorId>> readers_of_same_;
    using Queue = std::priority_queue<TensorId, std::vector<TensorId>, std::greater<>>;
    Queue ready_, freeing_;  // eager tensors; those among them that read a large temporary matrix
    std::vector<std::vector<TensorId>> segments_;
    std::vector<std::size_t> segment_of_;  // counted from 1
    Index whole_bytes_ = 0;     // the size of the inputs that the last segment reads whole
    bool makes_large_ = false;  // the last segment makes a large temporary matrix
};

}  // namespace

Schedule::Schedule(const Plan& plan, ScheduleKey key) : key_(std::move(key)) {
    Order order(plan, key_);
    stored_ = order.stored();
    needed_ = std::move(order.needed());
    makes_.assign(plan.tensors().size(), false);
    const SegmentUse use{plan, stored_, key_.overridden, key_.first_rows, key_.n_threads};
    for (std::vector<TensorId>& ids : order.segments()) {
        segments_.push_back(make_segment(use, std::move(ids)));
        work_ += segments_.back().work;
        for (const Segment::Part& part : segments_.back().parts)
            if (part.is_stored) makes_[part.id] = true;
    }
    decide_released(plan);
}

void Schedule::decide_released(const Plan& plan) {
    constexpr std::size_t kNever = static_cast<std::size_t>(-1);
    std::vector<std::size_t> last_reader(plan.tensors().size(), kNever);
    for (std::size_t s = 0; s < segments_.size(); ++s)
        for (const TensorId id : segments_[s].ids)
            for (const TensorId input : read_inputs(plan, id, key_.overridden))
                last_reader[input] = s;
    released_.resize(segments_.size());
    for (TensorId id = 0; id < last_reader.size(); ++id)
        if (last_reader[id] != kNever && !key_.kept[id]) released_[last_reader[id]].push_back(id);
}

}  // namespace headlight
