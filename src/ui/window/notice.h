// A strip of the window that says something until it is answered.
#pragma once

#include <optional>
#include <string>

#include "core/error.h"
#include "ui/panel.h"

namespace headlight {

/// A message to the user, with its subject; it stays until it is read.
class Notice {
  public:
    /// A problem stays until it is dismissed or its subject has changed. A report of what was done
    /// stays for a moment. A fact about this computer stays until it is dismissed, with the study
    /// that brought it up.
    enum class Kind { Problem, Done, Computer };
    void say(std::string text, Kind kind = Kind::Problem);
    void say(const Error& error, Kind kind = Kind::Problem);
    /// What was done, and a command that does something else instead, with its button.
    struct Offer {
        const char *command, *label;
    };
    void say_done(std::string text, Offer instead);
    void clear();
    const std::string& text() const { return text_; }
    const std::optional<Offer>& offer() const { return offer_; }
    bool passes() const { return kind_ == Kind::Done; }  // by itself

    /// Called once a frame with what is shown. Ends the notice when its study or the state that it
    /// is about is gone, or when its time is over.
    void follow(std::size_t workspace, const void* document);
    double secs_left() const;  // until it ends by itself

  private:
    std::string text_;
    std::optional<Offer> offer_;
    Kind kind_ = Kind::Problem;
    bool is_new_ = false;
    std::size_t workspace_ = 0;
    const void* document_ = nullptr;
    double end_secs_ = 0;
    std::string waiting_;        // while another study is shown …
    std::size_t waits_for_ = 0;  // … than this one
};

/// How high a notice is that is so wide.
float notice_height(const std::string& text, float width, float buttons_width);

/// Begins it, with its text and room at the right for buttons of that width together, on the line
/// at which it leaves the cursor. At the bottom of `box`.
void begin_notice(PanelContext& context, const std::string& text, Box box, float buttons_width);
void end_notice();

}  // namespace headlight
