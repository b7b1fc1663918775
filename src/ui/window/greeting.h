// The greeting of the first start: three things to try, until one is.
#pragma once

#include "ui/panel.h"

namespace headlight {

class Greeting {
  public:
    void begin() { is_shown_ = true; }
    /// Something was tried.
    void end() { is_shown_ = false; }

    /// At the foot of the box. Returns its height, 0 after it has ended.
    float draw(PanelContext& context, Box box) const;

  private:
    bool is_shown_ = false;
};

}  // namespace headlight
