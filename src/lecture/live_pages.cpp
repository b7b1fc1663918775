#include "lecture/live_pages.h"

#include <algorithm>
#include <utility>

namespace headlight {

void LivePages::keep(std::size_t page, std::uint64_t content, const Workspace& space) {
    forget(page);
    if (!space.session.history().can_undo()) return;
    Left left{content, space.session.history(), space.selection};
    left.history.end_gesture();
    pages_.emplace(page, std::move(left));
}

bool LivePages::restore(std::size_t page, std::uint64_t content, Workspace& space) const {
    const auto left = pages_.find(page);
    if (left == pages_.end() || left->second.content != content) return false;
    space.session.replace(left->second.history);
    space.selection = left->second.selection;
    return true;
}

void LivePages::follow(const Lecture& before, const Lecture& now) {
    std::map<std::size_t, Left> moved;
    for (auto& [page, left] : pages_)
        if (const auto to = moved_page(before, now, page)) moved.emplace(*to, std::move(left));
    pages_ = std::move(moved);
}

std::optional<std::size_t> moved_page(const Lecture& before, const Lecture& now, std::size_t page) {
    if (page >= before.pages.size()) return std::nullopt;
    const LecturePage& was = before.pages[page];
    const bool is_there = page < now.pages.size();
    if (is_there && now.pages[page].directives == was.directives) return page;
    const auto found = std::ranges::find(now.pages, was);
    if (found != now.pages.end()) return static_cast<std::size_t>(found - now.pages.begin());
    if (is_there && now.pages.size() == before.pages.size()) return page;
    return std::nullopt;
}

}  // namespace headlight
