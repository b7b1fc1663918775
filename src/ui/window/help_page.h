// The help page: all keys, and the gestures of the pointer.
#pragma once

#include "ui/panel.h"

namespace headlight {

class HelpPage {
  public:
    /// Opens in the next frame.
    void open() { must_open_ = true; }
    void draw(PanelContext& context);

  private:
    bool must_open_ = false;
};

}  // namespace headlight
