#include "ui/window/window_places.h"

#include <algorithm>
#include <imgui.h>
#include <utility>

namespace headlight {
namespace {

constexpr float kTop = 46, kLowTop = 38, kTabRow = 30;
constexpr float kLeastBottom = 96;             // of the heads, with their captions
constexpr float kAround = 16, kOverMain = 54;  // of the large picture: margins, and the buttons

/// The widths and heights that the parts would like to have.
struct Wanted {
    float left, right, heads, explanation;
};

Wanted wanted_in(Point size) {
    const float least = std::min(240.0f, 0.55f * size.y);
    return {std::clamp(size.x * 0.165f, 226.0f, 300.0f), std::clamp(size.x * 0.19f, 244.0f, 340.0f),
            std::clamp(size.y * 0.175f, 120.0f, 190.0f),
            std::clamp(size.y * 0.42f, least, std::max(least, 480.0f))};
}

float half_of(Point size) {
    return 0.5f * size.x * size.y;
}

/// Returns the size that the parts which are not folded leave.
Point middle_in(Point size, const Wanted& wanted, Folded folded) {
    return {size.x - (folded.left ? 0 : wanted.left) - (folded.right ? 0 : wanted.right),
            size.y - kTop - (folded.bottom ? 0 : wanted.heads)};
}

bool has_room(Point size, const Wanted& wanted, Folded folded) {
    const Point middle = middle_in(size, wanted, folded);
    return (middle.x - kAround) * (middle.y - kOverMain) >= half_of(size);
}

Folded folded_in(Point size, const Wanted& wanted) {
    const Point middle = middle_in(size, wanted, {});
    constexpr float kNearly = 0.9999f;  // the heads gave what the middle lacked, but for rounding
    if (middle.x * middle.y >= kNearly * half_of(size)) return {};
    for (const Folded folded : {Folded{.left = true}, Folded{.left = true, .bottom = true}})
        if (has_room(size, wanted, folded)) return folded;
    return {true, true, true};
}

}  // namespace

Places place_parts(Point size, Below below) {
    Wanted wanted = wanted_in(size);
    const bool has_bottom = below != Below::Nothing;
    // The heads give what the middle lacks.
    const float middle = size.x - wanted.left - wanted.right;
    wanted.heads = std::clamp(size.y - kTop - half_of(size) / middle,
                              std::min(kLeastBottom, wanted.heads), wanted.heads);
    if (!has_bottom) wanted.heads = 0;
    Places places;
    places.folded = folded_in(size, wanted);
    places.least_main = places.folded.any() ? half_of(size) : 0;
    const bool explains = below == Below::Explanation;
    if (explains || !has_bottom) places.folded.bottom = false;
    const Folded& folded = places.folded;
    const float top = folded.left && folded.right ? kLowTop : kTop;
    const float bottom = explains ? wanted.explanation : wanted.heads, height = size.y - top;
    const float left = folded.left ? 0 : wanted.left;
    const float width = size.x - left - (folded.right ? 0 : wanted.right);
    places.top = {0, 0, size.x, top};
    places.left = {0, top, std::min(wanted.left, size.x), height};
    places.right = {size.x - std::min(wanted.right, size.x), top, std::min(wanted.right, size.x),
                    height};
    places.middle = {left, top, width, folded.bottom ? height : height - bottom};
    places.bottom = {left, size.y - bottom, width, bottom};
    return places;
}

float StableHeight::follow(float wanted, const Box& what_moves) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool is_pointed_at = what_moves.contains({io.MousePos.x, io.MousePos.y});
    if (!is_pointed_at && !ImGui::IsAnyMouseDown()) taken_ = wanted;
    return taken_;
}

Places TabRow::place(Places places, Has tabs, std::shared_ptr<const Document> shown) {
    const bool has_tabs = tabs == Has::Yes;
    const bool comes = has_tabs && !std::exchange(had_tabs_, has_tabs);
    const auto before = std::exchange(shown_, std::move(shown));
    if (comes && !(before && *before == *shown_)) room_.take(kTabRow);
    const float top = places.top.bottom() + (has_tabs ? kTabRow : 0), width = places.top.width;
    const float room =
        room_.follow(has_tabs ? kTabRow : 0, {0, top, width, places.left.bottom() - top});
    if (has_tabs) places.tabs = {places.top.x, places.top.bottom(), width, kTabRow};
    places.tabs_lie_over = has_tabs && !(room > 0);
    const auto lower = [room](Box& box) {
        box.y += room;
        box.height -= room;
    };
    places.least_main = std::max(0.0f, places.least_main - room * places.middle.width);
    for (Box* box : {&places.left, &places.right, &places.middle}) lower(*box);
    return places;
}

}  // namespace headlight
