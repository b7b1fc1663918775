#include "scene/walk.h"

#include <algorithm>

#include "paint/figures/flow_order.h"

namespace headlight {
namespace {

std::vector<TensorId> steps_of(const Trace& trace, const Part& part, int head) {
    std::vector<TensorId> own = shown_tensors(trace, part, head);
    std::erase_if(own, [&](TensorId id) {
        return !std::binary_search(part.tensors.begin(), part.tensors.end(), id);
    });
    std::vector<TensorId> steps = own;
    std::erase_if(steps, [&](TensorId id) { return is_weight(trace[id]); });
    if (!steps.empty()) return steps;
    return own.empty() ? part.tensors : own;
}

std::size_t index_of(const Parts& parts, const Selection& selection) {
    return static_cast<std::size_t>(&open_part(parts, selection) - parts.data());
}

/// The next part that is walked through in that direction; null at the end.
const Part* part_after(const Parts& parts, std::size_t from, int direction) {
    const auto count = static_cast<std::ptrdiff_t>(parts.size());
    for (auto i = static_cast<std::ptrdiff_t>(from) + direction; i >= 0 && i < count;
         i += direction) {
        const Part& part = parts[static_cast<std::size_t>(i)];
        if (!part.is_of_step() || parts[from].is_of_step()) return &part;
    }
    return nullptr;
}

enum class End { First, Last };

bool enter_part(const Trace& trace, const Parts& parts, Selection& selection, const Part* part,
                End end) {
    if (!part) return false;
    selection.choose_part(trace, parts, part->path);
    const std::vector<TensorId> steps = steps_of(trace, *part, selection.head);
    const TensorId step = end == End::First ? steps.front() : steps.back();
    selection.choose_tensor(trace, parts, trace[step].path());
    return true;
}

bool change_head(const Trace& trace, const Parts& parts, Selection& selection, int by) {
    const Part& part = open_part(parts, selection);
    const int head = selection.head + by;
    if (head < 0 || head >= part.n_heads) return false;
    const Tensor* chosen = trace.find(selection.chosen);
    selection.choose_head(trace, parts, head);
    // What all heads share stays in the picture.
    if (chosen && chosen->identity().head < 0) selection.chosen = chosen->path();
    return true;
}

bool step_back(const Trace& trace, const Parts& parts, Selection& selection, const Walk& walk) {
    if (walk.at > 0) return go_to_step(trace, parts, selection, walk.at - 1), true;
    return enter_part(trace, parts, selection, part_after(parts, walk.part, -1), End::Last);
}

bool step_on(const Trace& trace, const Parts& parts, Selection& selection, const Walk& walk) {
    const bool stands_on_step =
        walk.at < walk.steps.size() && trace[walk.steps[walk.at]].path() == selection.chosen;
    const std::size_t next = walk.at + (stands_on_step ? 1 : 0);
    if (next < walk.steps.size()) return go_to_step(trace, parts, selection, next), true;
    return enter_part(trace, parts, selection, part_after(parts, walk.part, 1), End::First);
}

}  // namespace

Walk walk_of(const Trace& trace, const Parts& parts, const Selection& selection) {
    const std::size_t part = index_of(parts, selection);
    Walk walk{steps_of(trace, parts[part], selection.head), 0, part, 0, 0};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].is_of_step() && !parts[part].is_of_step()) continue;
        ++walk.n_parts;
        if (i <= part) walk.place = walk.n_parts;
    }
    const TensorId chosen = trace.id_of(selection.chosen);
    const auto at = std::lower_bound(walk.steps.begin(), walk.steps.end(), chosen);
    walk.at = std::min(static_cast<std::size_t>(at - walk.steps.begin()), walk.steps.size() - 1);
    return walk;
}

void go_to_step(const Trace& trace, const Parts& parts, Selection& selection, std::size_t step) {
    const Walk walk = walk_of(trace, parts, selection);
    const TensorId id = walk.steps[std::min(step, walk.steps.size() - 1)];
    selection.choose_tensor(trace, parts, trace[id].path());
}

bool move(const Trace& trace, const Parts& parts, Selection& selection, WalkMove how) {
    const Walk walk = walk_of(trace, parts, selection);
    const auto go_to = [&](std::size_t step) {
        const std::string before = selection.chosen;
        go_to_step(trace, parts, selection, step);
        return selection.chosen != before;
    };
    switch (how) {
        case WalkMove::Next:
            return step_on(trace, parts, selection, walk);
        case WalkMove::Back:
            return step_back(trace, parts, selection, walk);
        case WalkMove::First:
            return go_to(0);
        case WalkMove::Last:
            return go_to(walk.steps.size() - 1);
        case WalkMove::NextPart:
            return enter_part(trace, parts, selection, part_after(parts, walk.part, 1), End::First);
        case WalkMove::PartBefore:
            return enter_part(trace, parts, selection, part_after(parts, walk.part, -1),
                              End::First);
        case WalkMove::NextHead:
            return change_head(trace, parts, selection, 1);
        case WalkMove::HeadBefore:
            return change_head(trace, parts, selection, -1);
    }
    return false;
}

}  // namespace headlight
