// Input on its way to ImGui: the keys that are held, and the events in their order.
#include "ui/input/input_queue.h"

namespace headlight {
namespace {

Key nth_key(Key first, int n) {
    return static_cast<Key>(static_cast<int>(first) + n);
}

bool is_letter(char c) {
    return c >= 'a' && c <= 'z';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Returns the key of a sign that is typed: "?", "+", "-", "−"; None for others.
Key key_of_sign(char32_t character) {
    switch (character) {
        case U'?':
            return Key::Question;
        case U'+':
            return Key::Plus;
        case U'-':
        case U'−':
            return Key::Minus;
        default:
            return Key::None;
    }
}

}  // namespace

Key key_of_place(char name, char us) {
    const bool has_other_letters = name == 0 && (is_letter(us) || is_digit(us));
    const bool has_french_digit = is_digit(us) && !is_letter(name) && !is_digit(name);
    const char c = has_other_letters || has_french_digit ? us : name;
    if (is_letter(c)) return nth_key(Key::A, c - 'a');
    if (is_digit(c)) return nth_key(Key::Zero, c - '0');
    return c == '=' ? Key::Plus : Key::None;  // with + above it
}

void HeldKeys::press(int number, Key key) {
    last_ = number;
    if (key == Key::None) return;
    held_[number] = key;
    send_(key, true);
}

void HeldKeys::type(char32_t character) {
    const Key key = key_of_sign(character);
    if (key == Key::None) return;
    if (!last_) {  // an input method typed it
        send_(key, true);
        return send_(key, false);
    }
    const auto held = held_.find(*last_);
    if (held != held_.end() && held->second == key) return;
    if (held != held_.end()) send_(held->second, false);
    held_[*last_] = key;
    send_(key, true);
}

void HeldKeys::release(int number) {
    if (last_ == number) last_.reset();
    const auto held = held_.find(number);
    if (held == held_.end()) return;
    send_(held->second, false);
    held_.erase(held);
}

namespace {

using Kind = InputEvent::Kind;

bool is_for_window(Kind kind) {
    return kind == Kind::Resize || kind == Kind::Scale || kind == Kind::Drop ||
           kind == Kind::Quit || kind == Kind::Refresh;
}

bool may_share_a_frame(const InputEvent& before, const InputEvent& next) {
    if (before.kind != next.kind) return false;
    if (before.ctrl != next.ctrl || before.shift != next.shift || before.alt != next.alt) {
        return false;
    }
    return next.kind == Kind::MouseMove || next.kind == Kind::Wheel || next.kind == Kind::Character;
}

}  // namespace

void InputQueue::send(ImGuiIO& io, const InputEvent& event, compat::PrivateUseCodes& codes) {
    compat::send_modifiers(io, event.ctrl, event.shift, event.alt);
    switch (event.kind) {
        case Kind::MouseMove:
            pointer_ = event;
            return compat::send_mouse_position(io, event.x, event.y);
        case Kind::MouseButton:
            return compat::send_mouse_button(io, event.button, event.down);
        case Kind::Wheel:
            return compat::send_wheel(io, event.x, event.y);
        case Kind::Key:
            return compat::send_key(io, event.key, event.down);
        case Kind::Character:
            return compat::send_character(io, codes.encode(event.character));
        case Kind::Focus:
            compat::send_focus(io, event.down);
            // Newer versions forget where the pointer is while another window has the keyboard.
            if (event.down) compat::send_mouse_position(io, pointer_.x, pointer_.y);
            return;
        default:
            return;
    }
}

std::vector<InputEvent> InputQueue::feed(ImGuiIO& io, compat::PrivateUseCodes& codes) {
    std::vector<InputEvent> for_window;
    InputEvent sent;
    bool any_sent = false;
    while (!events_.empty()) {
        const InputEvent& next = events_.front();
        const bool window = is_for_window(next.kind);
        if (!window && any_sent && !may_share_a_frame(sent, next)) break;
        if (window) {
            for_window.push_back(next);
        } else {
            send(io, next, codes);
            sent = next;
            any_sent = true;
        }
        events_.pop_front();
    }
    return for_window;
}

}  // namespace headlight
