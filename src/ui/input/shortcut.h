// Shortcuts: keys as people read them ("Ctrl+Shift+S"), and a test for their being pressed.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ui/compat.h"

namespace headlight {

/// Returns the key called "A", "0", "Home", "Esc", "←", "Left", "+" or "Plus"; nothing if there is
/// none.
std::optional<Key> find_key(std::string_view word);

struct Shortcut {
    Key key = Key::None;
    bool ctrl = false, shift = false, alt = false;  // held beside it

    int count_held() const { return ctrl + shift + alt; }
    bool operator==(const Shortcut&) const = default;
};

/// Returns all shortcuts of "F1 or ?"; none of "". Throws Error if there is no such key.
std::vector<Shortcut> shortcuts_from(std::string_view keys);

/// True if the shortcut is pressed in this frame. Additional modifiers may be held, except Ctrl.
/// While a text is typed, the text field's own keys have priority. If several shortcuts match, the
/// one with the most modifiers counts.
bool is_pressed(const Shortcut& shortcut, compat::Repeat repeat = compat::Repeat::No);

}  // namespace headlight
