// The bar that shows a background computation and its progress, and can cancel it.
#pragma once

#include <string>

#include "ui/panel.h"

namespace headlight {

/// Work that goes on beside the window, or was ended by the user.
struct WorkState {
    enum class Phase { None, Running, Stopped } phase = Phase::None;
    std::string what;  // "blocks.3.attn.heads.0.pattern"
    double share = 0;
};

class WorkBar {
  public:
    enum class Answer { None, Cancel, Resume };

    /// Draws it over the foot of `box`, once the work has taken longer than a moment.
    Answer draw(PanelContext& context, const WorkState& state, Box box);
    bool offers_cancel() const { return offers_cancel_; }  // in the last frame

  private:
    Answer draw_contents(PanelContext& context, const WorkState& state) const;

    float running_secs_ = 0;
    bool offers_cancel_ = false;
};

}  // namespace headlight
