#include "ui/input/keyboard_focus.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <tuple>
#include <utility>

#include "ui/widgets/style.h"

namespace headlight {
namespace {

constexpr float kSameLine = 12, kRing = 3, kMargin = 16;
constexpr std::string_view kReachable[] = {
    "tab ",  "study ", "button ", "text ",   "field ", "fold ", "part ",   "card ", "slider ",
    "head ", "word ",  "step ",   "switch ", "edit ",  "term ", "choice ", "entry "};

struct Place {
    std::string name;
    int part;
    Point center;
    int line = 0;  // in its part
};

bool is_reachable(const std::string& name) {
    return std::any_of(std::begin(kReachable), std::end(kReachable),
                       [&](std::string_view kind) { return name.starts_with(kind); });
}

void count_lines(std::vector<Place>& places) {
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
        return std::tie(a.part, a.center.y) < std::tie(b.part, b.center.y);
    });
    const Place* first = nullptr;
    for (Place& place : places) {
        const bool is_new =
            !first || place.part != first->part || place.center.y > first->center.y + kSameLine;
        place.line =
            is_new ? (first && place.part == first->part ? first->line + 1 : 0) : first->line;
        if (is_new) first = &place;
    }
}

InputEvent at(InputEvent::Kind kind, Point point) {
    InputEvent event;
    event.kind = kind;
    event.x = point.x;
    event.y = point.y;
    return event;
}

/// Makes the events of a click. Ctrl with a click types into a number's field, and is a click
/// anywhere else.
std::vector<InputEvent> click_at(Point point, bool is_field) {
    std::vector<InputEvent> events{at(InputEvent::Kind::MouseMove, point),
                                   at(InputEvent::Kind::MouseButton, point),
                                   at(InputEvent::Kind::MouseButton, point)};
    events[1].down = true;
    for (InputEvent& event : events) event.ctrl = is_field;
    return events;
}

/// Returns the places region by region, line by line, from left to right.
std::vector<Place> ordered_places(const Regions& regions) {
    std::vector<Place> places;
    for (const auto& [name, box] : regions.boxes())
        if (is_reachable(name)) places.push_back({name, regions.part_at(name), box.center()});
    if (regions.has_popup())
        std::erase_if(places, [&](const Place& place) { return !regions.is_in_popup(place.name); });
    count_lines(places);
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
        return std::tie(a.part, a.line, a.center.x) < std::tie(b.part, b.line, b.center.x);
    });
    return places;
}

bool are_on_one_line(const Place& a, const Place& b) {
    return a.part == b.part && a.line == b.line;
}

}  // namespace

std::vector<std::string> reading_order(const Regions& regions) {
    std::vector<std::string> names;
    for (Place& place : ordered_places(regions)) names.push_back(std::move(place.name));
    return names;
}

std::string name_above_or_below(const Regions& regions, const std::string& name, LineStep step) {
    const std::vector<Place> places = ordered_places(regions);
    const auto here = std::find_if(places.begin(), places.end(),
                                   [&](const Place& place) { return place.name == name; });
    if (here == places.end()) return "";
    const auto n = static_cast<std::ptrdiff_t>(places.size());
    const std::ptrdiff_t at = here - places.begin(), way = step == LineStep::Down ? 1 : -1;
    const auto place = [&](std::ptrdiff_t k) -> const Place& {
        return places[static_cast<std::size_t>(((at + k * way) % n + n) % n)];
    };
    std::ptrdiff_t first = 1;  // of the other line
    while (first < n && are_on_one_line(place(first), *here)) ++first;
    std::ptrdiff_t nearest = first;
    const auto distance = [&](std::ptrdiff_t k) {
        return std::abs(place(k).center.x - here->center.x);
    };
    for (std::ptrdiff_t k = first; k < n && are_on_one_line(place(k), place(first)); ++k)
        if (distance(k) < distance(nearest)) nearest = k;
    return place(nearest).name;
}

