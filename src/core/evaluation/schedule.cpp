#include "core/evaluation/schedule.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace headlight {
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

    /// Adds what the tensor reads, then the tensor.
    void enter_with_inputs(TensorId id) {
        if (!is_ordered(id) || segment_of_[id] != 0) return;
        for (const TensorId input : reads(id)) enter_with_inputs(input);
        enter_next(id);
    }

    /// The tensors of other heads that are computed together with this one, though they read
    /// others.
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

    /// A leaf that is made for its readers is in the segment of every reader.
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
    Index whole_bytes_ = 0;                // how much the last segment reads whole
    bool makes_large_ = false;             // the last segment makes a large temporary matrix
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
