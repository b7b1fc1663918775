// Input events, handed to ImGui as slowly as it can follow.
//
// Goals: one order of events for hand, script and test; a press and its release never in one
// frame, however slow the frame was; no event lost.
#pragma once

#include <deque>
#include <imgui.h>
#include <utility>
#include <vector>

#include "ui/compat.h"
#include "ui/input/input_event.h"

namespace headlight {

class InputQueue {
  public:
    void push(InputEvent event) { events_.push_back(std::move(event)); }
    bool empty() const { return events_.empty(); }

    /// Called before ImGui::NewFrame: sends as many events as one frame may see. Moves of the
    /// pointer in a row, steps of the wheel in a row and characters in a row go together; every
    /// other event goes by itself. Returns those that are not for ImGui: Resize, Scale, Drop, Quit,
    /// Refresh.
    std::vector<InputEvent> feed(ImGuiIO& io, compat::AstralCodes& codes);

  private:
    void send(ImGuiIO& io, const InputEvent& event, compat::AstralCodes& codes);

    std::deque<InputEvent> events_;
    InputEvent pointer_{.x = -FLT_MAX, .y = -FLT_MAX, .path = {}};  // its last move
};

}  // namespace headlight
