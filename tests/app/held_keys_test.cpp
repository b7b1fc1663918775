// Keys by what a layout types with them: German, French, Swiss, Hungarian, Russian, US.
#include <doctest/doctest.h>
#include <utility>
#include <vector>

#include "ui/input/input_queue.h"

namespace headlight::held_keys_test {
namespace {

using Sent = std::vector<std::pair<Key, bool>>;

struct Keyboard {
    /// A key by what the layout has on it and what a US keyboard has there, and what it types now.
    void press(int number, char name, char us, char32_t typed = 0) {
        keys.press(number, key_of_place(name, us));
        if (typed != 0) keys.type(typed);
    }
    Sent take() { return std::exchange(sent, {}); }

    Sent sent;
    HeldKeys keys{[this](Key key, bool is_down) { sent.push_back({key, is_down}); }};
};

constexpr int kShift = 1, kSign = 2;

}  // namespace

TEST_CASE("key_of_place: letters and digits are where they are printed") {
    CHECK(key_of_place('z', 'y') == Key::Z);      // German
    CHECK(key_of_place('a', 'q') == Key::A);      // French
    CHECK(key_of_place('&', '1') == Key::One);    // its digits need Shift …
    CHECK(key_of_place('\0', '0') == Key::Zero);  // … as that under à
    CHECK(key_of_place('0', '`') == Key::Zero);   // Hungarian
    CHECK(key_of_place('\0', 'c') == Key::C);     // Russian с
    CHECK(key_of_place('\0', '-') == Key::None);  // German ß
    CHECK(key_of_place('\0', ';') == Key::None);  // German ö
    CHECK(key_of_place('=', '=') == Key::Plus);   // US: + with Shift
    CHECK(key_of_place('-', '/') == Key::None);   // known by its sign
}

TEST_CASE("HeldKeys: ?, + and − are where the layout types them") {
    struct Typed {
        char name, us;
        char32_t sign;
        Key key;
    };
    for (const Typed& typed : {Typed{'\0', '-', U'?', Key::Question},  // German: Shift+ß
                               Typed{',', 'm', U'?', Key::Question},   // French: Shift+,
                               Typed{'\'', '-', U'?', Key::Question},  // Swiss
                               Typed{',', ',', U'?', Key::Question},   // Hungarian
                               Typed{'/', '/', U'?', Key::Question},   // US
                               Typed{'+', ']', U'+', Key::Plus},       // German
                               Typed{'=', '=', U'+', Key::Plus},       // US, French
                               Typed{'-', '/', U'-', Key::Minus},      // German
                               Typed{'-', '-', U'-', Key::Minus}}) {   // US
        Keyboard keyboard;
        keyboard.press(kSign, typed.name, typed.us, typed.sign);
        keyboard.keys.type(typed.sign);  // it repeats
        keyboard.keys.release(kSign);
        CHECK(keyboard.take() == Sent{{typed.key, true}, {typed.key, false}});
    }
}

TEST_CASE("HeldKeys: a sign that is typed with a digit's key takes the place of the digit") {
    Keyboard keyboard;
    keyboard.press(kSign, '1', '1', U'+');  // Swiss: Shift+1
    keyboard.keys.release(kSign);
    CHECK(keyboard.take() ==
          Sent{{Key::One, true}, {Key::One, false}, {Key::Plus, true}, {Key::Plus, false}});
    keyboard.press(kSign, '-', '6', U'-');  // French
    keyboard.keys.release(kSign);
    CHECK(keyboard.take().back() == std::pair(Key::Minus, false));
}

TEST_CASE("HeldKeys: what was pressed is released, whether Shift was let go first or not") {
    Keyboard keyboard;
    keyboard.keys.press(kShift, Key::None);
    keyboard.press(kSign, '/', '/', U'?');
    keyboard.keys.release(kShift);
    keyboard.keys.release(kSign);
    CHECK(keyboard.take() == Sent{{Key::Question, true}, {Key::Question, false}});
    keyboard.press(kSign, '/', '/', U'?');
    keyboard.keys.forget();
    keyboard.keys.release(kSign);
    CHECK(keyboard.take() == Sent{{Key::Question, true}});
    keyboard.keys.type(U'?');  // by an input method
    CHECK(keyboard.take() == Sent{{Key::Question, true}, {Key::Question, false}});
    keyboard.keys.type(U'x');
    CHECK(keyboard.take().empty());
}

}  // namespace headlight::held_keys_test
