#include "core/compute.h"

#include <algorithm>
#include <unordered_map>

#include "core/operations/operations.h"
#include "core/segment.h"

namespace headlight {
namespace {

/// What the blocks of a segment read whole, each again, should stay in the caches meanwhile.
constexpr Index kCachedBytes = Index(1) << 20;

Index count_bytes(const PlannedTensor& tensor) {
    return tensor.rows.size * tensor.columns.size * static_cast<Index>(sizeof(Scalar));
}

/// By tensor: whether its value stays in memory.
std::vector<bool> kept_tensors(const Plan& plan, const Watched& watched) {
    Index bytes = 0;
    for (const PlannedTensor& tensor : plan.tensors())
        if (tensor.keep == Keep::WhenSmall) bytes += count_bytes(tensor);
    std::vector<bool> kept;
    kept.reserve(plan.tensors().size());
    for (const PlannedTensor& tensor : plan.tensors())
        kept.push_back(tensor.keep == Keep::Always ||
                       (tensor.keep == Keep::WhenSmall && bytes <= kSmallBytes) ||
                       watched.contains(tensor.path));
    return kept;
}

/// One pass over a plan: what can be taken over, what must run, in which segments, what is kept.
class Evaluation {
  public:
    Evaluation(Trace trace, const Watched& watched, const Trace* previous)
        : trace_(std::move(trace)),
          previous_(previous),
          is_same_plan_(previous && previous->shared_plan() == trace_.shared_plan()),
          n_(trace_.tensors().size()) {
        match_previous();
        kept_ = kept_tensors(trace_, watched);
        decide_needed();
        cut_segments();
        decide_stored();
    }

    Trace run_all(const ForEach& for_each) {
        for (TensorId id = 0; id < n_; ++id)
            if (needed_[id] && takes_over_computed(id)) take_over(id);
        if (Progress* progress = for_each.progress()) progress->begin(work_ahead());
        for (std::size_t s = 0; s < begins_.size(); ++s) {
            if (Progress* progress = for_each.progress())
                progress->enter(trace_[segment(s).back()].path());
            run_segment(trace_, segment(s), stored_, for_each);
            for (const TensorId id : segment(s))
                for (const TensorId input : read_inputs(trace_, trace_[id])) release(input);
        }
        return std::move(trace_);
    }

  private:
    /// Of all segments, in estimated multiply-adds.
    double work_ahead() const {
        double work = 0;
        for (const TensorId id : order_) work += estimate_work(trace_, trace_[id]);
        return work;
    }

    struct Match {
        const Tensor* earlier = nullptr;  // the tensor of the same path before
        bool computed = false;            // its computed matrix is what ours would be
        bool value = false;               // and so is its value
    };

    void match_previous() {
        matches_.resize(n_);
        if (!previous_) return;
        for (TensorId id = 0; id < n_; ++id) {
            const Tensor& tensor = trace_[id];
            Match& match = matches_[id];
            match.earlier = earlier(id);
            if (!match.earlier) continue;
            match.computed = same_computation(tensor, *match.earlier);
            match.value = match.computed && tensor.hold == match.earlier->hold;
        }
    }

    /// Of the same path; as a rule it has kept its place.
    const Tensor* earlier(TensorId id) const {
        const auto& tensors = previous_->tensors();
        if (is_same_plan_) return &tensors[id];
        const std::string& path = trace_[id].path();
        return id < tensors.size() && tensors[id].path() == path ? &tensors[id]
                                                                 : previous_->find(path);
    }

    bool same_computation(const Tensor& tensor, const Tensor& earlier) const {
        if (!is_same_plan_ && !is_same_use(tensor.planned(), earlier.planned())) return false;
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

    void decide_needed() {
        needed_ = kept_;
        uses_.assign(n_, 0);
        std::vector<bool> is_read_whole(n_, false);
        made_for_readers_.assign(n_, false);
        for (TensorId id = n_; id-- > 0;) {
            if (!must_run(id)) continue;
            const Tensor& tensor = trace_[id];
            made_for_readers_[id] =
                tensor.is_leaf() && !kept_[id] && is_cut(tensor) && !is_read_whole[id];
            const std::span<const TensorId> inputs = read_inputs(trace_, tensor);
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                needed_[inputs[i]] = true;
                ++uses_[inputs[i]];
                if (!reads_by_row(tensor, i)) is_read_whole[inputs[i]] = true;
            }
        }
    }

    static bool reads_by_row(const Tensor& tensor, std::size_t input) {
        return tensor.operation()->reads_by_row(input) && is_cut(tensor);
    }

    bool takes_over_computed(TensorId id) const {
        return matches_[id].computed && matches_[id].earlier->computed;
    }

    bool must_run(TensorId id) const { return needed_[id] && !takes_over_computed(id); }

    void cut_segments() {
        segment_of_.assign(n_, 0);
        for (TensorId id = 0; id < n_; ++id) {
            if (!must_run(id) || made_for_readers_[id] || waits_for_reader(id)) continue;
            for (const TensorId input : read_inputs(trace_, trace_[id]))
                if (must_run(input) && waits_for_reader(input) && segment_of_[input] == 0)
                    enter(input);
            enter(id);
        }
        for (std::size_t s = 0; s < begins_.size(); ++s)
            std::sort(order_.begin() + begin_of(s), order_.begin() + begin_of(s + 1));
    }

    /// A leaf that nobody keeps is made when it is first read, not before: of many only those are
    /// there at once that are being read.
    bool waits_for_reader(TensorId id) const {
        return trace_[id].is_leaf() && !kept_[id] && !made_for_readers_[id];
    }

