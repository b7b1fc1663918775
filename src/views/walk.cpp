#include "views/walk.h"

#include <algorithm>

#include "figure/flow_figure.h"

namespace headlight {
namespace {

std::vector<TensorId> list_steps(const Trace& trace, const Component& component, int head) {
    std::vector<TensorId> own = shown_tensors(trace, component, head);
    std::erase_if(own, [&](TensorId id) {
        return !std::binary_search(component.tensors.begin(), component.tensors.end(), id);
    });
    std::vector<TensorId> steps = own;
    std::erase_if(steps, [&](TensorId id) { return is_weight(trace[id]); });
    if (!steps.empty()) return steps;
    return own.empty() ? component.tensors : own;
}

/// Returns the next part that is walked through in that direction; null at the end.
const Component* component_after(const Components& components, std::size_t from, int direction) {
    const auto count = static_cast<std::ptrdiff_t>(components.size());
    for (auto i = static_cast<std::ptrdiff_t>(from) + direction; i >= 0 && i < count;
         i += direction) {
        const Component& component = components[static_cast<std::size_t>(i)];
        if (!component.is_of_step() || components[from].is_of_step()) return &component;
    }
    return nullptr;
}

enum class End { First, Last };

bool enter_component(const Trace& trace, const Components& components, Selection& selection,
                     const Component* component, End end) {
    if (!component) return false;
    selection.choose_component(trace, components, component->path);
    const std::vector<TensorId> steps = list_steps(trace, *component, selection.head);
    const TensorId step = end == End::First ? steps.front() : steps.back();
    selection.choose_tensor(trace, components, trace[step].path());
    return true;
}

bool change_head(const Trace& trace, const Components& components, Selection& selection, int by) {
    const Component& component = open_component(components, selection);
    const int head = selection.head + by;
    if (head < 0 || head >= component.n_heads) return false;
    const Tensor* chosen = trace.find(selection.chosen);
    selection.choose_head(trace, components, head);
    // A tensor that all heads share stays in the picture.
    if (chosen && chosen->identity().head < 0) selection.chosen = chosen->path();
    return true;
}

bool step_back(const Trace& trace, const Components& components, Selection& selection,
               const Walk& walk) {
    if (walk.at > 0) return go_to_step(trace, components, selection, walk.at - 1), true;
    return enter_component(trace, components, selection,
                           component_after(components, walk.component, -1), End::Last);
}

bool step_on(const Trace& trace, const Components& components, Selection& selection,
             const Walk& walk) {
    const bool stands_on_step =
        walk.at < walk.steps.size() && trace[walk.steps[walk.at]].path() == selection.chosen;
    const std::size_t next = walk.at + (stands_on_step ? 1 : 0);
    if (next < walk.steps.size()) return go_to_step(trace, components, selection, next), true;
    return enter_component(trace, components, selection,
                           component_after(components, walk.component, 1), End::First);
}

}  // namespace

Walk make_walk(const Trace& trace, const Components& components, const Selection& selection) {
    const auto component =
        static_cast<std::size_t>(&open_component(components, selection) - components.data());
    Walk walk{list_steps(trace, components[component], selection.head), 0, component, 0, 0};
    for (std::size_t i = 0; i < components.size(); ++i) {
        if (components[i].is_of_step() && !components[component].is_of_step()) continue;
        ++walk.n_components;
        if (i <= component) walk.place = walk.n_components;
    }
    const TensorId chosen = trace.id_at(selection.chosen);
    const auto at = std::lower_bound(walk.steps.begin(), walk.steps.end(), chosen);
    walk.at = std::min(static_cast<std::size_t>(at - walk.steps.begin()), walk.steps.size() - 1);
    return walk;
}

void go_to_step(const Trace& trace, const Components& components, Selection& selection,
                std::size_t step) {
    const Walk walk = make_walk(trace, components, selection);
    const TensorId id = walk.steps[std::min(step, walk.steps.size() - 1)];
    selection.choose_tensor(trace, components, trace[id].path());
}

bool move(const Trace& trace, const Components& components, Selection& selection, WalkMove how) {
    const Walk walk = make_walk(trace, components, selection);
    const auto go_to = [&](std::size_t step) {
        const std::string before = selection.chosen;
        go_to_step(trace, components, selection, step);
        return selection.chosen != before;
    };
    switch (how) {
        case WalkMove::Next:
            return step_on(trace, components, selection, walk);
        case WalkMove::Back:
            return step_back(trace, components, selection, walk);
        case WalkMove::First:
            return go_to(0);
        case WalkMove::Last:
            return go_to(walk.steps.size() - 1);
        case WalkMove::NextComponent:
            return enter_component(trace, components, selection,
                                   component_after(components, walk.component, 1), End::First);
        case WalkMove::ComponentBefore:
            return enter_component(trace, components, selection,
                                   component_after(components, walk.component, -1), End::First);
        case WalkMove::NextHead:
            return change_head(trace, components, selection, 1);
        case WalkMove::HeadBefore:
            return change_head(trace, components, selection, -1);
    }
    return false;
}

}  // namespace headlight
