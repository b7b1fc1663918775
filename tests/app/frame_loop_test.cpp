// The real frame with real events, without a display.
#include "app/frame_loop.h"

#include <doctest/doctest.h>
#include <set>

#include "core/error.h"
#include "test_window.h"

namespace headlight::frame_loop_test {
namespace {

// A text box that fills the upper edge of the window.
struct TextBox : TestWindow {
    TextBox() {
        draw = [this](FrameContext& context) {
            begin_panel(context);
            coded = context.codes.encode(text);
            ImGui::SetNextItemWidth(380);
            ImGui::InputText("##text", &coded);
            text = context.codes.decode(coded);
            ImGui::End();
        };
        loop.run_until_idle();
        click(100, 18);
        loop.run_until_idle();
    }
    std::string text, coded;
};

int count_colors(const Pixels& pixels) {
    std::set<std::uint32_t> colors;
    for (std::size_t k = 0; k < pixels.rgba.size(); k += 4) {
        const auto* p = pixels.rgba.data() + k;
        colors.insert(p[0] << 16 | p[1] << 8 | p[2]);
    }
    return static_cast<int>(colors.size());
}

}  // namespace

TEST_CASE("frame_loop: typed text of every script arrives in one frame") {
    TextBox box;
    box.type(U"Hello αβγ Дом → ∑");
    box.loop.run_until_idle();
    CHECK(box.text == "Hello αβγ Дом → ∑");
}

TEST_CASE("frame_loop: the pointer keeps its position while another window has the focus") {
    TextBox box;
    box.move(100, 18);
    for (const bool focused : {false, true}) {
        InputEvent event;
        event.kind = InputEvent::Kind::Focus;
        event.down = focused;
        box.loop.push(event);
    }
    box.loop.run_until_idle();
    CHECK(ImGui::GetIO().MousePos.x == 100);
    CHECK(ImGui::GetMouseCursor() == ImGuiMouseCursor_TextInput);
}

TEST_CASE("frame_loop: an emoji survives typing and editing around it") {
    TextBox box;
    box.type(U"a🙂b");
    box.key(Key::Home);
    box.type(U"x");
    box.key(Key::End);
    box.key(Key::Backspace);
    box.loop.run_until_idle();
    CHECK(box.text == "xa🙂");
}

TEST_CASE("frame_loop: select all, cut and paste go through the clipboard") {
    TextBox box;
    box.type(U"Hi 🙂");
    box.ctrl = true;
    box.key(Key::A);
    box.key(Key::X);
    box.loop.run_until_idle();
    CHECK(box.text == "");
    box.key(Key::V);
    box.key(Key::V);
    box.loop.run_until_idle();
    CHECK(box.text == "Hi 🙂Hi 🙂");
}

TEST_CASE("frame_loop: keys and characters keep their order") {
    TextBox box;
    box.type(U"ac");
    box.key(Key::Left);
    box.type(U"b");
    box.key(Key::End);
    box.type(U"d");
    box.key(Key::Backspace);
    box.loop.run_until_idle();
    CHECK(box.text == "abc");
}

TEST_CASE("frame_loop: a double click is told from two clicks") {
    TestWindow window;
    int clicks = 0, double_clicks = 0;
    window.draw = [&](FrameContext& context) {
        window.begin_panel(context);
        clicks += ImGui::Button("button", {100, 40});
        double_clicks += ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
        ImGui::End();
    };
    window.loop.run_until_idle();
    window.click(50, 20);
    window.loop.run_until_idle();
    CHECK(clicks == 1);
    window.loop.let_pass(2);
    window.click(50, 20);
    window.loop.run_until_idle();
    CHECK(clicks == 2);
    CHECK(double_clicks == 0);
    window.loop.let_pass(2);
    window.click(50, 20);
    window.click(50, 20);
    window.loop.run_until_idle();
    CHECK(clicks == 4);
    CHECK(double_clicks == 1);
}

TEST_CASE("frame_loop: a drag moves by the distance of the pointer") {
    TestWindow window;
    ImVec2 dragged{0, 0};
    window.draw = [&](FrameContext& context) {
        window.begin_panel(context);
        ImGui::InvisibleButton("canvas", {200, 200});
        if (ImGui::IsItemActive()) {
            dragged.x += ImGui::GetIO().MouseDelta.x;
            dragged.y += ImGui::GetIO().MouseDelta.y;
        }
        ImGui::End();
    };
    window.loop.run_until_idle();
    window.move(50, 50);
    window.button(true);
    for (float x = 60; x <= 150; x += 10) window.move(x, 40);
    window.button(false);
    window.move(20, 20);
    window.loop.run_until_idle();
    CHECK(dragged.x == doctest::Approx(100));
    CHECK(dragged.y == doctest::Approx(-10));
}

TEST_CASE("frame_loop: the wheel turns once for each step") {
    TestWindow window;
    float turned = 0;
    window.draw = [&](FrameContext&) { turned += ImGui::GetIO().MouseWheel; };
    window.loop.run_until_idle();
    for (float step : {1.f, 1.f, -3.f}) window.wheel(step);
    window.loop.run_until_idle();
    CHECK(turned == -1);
}

TEST_CASE("frame_loop: the framebuffer follows the window's size and scale") {
    TestWindow window;
    window.draw = [](FrameContext& context) { context.background = {10, 20, 30, 255}; };
    window.loop.run_until_idle();
    CHECK(window.loop.screenshot().width == 400);
    InputEvent scale = window.event(InputEvent::Kind::Scale);
    scale.scale = 1.5f;
    window.loop.push(scale);
    window.resize(501, 200);
    window.loop.run_until_idle();
    const Pixels pixels = window.loop.screenshot();
    CHECK(pixels.width == 752);
    CHECK(pixels.height == 300);
    CHECK(pixels.at(751, 299)[2] == 30);
}

TEST_CASE("frame_loop: a large window at scale 2 fills every pixel of the screen") {
    TestWindow window({1920, 1080, 2});
    window.draw = [&](FrameContext& context) {
        window.begin_panel(context);
        ImGui::TextUnformatted("Words");
        ImGui::End();
    };
    window.loop.run_until_idle();
    const Pixels pixels = window.loop.screenshot();
    CHECK(pixels.width == 3840);
    CHECK(pixels.height == 2160);
    CHECK(count_colors(pixels) > 10);
}

TEST_CASE("frame_loop: idling draws no frames, and an event as many as ImGui needs") {
    TestWindow window;
    window.loop.run_until_idle();
    const int before = window.n_draws;
    window.loop.run_until_idle();
    window.loop.run_until_idle();
    CHECK(window.n_draws == before);
    window.move(5, 5);
    window.loop.run_until_idle();
    CHECK(window.n_draws == before + kFramesPerEvent);
    window.loop.wake();
    window.loop.run_until_idle();
    CHECK(window.n_draws == before + 2 * kFramesPerEvent);
}

TEST_CASE("frame_loop: the requested frames are drawn, and no more") {
    TestWindow window;
    int wished = 10;
    window.draw = [&](FrameContext& context) {
        if (wished-- > 0) context.next_frame_secs = 0;
    };
    window.loop.run_until_idle();
    CHECK(window.n_draws == 11);
    window.draw = [](FrameContext& context) { context.next_frame_secs = 0; };
    window.move(1, 1);
    CHECK_THROWS_WITH_AS(window.loop.run_until_idle(), doctest::Contains("come to rest"), Error);
}

TEST_CASE("frame_loop: closing the window can be refused, a signal cannot") {
    TestWindow window;
    bool asked = false;
    window.draw = [&](FrameContext& context) {
        asked = asked || context.close_asked;
        context.stay_open = true;
    };
    InputEvent quit = window.event(InputEvent::Kind::Quit);
    window.loop.push(quit);
    window.loop.run_until_idle();
    CHECK(asked);
    CHECK_FALSE(window.loop.has_quit());
    quit.down = true;
    window.loop.push(quit);
    window.loop.run_until_idle();
    CHECK(window.loop.has_quit());
}

TEST_CASE("frame_loop: dropped files arrive exactly once") {
    TestWindow window;
    std::vector<std::string> dropped;
    window.draw = [&](FrameContext& context) {
        for (const std::string& path : context.dropped_paths) dropped.push_back(path);
    };
    InputEvent drop = window.event(InputEvent::Kind::Drop);
    drop.path = "/a study.headlight";
    window.loop.push(drop);
    window.loop.run_until_idle();
    CHECK(dropped == std::vector<std::string>{"/a study.headlight"});
}

TEST_CASE(
    "frame_loop: a new zoom takes effect without an event, and the pointer hits what is drawn") {
    TestWindow window;
    WindowSize size;
    ImVec2 mouse;
    window.draw = [&](FrameContext& context) {
        context.zoom = 2;
        size = context.window;
        mouse = ImGui::GetIO().MousePos;
    };
    window.loop.run_until_idle();
    const float width = size.width, pixels_per_point = size.pixels_per_point;
    InputEvent move = window.event(InputEvent::Kind::MouseMove);
    move.x = 100;
    move.y = 60;
    window.loop.push(move);
    window.loop.run_until_idle();
    CHECK(mouse.x == 50);
    CHECK(mouse.y == 30);
    CHECK(width * pixels_per_point == doctest::Approx(window.loop.screenshot().width));
    CHECK(pixels_per_point == 2);
}

TEST_CASE("frame_loop: too many vertices for a draw list give an error message, not a crash") {
    TestWindow window;
    std::string marks = "a";
    for (int k = 0; k < 17000; ++k) marks += "\u0301";
    bool is_full = true;
    window.draw = [&](FrameContext& context) {
        context.fonts.need_glyphs(marks);
        window.begin_panel(context);
        ImGui::TextUnformatted(is_full ? marks.c_str() : "fine again");
        ImGui::End();
    };
    window.loop.wake();
    window.loop.run_until_idle();
    CHECK(window.loop.read_texts().find("There is more here than can be drawn.") !=
          std::string::npos);
    static_cast<void>(window.loop.screenshot());
    is_full = false;
    window.loop.wake();
    window.loop.run_until_idle();
    CHECK(window.loop.read_texts().find("fine again") != std::string::npos);
}

TEST_CASE("frame_loop: after a frame that failed there is a picture, and a next frame") {
    TestWindow window;
    bool fails = false;
    window.draw = [&](FrameContext& context) {
        window.begin_panel(context);
        ImGui::TextUnformatted("what there is of it");
        if (fails) throw Error("test", "in the middle of a window");
        ImGui::End();
    };
    window.loop.run_until_idle();
    fails = true;
    window.loop.wake();
    CHECK_THROWS_WITH(window.loop.run_until_idle(), "[test] in the middle of a window");
    CHECK(count_colors(window.loop.screenshot()) > 1);
    fails = false;
    window.loop.wake();
    window.loop.run_until_idle();
    CHECK(looks_as_if_drawn_whole(window.loop));
}

TEST_CASE(
    "frame_loop: a second window is there while it has a place, and else it is said why not") {
    bool has_place = true, is_wanted = true;
    FrameLoop loop({"test", {400, 300, 1}}, [&](const WindowOptions& options, EventSink sink) {
        WindowBackend backend = make_headless_window(options, std::move(sink));
        backend.second.has_place = [&] { return has_place; };
        return backend;
    });
    SecondEnd end = SecondEnd::None;
    loop.set_draw([&](FrameContext& context) {
        if (context.second_end != SecondEnd::None) end = context.second_end;
        if (end != SecondEnd::None) is_wanted = false;
        if (is_wanted)
            context.second = {1, [](Point size, const MeasureText&) {
                                  return Figure{.width = size.x, .height = size.y};
                              }};
    });
    const auto draw = [&] {
        loop.wake();
        loop.run_until_idle();
    };
    draw();
    CHECK(loop.second_picture().width > 0);
    CHECK(end == SecondEnd::None);
    has_place = false;  // its screen is taken away
    draw();
    CHECK(loop.second_picture().width == 0);
    CHECK(end == SecondEnd::NoPlace);
    end = SecondEnd::None, is_wanted = true;
    draw();
    CHECK(loop.second_picture().width == 0);
    CHECK(end == SecondEnd::NoPlace);
    has_place = true;
    end = SecondEnd::None, is_wanted = true;
    draw();
    CHECK(loop.second_picture().width > 0);
}

}  // namespace headlight::frame_loop_test
