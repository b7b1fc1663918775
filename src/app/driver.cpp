#include "app/driver.h"

#include <cmath>
#include <imgui.h>
#include <sstream>

#include "core/error.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace headlight {
namespace {

using EventKind = InputEvent::Kind;

constexpr double kPause_secs = 1;  // so that two clicks are no double-click
constexpr int kMostWheelSteps = 200;
constexpr float kMargin = 12;  // a thing this near to the window's edge is scrolled further in

// These are the times of a hand at the pace of people.
constexpr double kGlide_secs = 0.4, kLetter_secs = 0.06, kLook_secs = 0.5;
constexpr int kGlideMoves = 24;

Point between(Point from, Point to, float t) {
    return {from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)};
}

/// Returns "; there is text Text", the nearest ones first: things whose names begin with the same
/// word.
std::string names_of_that_kind(const Regions& regions, const std::string& name) {
    const std::string kind = name.substr(0, name.find(' ') + 1);
    if (kind.empty()) return "";
    std::vector<std::string_view> known;
    for (const auto& [other, box] : regions.boxes())
        if (other.starts_with(kind)) known.push_back(other);
    constexpr std::size_t kMostNamed = 8;
    if (known.empty()) return "";
    if (known.size() > kMostNamed) return suggestion(name, known);
    return "; there is " + list_in_quotes(known);
}

}  // namespace

InputEvent make_event(InputEvent::Kind kind, Modifier modifier) {
    InputEvent event;
    event.kind = kind;
    event.ctrl = modifier == Modifier::Ctrl || modifier == Modifier::CtrlShift;
    event.shift = modifier == Modifier::Shift || modifier == Modifier::CtrlShift;
    event.alt = modifier == Modifier::Alt;
    return event;
}

Driver::Driver(WindowSize size, Pace pace, const WindowMaker& make_window)
    : program_({"Headlight", size}, make_window), pace_(pace), height_(size.height) {
    ImGui::GetIO().MouseDrawCursor = pace == Pace::Real;
    settle();
}

const Trace& Driver::trace() {
    if (!session().trace())
        throw Error("window", "there is no trace: {}", session().why_no_trace());
    return *session().trace();
}

Scalar Driver::value(const CellPlace& cell) {
    const Tensor& tensor = trace().at(cell.path);
    if (!tensor.value) throw Error("window", "{} is not computed: nothing shows it", cell.path);
    if (cell.row >= tensor.rows().size || cell.column >= tensor.columns().size)
        throw Error("window", "{} has no such cell", cell.path);
    return (*tensor.value)(cell.row, cell.column);
}

std::string Driver::texts() {
    program_.loop().run_until_idle();
    std::istringstream words(program_.loop().read_texts());
    std::string texts;
    for (std::string word; words >> word;) append_part(texts, " ", word);
    return texts;
}

Point Driver::locate(const std::string& name) {
    bring_into_view(name);
    const auto box = regions().find(name);
    if (!box)
        throw Error("window", "nothing in the window is called “{}”{}", name,
                    names_of_that_kind(regions(), name));
    return box->center();
}

void Driver::hover(const std::string& name) {
    // A thing that the pointer leaves may have been higher than it is without the pointer.
    for (int i = 0; i < 2; ++i) move_to(locate(name));
}

void Driver::click(const std::string& name) {
    hover(name);
    click(locate(name));
}

/// Scrolls the columns at the sides until the thing is in view.
void Driver::bring_into_view(const std::string& name) {
    const auto bar = regions().find("bar top");
    if (!bar) return;  // nothing scrolls
    for (int step = 0; step < kMostWheelSteps; ++step) {
        const auto box = regions().find(name);
        if (!box) return;
        const Point center = box->center();
        const float bottom = height_ / program_.workbench().zoom() - kMargin;
        const bool is_in_bar = regions().part_at(name) == 0;
        if (is_in_bar || regions().is_in_popup(name)) return;  // it stays
        if (center.y > bar->bottom() + 4 && center.y < bottom) return;
        wheel({center.x, bottom / 2}, center.y > bottom ? -1.f : 1.f);
    }
    throw Error("window", "“{}” is out of reach", name);
}

Point Driver::locate(const CellPlace& cell) {
    const auto box = regions().find_cell(cell.path, cell.row, cell.column);
    if (!box) throw Error("window", "{}[{}, {}] is not visible", cell.path, cell.row, cell.column);
    return box->center();
}

void Driver::send_move(Point at, Modifier modifier) {
    // Events are in points of the window, places in points of its zoomed content.
    InputEvent move = make_event(EventKind::MouseMove, modifier);
    move.x = at.x * program_.workbench().zoom();
    move.y = at.y * program_.workbench().zoom();
    push(move);
}

