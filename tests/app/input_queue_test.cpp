// What one frame sees of a burst of events.
#include "ui/input/input_queue.h"

#include <doctest/doctest.h>

namespace headlight::input_queue_test {
using Kind = InputEvent::Kind;

namespace {

struct Frames {
    Frames() { ImGui::CreateContext(); }
    ~Frames() { ImGui::DestroyContext(); }

    void push(Kind kind, float x = 0, bool down = false, Key key = Key::None) {
        InputEvent event;
        event.kind = kind;
        event.x = x;
        event.down = down;
        event.key = key;
        event.character = U'a';
        queue.push(event);
    }
    int count_frames() {
        int n = 0;
        for (; !queue.empty(); ++n) queue.feed(ImGui::GetIO(), codes);
        return n;
    }

    InputQueue queue;
    compat::PrivateUseCodes codes;
};

}  // namespace

TEST_CASE("input_queue: consecutive moves share a frame, but not across a press") {
    Frames frames;
    for (float x : {1.f, 2.f, 3.f}) frames.push(Kind::MouseMove, x);
    CHECK(frames.count_frames() == 1);
    frames.push(Kind::MouseMove, 1);
    frames.push(Kind::MouseButton, 0, true);
    frames.push(Kind::MouseMove, 2);
    frames.push(Kind::MouseButton, 0, false);
    CHECK(frames.count_frames() == 4);
}

TEST_CASE("input_queue: a press and its release never share a frame") {
    Frames frames;
    frames.push(Kind::MouseButton, 0, true);
    frames.push(Kind::MouseButton, 0, false);
    frames.push(Kind::Key, 0, true, Key::A);
    frames.push(Kind::Key, 0, false, Key::A);
    CHECK(frames.count_frames() == 4);
}

TEST_CASE("input_queue: characters share a frame, but not with keys") {
    Frames frames;
    for (int i = 0; i < 5; ++i) frames.push(Kind::Character);
    frames.push(Kind::Key, 0, true, Key::Left);
    frames.push(Kind::Character);
    CHECK(frames.count_frames() == 3);
}

TEST_CASE("input_queue: window events come out in order") {
    Frames frames;
    frames.push(Kind::Resize, 500);
    frames.push(Kind::MouseMove, 1);
    frames.push(Kind::Quit);
    frames.push(Kind::Key, 0, true, Key::A);
    frames.push(Kind::Drop);
    const auto first = frames.queue.feed(ImGui::GetIO(), frames.codes);
    REQUIRE(first.size() == 2);
    CHECK(first[0].x == 500);
    CHECK(first[1].kind == Kind::Quit);
    CHECK(frames.queue.feed(ImGui::GetIO(), frames.codes).size() == 1);
    CHECK(frames.queue.empty());
}

TEST_CASE("astral_codes: decode undoes encode, even for text that contains the codes") {
    compat::PrivateUseCodes codes;
    for (const char* text : {"", "plain Дом", "🙂🙃🙂", "\uA000🙂\uA001", "𝛼 = Σ\uE000"}) {
        const std::string encoded = codes.encode(std::string(text));
        CHECK(codes.decode(encoded) == text);
        for (char byte : encoded) CHECK(static_cast<unsigned char>(byte) < 0xF0);
    }
}

TEST_CASE("astral_codes: invalid UTF-8 becomes replacement characters; nothing else is lost") {
    compat::PrivateUseCodes codes;
    CHECK(codes.decode(codes.encode(std::string("a\xFF\xC3(b"))) == "a\uFFFD\uFFFD(b");
}

TEST_CASE("astral_codes: when all codes are in use, the replacement character is used") {
    compat::PrivateUseCodes codes;
    for (char32_t c = 0x10000; c < 0x10000 + 0x4D0; ++c) CHECK(codes.encode(c) != 0xFFFD);
    CHECK(codes.encode(U'🙂') == 0xFFFD);
    CHECK(codes.encode(char32_t(0x10000)) == 0xA000);
}

TEST_CASE("codes: marks that cannot be drawn become one code, and decode to themselves") {
    compat::PrivateUseCodes codes;
    std::string text = "x a";
    for (int k = 0; k < 17000; ++k) text += "\u0301";
    text += " 🙂 y";
    const std::string coded = codes.encode(text);
    CHECK(coded.size() < 60);
    CHECK(codes.decode(coded) == text);
    CHECK(codes.decode(codes.encode(coded)) == coded);
}

}  // namespace headlight::input_queue_test
