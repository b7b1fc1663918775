// Events of a pointer and a keyboard, the same for a real window, a script and a test.
#pragma once

#include <string>

namespace headlight {

enum class Key {  // letters and digits in their order
    None,
    Tab,
    Left,
    Right,
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
    Insert,
    Delete,
    Backspace,
    Space,
    Enter,
    Escape,
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    I,
    J,
    K,
    L,
    M,
    N,
    O,
    P,
    Q,
    R,
    S,
    T,
    U,
    V,
    W,
    X,
    Y,
    Z,
    Zero,
    One,
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Plus,
    Minus,
    F1,
    F5,
    F6,
    Question
};

struct InputEvent {
    enum class Kind {
        MouseMove,
        MouseButton,
        Wheel,
        Key,
        Character,
        Focus,
        Resize,
        Scale,
        Drop,
        Quit,
        Refresh  // nothing but a new frame: the window was uncovered, a worker has finished
    };

    Kind kind = Kind::MouseMove;
    float x = 0, y = 0;  // MouseMove: place in points; Wheel: steps; Resize: size in points
    int button = 0;      // MouseButton: 0 left, 1 right, 2 middle
    bool down = false;   // MouseButton, Key, Focus
    Key key = Key::None;
    bool ctrl = false, shift = false, alt = false;  // held while the event happened
    char32_t character = 0;                         // Character
    float scale = 1;                                // Scale: pixels per point
    std::string path;                               // Drop
};

}  // namespace headlight
