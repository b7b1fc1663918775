// A headless window with a small drawer, and names for what a user does.
#pragma once

#include <imgui.h>
#include <imgui_stdlib.h>
#include <string>

#include "app/frame_loop.h"

namespace headlight {

/// True if the partial redraws gave the same pixels as a full one.
inline bool looks_as_if_drawn_whole(FrameLoop& loop) {
    const Pixels in_parts = loop.screenshot();
    loop.forget_picture();
    return loop.screenshot().rgba == in_parts.rgba;
}

struct TestWindow {
    explicit TestWindow(WindowSize size = {400, 300, 1})
        : loop({"test", size}, make_headless_window) {
        loop.set_draw([this](FrameContext& context) {
            ++n_draws;
            draw(context);
        });
    }

    void begin_panel(FrameContext& context) const {
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({context.window.width, context.window.height});
        ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    }

    InputEvent event(InputEvent::Kind kind) const {
        InputEvent event;
        event.kind = kind;
        event.ctrl = ctrl;
        return event;
    }
    void move(float x, float y) {
        InputEvent move = event(InputEvent::Kind::MouseMove);
        move.x = x;
        move.y = y;
        loop.push(move);
    }
    void button(bool down) {
        InputEvent press = event(InputEvent::Kind::MouseButton);
        press.down = down;
        loop.push(press);
    }
    void click(float x, float y) {
        move(x, y);
        button(true);
        button(false);
    }
    void key(Key key) {
        for (bool down : {true, false}) {
            InputEvent press = event(InputEvent::Kind::Key);
            press.key = key;
            press.down = down;
            loop.push(press);
        }
    }
    void type(const std::u32string& text) {
        for (char32_t character : text) {
            InputEvent typed = event(InputEvent::Kind::Character);
            typed.character = character;
            loop.push(typed);
        }
    }
    void wheel(float y) {
        InputEvent turn = event(InputEvent::Kind::Wheel);
        turn.y = y;
        loop.push(turn);
    }
    void resize(float width, float height) {
        InputEvent change = event(InputEvent::Kind::Resize);
        change.x = width;
        change.y = height;
        loop.push(change);
    }

    bool ctrl = false;
    int n_draws = 0;
    std::function<void(FrameContext&)> draw = [](FrameContext&) {};
    FrameLoop loop;
};

}  // namespace headlight
