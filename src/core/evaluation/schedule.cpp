#include "core/evaluation/schedule.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace headlight {
namespace {

/// What the blocks of a segment read whole, each again, should stay in the caches meanwhile.
constexpr Index kCachedBytes = Index(1) << 20;
/// Whole matrices from this size on, that nobody keeps, are made one after another.
constexpr Index kOneByOneBytes = Index(1) << 20;

/// Orders the tensors that must run, and parts them into segments.
///
/// The order is that of the plan, but for what is only read off the others and on demand, as the
/// metrics of a head: it runs as soon as all that it reads is there, before the next segment
/// begins; first what reads a large matrix that nobody keeps. So of many large patterns only a few
/// are in memory at a time.
class Order {
  public:
    Order(const Plan& plan, const Beginning& beginning)
        : plan_(plan), beginning_(beginning), n_(plan.tensors().size()) {
        decide_needed();
        decide_eager();
        cut_segments();
    }

    Flags& needed() { return needed_; }
    std::vector<std::vector<TensorId>>& segments() { return segments_; }

    /// What is kept, or read from another segment.
    Flags stored() const {
        Flags stored = beginning_.kept;
        for (std::size_t s = 0; s < segments_.size(); ++s)
            for (const TensorId id : segments_[s])
                for (const TensorId input : reads(id))
                    if (segment_of_[input] != segment_of_[id] && !made_for_readers_[input])
                        stored[input] = true;
        return stored;
    }

  private:
    std::span<const TensorId> reads(TensorId id) const {
        return read_inputs(plan_, id, beginning_.overridden);
    }
    bool can_be_cut(TensorId id) const { return is_cut(plan_[id], beginning_.overridden[id]); }
    bool reads_by_row(TensorId id, std::size_t input) const {
        return plan_[id].operation->reads_by_row(input) && can_be_cut(id);
    }
    bool must_run(TensorId id) const { return needed_[id] && !beginning_.is_there[id]; }

    void decide_needed() {
        needed_ = beginning_.kept;
        is_read_whole_.assign(n_, false);
        made_for_readers_.assign(n_, false);
        for (TensorId id = n_; id-- > 0;) {
            if (!must_run(id)) continue;
            made_for_readers_[id] = plan_[id].is_leaf() && !beginning_.kept[id] && can_be_cut(id) &&
                                    !is_read_whole_[id];
            const std::span<const TensorId> inputs = reads(id);
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                needed_[inputs[i]] = true;
                if (!reads_by_row(id, i)) is_read_whole_[inputs[i]] = true;
            }
        }
    }

    /// A leaf that nobody keeps is made when it is first read, not before: of many only those are
    /// there at once that are being read.
    bool waits_for_reader(TensorId id) const {
        return plan_[id].is_leaf() && !beginning_.kept[id] && !made_for_readers_[id];
    }

    /// True if the tensor has its own place in the order.
    bool is_ordered(TensorId id) const {
        return must_run(id) && !made_for_readers_[id] && !waits_for_reader(id);
    }

    /// On demand, and read by nobody who is not eager too.
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
            reads(id), [&](TensorId input) { return is_large_and_passing(input); });
        (frees ? freeing_ : ready_).push(id);
    }

    /// True if the whole matrix has to be there, until the last has read it.
    bool is_large_and_passing(TensorId id) const {
        return is_ordered(id) && is_read_whole_[id] && !beginning_.kept[id] &&
               count_bytes(plan_[id]) >= kOneByOneBytes;
    }

    void cut_segments() {
        segment_of_.assign(n_, 0);
        for (TensorId id = 0; id < n_; ++id)
            if (plan_[id].operation->forward_together && beginning_.kept[id] && is_ordered(id))
                readers_of_same_[plan_[id].inputs[0]].push_back(id);
        for (TensorId id = 0; id < n_; ++id) {
            if (!is_ordered(id) || eager_[id] || segment_of_[id] != 0) continue;
            if (!joins_last(id)) run_ready();
            enter_with_leaves(id);
            enter_alike(id);
        }
        run_ready();
        for (std::vector<TensorId>& segment : segments_) std::ranges::sort(segment);
    }

    /// With the projection of one head those of the others, which are computed together with it.
    void enter_alike(TensorId id) {
        if (!plan_[id].operation->forward_together) return;
        for (const TensorId other : readers_of_same_[plan_[id].inputs[0]])
            if (plan_[other].operation == plan_[id].operation && segment_of_[other] == 0 &&
                can_enter(other) && joins_last(other))
                enter_with_leaves(other);
    }

    /// True if all that it reads is there, or comes with it.
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

    /// Into the last segment, or one of its own.
    void enter(TensorId id) {
        if (!joins_last(id)) {
            segments_.emplace_back();
            whole_bytes_ = 0;
            makes_large_ = false;
        }
        whole_bytes_ += bytes_read_whole(id);
        makes_large_ = makes_large_ || is_large_and_passing(id);
        for (const TensorId input : reads(id))
            if (must_run(input) && made_for_readers_[input]) append(input);
        append(id);
    }

    bool joins_last(TensorId id) const {
        if (segments_.empty() || !can_be_cut(id)) return false;
        const TensorId last = segments_.back().back();
        if (!can_be_cut(last) || plan_[last].rows.size != plan_[id].rows.size ||
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

    /// A leaf that is made for its readers is in the segment of each of them.
    void append(TensorId id) {
        if (segment_of_[id] == segments_.size()) return;
        segment_of_[id] = segments_.size();
        segments_.back().push_back(id);
    }

    const Plan& plan_;
    const Beginning& beginning_;
    TensorId n_;
    Flags needed_;
    Flags is_read_whole_;     // by somebody who must run
    Flags made_for_readers_;  // leaves, block by block, again for every segment
    Flags eager_;
    std::vector<int> missing_;  // inputs of an eager tensor that are not there yet
    std::vector<std::vector<TensorId>> eager_readers_;
    // Kept tensors that could be computed together, by their first input.
    std::unordered_map<TensorId, std::vector<TensorId>> readers_of_same_;
    using Queue = std::priority_queue<TensorId, std::vector<TensorId>, std::greater<>>;
    Queue ready_, freeing_;  // eager tensors; those that read what is large and passing
    std::vector<std::vector<TensorId>> segments_;
    std::vector<std::size_t> segment_of_;  // counted from 1
    Index whole_bytes_ = 0;                // that the last segment reads whole
    bool makes_large_ = false;             // and that nobody keeps: the last segment
};

}  // namespace

Schedule::Schedule(const Plan& plan, Beginning beginning) : beginning_(std::move(beginning)) {
    Order order(plan, beginning_);
    stored_ = order.stored();
    needed_ = std::move(order.needed());
    makes_.assign(plan.tensors().size(), false);
    const SegmentUse use{plan, stored_, beginning_.overridden, beginning_.n_threads};
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
            for (const TensorId input : read_inputs(plan, id, beginning_.overridden))
                last_reader[input] = s;
    released_.resize(segments_.size());
    for (TensorId id = 0; id < last_reader.size(); ++id)
        if (last_reader[id] != kNever && !beginning_.kept[id])
            released_[last_reader[id]].push_back(id);
}

}  // namespace headlight
