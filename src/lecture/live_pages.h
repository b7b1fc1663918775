// LivePages: what was changed on pages while they were shown, and is not in the lecture.
//
// Goals: a page that one comes back to is as it was left. Not goals: being saved.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "lecture/lecture.h"
#include "scene/workspace.h"

namespace headlight {

class LivePages {
  public:
    /// The page is left. `content`: of what it shows in the lecture; with another one, nothing is
    /// restored.
    void keep(std::size_t page, std::uint64_t content, const Workspace& space);
    /// Into the workspace in which the page was opened. False if nothing was changed on it.
    bool restore(std::size_t page, std::uint64_t content, Workspace& space) const;

    bool has(std::size_t page) const { return pages_.contains(page); }
    void forget(std::size_t page) { pages_.erase(page); }
    void clear() { pages_.clear(); }

    /// The lecture was changed: pages may have moved.
    void follow(const Lecture& before, const Lecture& now);

  private:
    struct Left {
        std::uint64_t content = 0;
        History history;
        Selection selection;
    };
    std::map<std::size_t, Left> pages_;
};

/// Where the page is now; absent: it is gone.
std::optional<std::size_t> moved_page(const Lecture& before, const Lecture& now, std::size_t page);

}  // namespace headlight
