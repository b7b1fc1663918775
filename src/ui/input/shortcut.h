// Shortcuts: keys as people read them ("Ctrl+Shift+S"), and whether they are pressed.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ui/compat.h"

namespace headlight {

/// "A", "0", "Home", "Esc", "←", "Left", "+", "Plus"; nothing if no key is called so.
std::optional<Key> find_key(std::string_view word);

struct Shortcut {
    Key key = Key::None;
    bool ctrl = false, shift = false, alt = false;  // held beside it

    int count_held() const { return ctrl + shift + alt; }
    bool operator==(const Shortcut&) const = default;
};

/// All of "F1 or ?"; none of "". Throws Error if there is no such key.
std::vector<Shortcut> shortcuts_from(std::string_view keys);

/// In this frame. More may be held than it asks for, but for Ctrl; where a text is typed, what a
/// text field does with its keys goes first. Of several that are pressed at once that one is meant
/// which asks for most.
bool is_pressed(const Shortcut& shortcut, compat::Repeat repeat = compat::Repeat::No);

}  // namespace headlight
