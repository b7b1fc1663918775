// Input on its way to ImGui: the program's keys that the keys of a keyboard stand for, by what the
// layout types with them, and the events, handed over as slowly as ImGui can follow.
//
// Goals: ?, + and − are where the user's layout has them, with whatever is held for them; letters
// and digits are where they are printed; what was pressed is released, whatever was let go first.
// One order of events for hand, script and test; a press and its release never in one frame,
// however slow the frame was; no event lost. Not goals: what is written into text fields.
#pragma once

#include <deque>
#include <functional>
#include <imgui.h>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ui/compat.h"
#include "ui/input/input_event.h"

namespace headlight {

/// Returns the key of a letter, a digit or = by what the layout has on it without Shift, so that
/// Ctrl+Z is where it is printed. `name`: that character, 0 if it is none of ASCII; `us`: what a US
/// keyboard has in that place, where layouts without Latin letters, and the French digits, are
/// looked up.
Key key_of_place(char name, char us);

/// The program's keys that are held, by the keys of the keyboard that stand for them.
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

class InputQueue {
  public:
    void push(InputEvent event) { events_.push_back(std::move(event)); }
    bool empty() const { return events_.empty(); }

    /// Called before ImGui::NewFrame: sends as many events as one frame may see. Moves of the
    /// pointer in a row, steps of the wheel in a row and characters in a row go together; every
    /// other event goes by itself. Returns those that are not for ImGui: Resize, Scale, Drop, Quit,
    /// Refresh.
    std::vector<InputEvent> feed(ImGuiIO& io, compat::PrivateUseCodes& codes);

  private:
    void send(ImGuiIO& io, const InputEvent& event, compat::PrivateUseCodes& codes);

    std::deque<InputEvent> events_;
    InputEvent pointer_{.x = -FLT_MAX, .y = -FLT_MAX, .path = {}};  // its last move
};

}  // namespace headlight
