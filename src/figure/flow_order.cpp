#include "figure/flow_order.h"

#include <algorithm>

#include "text/strings.h"

namespace headlight {
namespace {

using Cards = std::vector<TensorId>;

constexpr std::size_t kManyWeights = 4;

bool grows_with_input(const Axis& axis) {
    switch (axis.kind) {
        case AxisKind::Query:
        case AxisKind::Key:
        case AxisKind::Item:
        case AxisKind::Edge:
        case AxisKind::Position:
            return true;
        default:
            return false;
    }
}

/// Sorts the shown tensors into columns.
class Sorter {
  public:
    explicit Sorter(const FlowInput& input) : input_(input), trace_(input.trace) {}

    FlowOrder sort() {
        FlowOrder order;
        for (const TensorId id : input_.shown) find_column(order, id).push_back(id);
        const auto stage = [&](TensorId id) { return trace_[id].stage(); };
        std::stable_sort(order.row.begin(), order.row.end(),
                         [&](TensorId a, TensorId b) { return stage(a) < stage(b); });
        // Q stands before K and V, and tensors made from one of them after all three.
        const Cards& cards = order.projections;
        std::ranges::stable_sort(order.projections, {}, [&](TensorId id) {
            return std::pair(depth(id, cards), trace_[id].rows().kind == AxisKind::Key);
        });
        sort_weights(order);
        return order;
    }

  private:
    Cards& find_column(FlowOrder& order, TensorId id) const {
        const Tensor& tensor = trace_[id];
        const auto& own = input_.component.tensors;
        const bool is_read = !tensor.is_leaf() && !is_among(id, own);
        if (is_read || tensor.stage() == Stage::Input || leads_to_weights(id)) return order.inputs;
        if (tensor.stage() == Stage::Weight) return order.weights;
        return tensor.stage() == Stage::Projection ? order.projections : order.row;
    }

    /// True of a layer norm before the projections: it has no weight of its own in the picture, and
    /// its reader has one.
    bool leads_to_weights(TensorId id) const {
        if (trace_[id].stage() != Stage::Projection || reads(id, is_weight)) return false;
        const bool is_first = reads(id, [&](const Tensor& t) { return t.stage() == Stage::Input; });
        return is_first && std::any_of(input_.shown.begin(), input_.shown.end(), [&](TensorId by) {
                   return trace_[by].stage() == Stage::Projection &&
                          is_among(id, trace_[by].inputs()) && reads(by, is_weight);
               });
    }

    /// True if one of the shown inputs is of a kind.
    template <class Kind>
    bool reads(TensorId id, Kind kind) const {
        const Cards& inputs = trace_[id].inputs();
        return std::any_of(inputs.begin(), inputs.end(), [&](TensorId input) {
            return is_among(input, input_.shown) && kind(trace_[input]);
        });
    }

    int depth(TensorId id, const Cards& cards) const {
        int deepest = 0;
        for (const TensorId input : trace_[id].inputs())
            if (is_among(input, cards)) deepest = std::max(deepest, 1 + depth(input, cards));
        return deepest;
    }

    /// Sorts weights in the order of their use. Where there are many, those that no shown tensor
    /// reads are dropped.
    void sort_weights(FlowOrder& order) const {
        Cards sorted;
        const auto add_sorted_inputs = [&](TensorId id) {
            for (const TensorId input : trace_[id].inputs())
                if (is_among(input, order.weights) && !is_among(input, sorted))
                    sorted.push_back(input);
        };
        for (const TensorId id : order.projections) add_sorted_inputs(id);
        for (const TensorId id : input_.shown) add_sorted_inputs(id);
        const bool are_many = !sorted.empty() && order.weights.size() > kManyWeights;
        for (const TensorId id : order.weights)
            if (!is_among(id, sorted) && (!are_many || id == input_.chosen)) sorted.push_back(id);
        order.weights = std::move(sorted);
    }

    const FlowInput& input_;
    const Trace& trace_;
};

}  // namespace

FlowOrder order_flow(const FlowInput& input) {
    return Sorter(input).sort();
}

std::vector<TensorId> in_one_row(const FlowOrder& order) {
    Cards all;
    for (const Cards* cards : {&order.inputs, &order.weights, &order.projections, &order.row})
        all.insert(all.end(), cards->begin(), cards->end());
    return all;
}

bool is_weight(const Tensor& tensor) {
    return tensor.is_leaf() && !grows_with_input(tensor.rows()) &&
           !grows_with_input(tensor.columns());
}

void leave_out(std::vector<TensorId>& cards, std::size_t room, const FlowInput& input) {
    if (cards.size() <= room) return;
    const auto is_free = [&](TensorId id) { return id != input.chosen; };
    const auto activations = std::count_if(
        cards.begin(), cards.end(), [&](TensorId id) { return !is_weight(input.trace[id]); });
    if (activations > 0)
        std::erase_if(cards,
                      [&](TensorId id) { return is_free(id) && is_weight(input.trace[id]); });
    while (cards.size() > std::max<std::size_t>(room, 1))
        cards.erase(std::find_if(cards.begin(), cards.end(), is_free));
}

}  // namespace headlight