void Driver::push_move(Point at, Modifier modifier) {
    const Point from = std::exchange(pointer_, at);
    for (int i = 1; pace_ == Pace::Real && i < kGlideMoves; ++i) {
        const float t = static_cast<float>(i) / kGlideMoves;
        send_move(between(from, at, t * t * (3 - 2 * t)), modifier);
        rest(kGlide_secs / kGlideMoves);
    }
    send_move(at, modifier);
}

void Driver::push_button(const Press& press) {
    InputEvent event = make_event(EventKind::MouseButton, press.modifier);
    event.button = static_cast<int>(press.button);
    event.down = press.is_down;
    push(event);
}

void Driver::rest(double secs) {
    // A training has a thread of its own, which no simulated time moves on.
    if (pace_ == Pace::Real || program_.workbench().plays_training())
        return program_.loop().run_for(secs);
    program_.loop().let_pass(secs);
    program_.loop().wake();
    settle();
}

void Driver::move_to(Point at) {
    push_move(at);
    settle();
}

void Driver::click(Point at, Button button, Modifier modifier) {
    push_move(at, modifier);
    pace_ == Pace::Real ? rest(kLook_secs) : program_.loop().let_pass(kPause_secs);
    push_button({button, modifier, true});
    push_button({button, modifier, false});
    settle();
}

void Driver::double_click(Point at) {
    program_.loop().let_pass(kPause_secs);
    push_move(at);
    for (const bool is_down : {true, false, true, false})
        push_button({Button::Left, Modifier::None, is_down});
    settle();
}

void Driver::drag(Point from, Point to, Modifier modifier, const std::function<void()>& half_way,
                  Button button) {
    constexpr int kMoves = 5;
    program_.loop().let_pass(kPause_secs);
    push_move(from, modifier);
    push_button({button, modifier, true});
    settle();
    for (int i = 1; i <= kMoves; ++i) {
        push_move(between(from, to, static_cast<float>(i) / kMoves), modifier);
        settle();
    }
    if (half_way) half_way();
    push_button({button, modifier, false});
    settle();
}

void Driver::drag(const std::string& name, float dx, float dy) {
    hover(name);
    const Point from = locate(name);
    drag(from, {from.x + dx, from.y + dy});
}

void Driver::drag(const CellPlace& cell, float dx, float dy) {
    const Point from = locate(cell);
    drag(from, {from.x + dx, from.y + dy});
}

void Driver::wheel(Point at, float steps) {
    push_move(at);
    InputEvent turn = make_event(EventKind::Wheel);
    turn.y = steps;
    push(turn);
    settle();
}

bool Driver::types_into_field() const {
    return ImGui::GetIO().WantTextInput;
}

void Driver::type(std::string_view utf8) {
    for (std::size_t at = 0; at < utf8.size();) {
        const CodePoint next = decode_code_point(utf8, at);
        at += next.size_bytes;
        InputEvent typed = make_event(EventKind::Character);
        typed.character = next.value;
        push(typed);
        if (pace_ == Pace::Real) rest(kLetter_secs);
    }
    settle();
}

void Driver::press(Key key, Modifier modifier) {
    for (const bool down : {true, false}) {
        InputEvent press = make_event(EventKind::Key, modifier);
        press.key = key;
        press.down = down;
        push(press);
    }
    settle();
}

void Driver::choose(const std::string& field, const std::string& choice) {
    click("field " + field);
    click("choice " + choice);
}

void Driver::set_number(const std::string& field, const std::string& number) {
    hover("field " + field);
    double_click(locate("field " + field));
    press(Key::A, Modifier::Ctrl);
    type(number);
    press(Key::Enter);
}

void Driver::replace_sentence(std::string_view utf8) {
    click("text Sentence");
    press(Key::A, Modifier::Ctrl);
    if (utf8.empty()) press(Key::Delete);
    type(utf8);
}

void Driver::answer_dialog(const std::string& path) {
    press(Key::A, Modifier::Ctrl);
    type(path);
    press(Key::Enter);
}

void Driver::paste(const std::string& text) {
    ImGui::SetClipboardText(text.c_str());
    press(Key::V, Modifier::Ctrl);
}

void Driver::resize(float width, float height) {
    InputEvent change = make_event(EventKind::Resize);
    change.x = width;
    change.y = height;
    height_ = height;
    push(change);
    settle();
}

void Driver::drop(const std::string& path) {
    InputEvent dropped = make_event(EventKind::Drop);
    dropped.path = path;
    push(dropped);
    settle();
}

}  // namespace headlight
