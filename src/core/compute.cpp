#include "core/compute.h"

#include <algorithm>

namespace headlight {
namespace {

MatrixPtr held_value(const Tensor& tensor, const MatrixPtr& computed) {
    if (tensor.hold.cells.empty()) return computed;
    return std::make_shared<const Matrix>(apply_hold(tensor.hold, *computed, tensor.row_edges()));
}

/// One pass over a plan: what can be taken over, what must run, what is kept.
class Evaluation {
  public:
    Evaluation(Trace plan, const Watched& watched, const Trace* previous)
        : trace_(std::move(plan)), previous_(previous), n_(trace_.tensors().size()) {
        match_previous();
        decide_kept(watched);
        decide_needed();
    }

    Trace run_all() {
        for (TensorId id = 0; id < n_; ++id)
            if (needed_[id]) fill(id);
        return std::move(trace_);
    }

  private:
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
            match.earlier = previous_->find(tensor.path);
            if (!match.earlier) continue;
            match.computed = same_computation(tensor, *match.earlier);
            match.value = match.computed && tensor.hold == match.earlier->hold;
        }
    }

    bool same_computation(const Tensor& tensor, const Tensor& earlier) const {
        if (tensor.operation != earlier.operation || tensor.rows != earlier.rows ||
            tensor.columns != earlier.columns || tensor.inputs.size() != earlier.inputs.size() ||
            !(tensor.settings == earlier.settings))
            return false;
        for (std::size_t i = 0; i < tensor.inputs.size(); ++i) {
            const Match& input = matches_[tensor.inputs[i]];
            if (!input.value || input.earlier != &(*previous_)[earlier.inputs[i]]) return false;
        }
        return true;
    }

    void decide_kept(const Watched& watched) {
        Index bytes = 0;
        for (const Tensor& tensor : trace_.tensors())
            if (tensor.keep == Keep::WhenSmall)
                bytes +=
                    tensor.rows.size * tensor.columns.size * static_cast<Index>(sizeof(Scalar));
        kept_.resize(n_);
        for (TensorId id = 0; id < n_; ++id) {
            const Keep keep = trace_[id].keep;
            kept_[id] = keep == Keep::Always || (keep == Keep::WhenSmall && bytes <= kSmallBytes) ||
                        watched.contains(trace_[id].path);
        }
    }

    void decide_needed() {
        needed_ = kept_;
        uses_.assign(n_, 0);
        for (TensorId id = n_; id-- > 0;) {
            if (!needed_[id] || takes_over_computed(id)) continue;
            for (const TensorId input : trace_[id].inputs) {
                needed_[input] = true;
                ++uses_[input];
            }
        }
    }

    bool takes_over_computed(TensorId id) const {
        return matches_[id].computed && matches_[id].earlier->computed;
    }

    void fill(TensorId id) {
        Tensor& tensor = trace_.tensors()[id];
        const Match& match = matches_[id];
        if (takes_over_computed(id)) {
            tensor.computed = match.earlier->computed;
        } else {
            tensor.computed = Workings(trace_, id).computed();
            for (const TensorId input : tensor.inputs) release(input);
        }
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
    TensorId n_;
    std::vector<Match> matches_;
    std::vector<bool> kept_, needed_;
    std::vector<int> uses_;
};

}  // namespace

bool Watched::contains(std::string_view path) const {
    return everything || std::any_of(globs.begin(), globs.end(),
                                     [&](const std::string& glob) { return matches(glob, path); });
}

Trace compute(Trace plan, const Holds& holds, const Watched& watched, const Trace* previous) {
    for (Tensor& tensor : plan.tensors())
        if (const auto it = holds.find(tensor.path); it != holds.end()) tensor.hold = it->second;
    return Evaluation(std::move(plan), watched, previous).run_all();
}

std::vector<std::string> dormant_holds(const Trace& trace, const Holds& holds) {
    std::vector<std::string> dormant;
    for (const auto& [path, hold] : holds) {
        const Tensor* tensor = trace.find(path);
        const bool fits =
            tensor && std::all_of(hold.cells.begin(), hold.cells.end(), [&](const HeldCell& cell) {
                return cell.row < tensor->rows.size && cell.column < tensor->columns.size;
            });
        if (!fits) dormant.push_back(path);
    }
    return dormant;
}

MatrixPtr value_of(const Trace& trace, TensorId id) {
    const Tensor& tensor = trace[id];
    return tensor.value ? tensor.value : held_value(tensor, Workings(trace, id).computed());
}

Workings::Workings(const Trace& trace, TensorId id)
    : tensor_(trace[id]), computed_(tensor_.computed) {
    for (const TensorId input : tensor_.inputs) {
        inputs_.push_back(value_of(trace, input));
        in_.push_back(inputs_.back().get());
    }
    if (!computed_) computed_ = std::make_shared<const Matrix>(tensor_.operation->forward(call()));
}

}  // namespace headlight
