#include "scene/studies.h"

#include <algorithm>

#include "io/studies/ready_studies.h"
#include "learn/task.h"
#include "model/presets.h"

namespace headlight {

Studies::Studies(const std::function<void()>& wake)
    : spaces_{Workspace(built_in_sentence(), wake),
              Workspace(find_ready_study("translation")->make(), wake),
              Workspace(find_ready_study("gat")->make(), wake),
              Workspace(find_ready_study("shapes")->make(), wake),
              Workspace(tasks().front().study(nullptr), wake),
              Workspace(built_in_sentence(), wake)} {}

void Studies::show_place(std::size_t place) {
    shown_ = static_cast<WorkspaceKind>(std::min(place, spaces_.size() - 1));
}

bool Studies::show_changed() {
    const std::span<const Workspace> kept = std::as_const(*this).kept();
    const auto changed = std::ranges::find_if(kept, has_changes);
    if (changed == kept.end()) return false;
    show_place(static_cast<std::size_t>(changed - kept.begin()));
    return true;
}

}  // namespace headlight
