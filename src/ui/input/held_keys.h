// HeldKeys: the program's keys that the keys of a keyboard stand for, by what the layout types with
// them.
//
// Goals: ?, + and − are where the user's layout has them, with whatever is held for them; letters
// and digits are where they are printed; what was pressed is released, whatever was let go first.
// Not goals: what is written into text fields.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "ui/input/input_event.h"

namespace headlight {

/// Returns the key of a sign that is typed: "?", "+", "-", "−"; None for others.
Key key_of_sign(char32_t character);

/// Returns the key of a letter, a digit or = by what the layout has on it without Shift, so that
/// Ctrl+Z is where it is printed. `name`: that character, 0 if it is none of ASCII; `us`: what a US
/// keyboard has in that place, where layouts without Latin letters, and the French digits, are
/// looked up.
Key key_of_place(char name, char us);

class HeldKeys {
  public:
    using Send = std::function<void(Key, bool is_down)>;
    explicit HeldKeys(Send send) : send_(std::move(send)) {}

    /// Presses a key of the keyboard by its number; None if only the sign that it types tells which
    /// key it is.
    void press(int number, Key key);
    /// Called after the press of the key that types the character, also when it repeats.
    void type(char32_t character);
    void release(int number);
    /// Forgets what is held, because another window has the keyboard.
    void forget() { held_.clear(), last_.reset(); }

  private:
    Send send_;
    std::map<int, Key> held_;  // by the key's number
    std::optional<int> last_;  // the one that was pressed last, while it is down
};

}  // namespace headlight