    /// Into the last segment, or one of its own.
    void enter(TensorId id) {
        if (!joins_last(id)) {
            begins_.push_back(order_.size());
            whole_bytes_ = 0;
        }
        whole_bytes_ += bytes_read_whole(trace_[id]);
        for (const TensorId input : read_inputs(trace_, trace_[id]))
            if (made_for_readers_[input]) append(input);
        append(id);
    }

    bool joins_last(TensorId id) const {
        const Tensor& tensor = trace_[id];
        if (begins_.empty() || !is_cut(tensor)) return false;
        const Tensor& last = trace_[order_.back()];
        if (!is_cut(last) || last.rows().size != tensor.rows().size ||
            last.rows().groups != tensor.rows().groups)
            return false;
        for (std::size_t i = 0; i < tensor.inputs().size(); ++i)
            if (!reads_by_row(tensor, i) && segment_of_[tensor.inputs()[i]] == begins_.size())
                return false;
        const Index bytes = bytes_read_whole(tensor);
        return bytes == 0 || whole_bytes_ + bytes <= kCachedBytes;
    }

    Index bytes_read_whole(const Tensor& tensor) const {
        Index numbers = 0;
        for (std::size_t i = 0; i < tensor.inputs().size(); ++i)
            if (!tensor.operation()->reads_by_row(i))
                numbers += trace_[tensor.inputs()[i]].rows().size *
                           trace_[tensor.inputs()[i]].columns().size;
        return numbers * static_cast<Index>(sizeof(Scalar));
    }

    /// A leaf that is made for its readers is in the segment of each of them.
    void append(TensorId id) {
        if (segment_of_[id] == begins_.size()) return;
        segment_of_[id] = begins_.size();
        order_.push_back(id);
    }

    /// What is kept, or read from another segment.
    void decide_stored() {
        stored_ = kept_;
        for (const TensorId id : order_)
            for (const TensorId input : read_inputs(trace_, trace_[id]))
                if (segment_of_[input] != segment_of_[id] && !made_for_readers_[input])
                    stored_[input] = true;
    }

    std::ptrdiff_t begin_of(std::size_t s) const {
        return static_cast<std::ptrdiff_t>(s < begins_.size() ? begins_[s] : order_.size());
    }

    std::span<const TensorId> segment(std::size_t s) const {
        return std::span(order_).subspan(begins_[s],
                                         static_cast<std::size_t>(begin_of(s + 1)) - begins_[s]);
    }

    void take_over(TensorId id) {
        Tensor& tensor = trace_.tensors()[id];
        const Match& match = matches_[id];
        tensor.computed = match.earlier->computed;
        const bool same_value = match.value && match.earlier->value;
        tensor.value = same_value ? match.earlier->value : held_value(tensor, tensor.computed);
    }

    void release(TensorId id) {
        if (--uses_[id] > 0 || kept_[id]) return;
        trace_.tensors()[id].computed.reset();
        trace_.tensors()[id].value.reset();
    }

    Trace trace_;
    const Trace* previous_;
    bool is_same_plan_;  // then each tensor has its place there
    TensorId n_;
    std::vector<Match> matches_;
    std::vector<bool> kept_, needed_, stored_;
    std::vector<bool> made_for_readers_;  // leaves, block by block, again for every segment
    std::vector<int> uses_;
    std::vector<TensorId> order_;          // the tensors of all segments, one after another
    std::vector<std::size_t> begins_;      // where each segment begins in it
    std::vector<std::size_t> segment_of_;  // counted from 1
    Index whole_bytes_ = 0;                // that the last segment reads whole
};

}  // namespace

bool Watched::contains(std::string_view path) const {
    return everything || std::any_of(globs.begin(), globs.end(),
                                     [&](const std::string& glob) { return matches(glob, path); });
}

Trace compute(std::shared_ptr<const Plan> plan, const Holds& holds, const Watched& watched,
              const Trace* previous, const ForEach& for_each) {
    Trace trace(std::move(plan));
    for (const auto& [path, hold] : holds)
        if (hold.is_on && trace.find(path)) trace.tensors()[trace.id_of(path)].hold = hold;
    return Evaluation(std::move(trace), watched, previous).run_all(for_each);
}

Trace compute(Plan plan, const Holds& holds, const Watched& watched, const Trace* previous,
              const ForEach& for_each) {
    return compute(std::make_shared<const Plan>(std::move(plan)), holds, watched, previous,
                   for_each);
}

double count_kept_bytes(const Plan& plan, const Watched& watched) {
    const std::vector<bool> kept = kept_tensors(plan, watched);
    double bytes = 0;
    for (TensorId id = 0; id < kept.size(); ++id)
        if (kept[id]) bytes += static_cast<double>(count_bytes(plan[id]));
    return bytes;
}

std::vector<std::string> dormant_holds(const Plan& plan, const Holds& holds) {
    std::vector<std::string> dormant;
    for (const auto& [path, hold] : holds) {
        const PlannedTensor* tensor = plan.find(path);
        const bool fits =
            tensor && std::all_of(hold.cells.begin(), hold.cells.end(), [&](const HeldCell& cell) {
                return cell.row < tensor->rows.size && cell.column < tensor->columns.size;
            });
        if (!fits) dormant.push_back(path);
    }
    return dormant;
}

MatrixPtr value_of(const Trace& trace, TensorId id) {
    return trace[id].value ? trace[id].value : Workings(trace, id).value();
}

/// Values that the trace did not keep, each made once however many read it.
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
    return tensor_.value ? tensor_.value : held_value(tensor_, computed_);
}

}  // namespace headlight
