// GLFW's keys as Headlight's.
#include "app/glfw_keys.h"

#include <GLFW/glfw3.h>

namespace headlight {
namespace {

struct KeyPair {
    int glfw;
    Key key;
};

constexpr KeyPair kPairs[] = {
    {GLFW_KEY_TAB, Key::Tab},
    {GLFW_KEY_LEFT, Key::Left},
    {GLFW_KEY_RIGHT, Key::Right},
    {GLFW_KEY_UP, Key::Up},
    {GLFW_KEY_DOWN, Key::Down},
    {GLFW_KEY_PAGE_UP, Key::PageUp},
    {GLFW_KEY_PAGE_DOWN, Key::PageDown},
    {GLFW_KEY_HOME, Key::Home},
    {GLFW_KEY_END, Key::End},
    {GLFW_KEY_INSERT, Key::Insert},
    {GLFW_KEY_DELETE, Key::Delete},
    {GLFW_KEY_BACKSPACE, Key::Backspace},
    {GLFW_KEY_SPACE, Key::Space},
    {GLFW_KEY_ENTER, Key::Enter},
    {GLFW_KEY_KP_ENTER, Key::Enter},
    {GLFW_KEY_ESCAPE, Key::Escape},
    {GLFW_KEY_F1, Key::F1},
    {GLFW_KEY_F5, Key::F5},
    {GLFW_KEY_F6, Key::F6},
    {GLFW_KEY_KP_ADD, Key::Plus},
    {GLFW_KEY_KP_SUBTRACT, Key::Minus},
    {GLFW_KEY_KP_0, Key::Zero},
};

Key key_after(Key first, int steps) {
    return static_cast<Key>(static_cast<int>(first) + steps);
}

// A printable key by what it prints without Shift.
Key key_from_character(char character, bool shift) {
    if (character >= 'a' && character <= 'z') return key_after(Key::A, character - 'a');
    if (character >= '0' && character <= '9') return key_after(Key::Zero, character - '0');
    switch (character) {
        case '+':
        case '=':
            return Key::Plus;
        case '-':
            return Key::Minus;
        case '/':
            return shift ? Key::Question : Key::None;
        default:
            return Key::None;
    }
}

// GLFW's codes of printable keys are their capital letters on a US keyboard.
char us_character(int key) {
    if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) return static_cast<char>(key - 'A' + 'a');
    return key < 0x7F ? static_cast<char>(key) : '\0';
}

}  // namespace

Key key_from_glfw(int key, int scancode, int modifiers) {
    for (const KeyPair& pair : kPairs)
        if (pair.glfw == key) return pair.key;
    if (key == GLFW_KEY_UNKNOWN) return Key::None;
    const char* name = glfwGetKeyName(key, scancode);
    const bool latin = name != nullptr && name[0] > 0 && name[1] == '\0';
    return key_from_character(latin ? name[0] : us_character(key), modifiers & GLFW_MOD_SHIFT);
}

}  // namespace headlight
