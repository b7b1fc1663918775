// Input events, handed to ImGui as slowly as it can follow.
#include "ui/input/input_queue.h"

namespace headlight {
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

void InputQueue::send(ImGuiIO& io, const InputEvent& event, compat::AstralCodes& codes) {
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

std::vector<InputEvent> InputQueue::feed(ImGuiIO& io, compat::AstralCodes& codes) {
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
