#include "ui/input/held_keys.h"

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

}  // namespace

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

}  // namespace headlight
