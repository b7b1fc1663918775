// A dialog: a window over the others in which something is asked, chosen or read.
//
// Goals: every dialog fits into every window, scrolls where its contents do not, and is closed by a
// cross, by Esc, and by the key that opened it. Scripts find it as "dialog TITLE", and its cross as
// "close TITLE". Not goals: lists under a button, which the next click closes.
#pragma once

#include <optional>

#include "ui/panel.h"

namespace headlight {

class Dialog {
  public:
    /// A question keeps all else waiting for its answer; a click beside a form closes it.
    enum class Kind { Question, Form };
    struct Look {
        const char* title;
        Point size;  // at most; a height of 0 is that of the contents
        Kind kind = Kind::Question;
        float top = 0;                      // 0: it stands in the middle of the window
        std::optional<float> right = {};    // absent: midway between both sides
        std::optional<Point> padding = {};  // absent: that of all windows
        bool has_cross = true;              // without one, a button has to close it
        bool is_left_by_escape = true;
    };

    /// Opens in the next frame.
    void open() { is_open_ = must_open_ = true; }
    /// A dialog that was opened anew since it was drawn stays open.
    void close() { is_open_ = must_open_; }
    bool is_open() const { return is_open_; }
    /// True before the frame in which it opens.
    bool will_open() const { return must_open_; }

    /// Called once a frame. If it is true, the contents follow, and then `end`.
    bool begin(PanelContext& context, const Look& look);
    void end(PanelContext& context);

    /// The width at the right end of the first line that the cross of a form needs.
    static constexpr float kCross = 28;

  private:
    const char* title_ = "";
    bool is_open_ = false, must_open_ = false, draws_cross_ = false, is_left_by_escape_ = true;
};

}  // namespace headlight
