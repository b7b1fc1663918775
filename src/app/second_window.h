// The second window of the program: a picture that is drawn anew when its content is another one.
#pragma once

#include <utility>

#include "app/window_backend.h"
#include "ui/window/workbench_frame.h"

namespace headlight {

class SecondWindow {
  public:
    /// Once a frame: opens and closes it, and shows the picture.
    void follow(PictureWindow& window, const SecondPicture& picture);
    /// True once after the user has closed it.
    bool take_closed() { return std::exchange(was_closed_, false); }
    /// What it shows; no pixels while it is closed.
    const Pixels& shown() const { return shown_; }

  private:
    bool is_open_ = false, was_closed_ = false;
    std::uint64_t content_ = 0;
    WindowSize size_;
    Pixels shown_;
};

}  // namespace headlight