/// Moves with the arrow keys in a popup: along a line, and to the nearest thing of the next one.
/// False if none is pressed.
bool KeyboardFocus::move_in_list(const Regions& regions) {
    const auto pressed = [](Key key) { return compat::is_key_pressed(key, compat::Repeat::Yes); };
    const bool is_up = pressed(Key::Up), is_left = pressed(Key::Left);
    if (!is_up && !is_left && !pressed(Key::Down) && !pressed(Key::Right)) return false;
    std::string next;
    if (is_up || pressed(Key::Down))
        next = name_above_or_below(regions, name_, is_up ? LineStep::Up : LineStep::Down);
    if (next.empty()) {
        step(regions, Unit::Thing, is_up || is_left ? Direction::Back : Direction::Forward);
        return true;
    }
    name_ = std::move(next);
    has_moved_ = true;
    return true;
}

void KeyboardFocus::move(const Regions& regions) {
    const auto pressed = [](Key key) { return compat::is_key_pressed(key, compat::Repeat::Yes); };
    const bool is_list = regions.has_popup() && !ImGui::GetIO().WantTextInput;
    if (is_list && move_in_list(regions)) return;
    const bool to_next_part = pressed(Key::F6);
    const bool is_tab = pressed(Key::Tab) && !ImGui::GetIO().KeyCtrl;  // with it, to another study
    if (!to_next_part && !is_tab) return;
    step(regions, to_next_part ? Unit::Part : Unit::Thing,
         ImGui::GetIO().KeyShift ? Direction::Back : Direction::Forward);
}

void KeyboardFocus::step(const Regions& regions, Unit unit, Direction direction) {
    const bool is_back = direction == Direction::Back;
    const std::vector<std::string> names = reading_order(regions);
    if (names.empty()) return;
    const auto here = std::find(names.begin(), names.end(), name_);
    const auto n = static_cast<std::ptrdiff_t>(names.size());
    std::ptrdiff_t next = is_back ? n - 1 : 0;
    if (here == names.end()) {
        returns_to_ = name_;
    } else {
        next = here - names.begin();
        const int part = regions.part_at(name_);
        do {
            next = (next + (is_back ? n - 1 : 1)) % n;
        } while (unit == Unit::Part && names[static_cast<std::size_t>(next)] != name_ &&
                 regions.part_at(names[static_cast<std::size_t>(next)]) == part);
    }
    name_ = names[static_cast<std::size_t>(next)];
    has_moved_ = true;
    // A field that was typed into is left; a list would be closed.
    if (!regions.has_popup()) ImGui::SetWindowFocus(nullptr);
}

std::vector<InputEvent> KeyboardFocus::draw(PanelContext& context, const Window& window) {
    has_moved_ = false;
    const bool keeps_tab = context.requests.take_keep_tab();
    if (window.has_popup && !context.regions.has_popup()) return {};
    if (!keeps_tab) move(context.regions);
    const bool types = ImGui::GetIO().WantTextInput && !has_moved_;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !std::exchange(clicks_, false))
        name_.clear();
    if (!context.regions.find(name_)) name_ = std::exchange(returns_to_, "");
    const auto box = context.regions.find(name_);
    if (!box) return {};
    ImGui::GetForegroundDrawList()->AddRect({box->x - kRing, box->y - kRing},
                                            {box->right() + kRing, box->bottom() + kRing},
                                            im_color(context.theme.accent), 8, 0, 2.0f);
    // A field that is entered takes the first letter, too.
    const bool is_done = compat::is_key_pressed(Key::Enter);
    const bool is_entered = has_moved_ && name_.starts_with("text ");
    if (!is_entered && (types || !is_done)) return {};
    clicks_ = true;
    const Point center = box->center();
    return click_at({center.x * window.zoom, center.y * window.zoom}, name_.starts_with("field "));
}

void KeyboardFocus::scroll_to(const Regions& regions) const {
    const auto box = regions.find(name_);
    if (!has_moved_ || !box) return;
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const float center = box->center().x;
    if (center < low.x || center > low.x + size.x) return;
    float shift = 0;
    if (box->y < low.y + kMargin) shift = box->y - low.y - kMargin;
    if (box->bottom() > low.y + size.y - kMargin) shift = box->bottom() - low.y - size.y + kMargin;
    if (shift != 0) ImGui::SetScrollY(ImGui::GetScrollY() + shift);
}

}  // namespace headlight
