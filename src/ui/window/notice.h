// A strip of the window that says something until it is answered.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "text/scripts.h"
#include "ui/panel.h"

namespace headlight {

/// A message to the user, with its subject; it stays until it is read.
class Notice {
  public:
    /// A problem stays until it is dismissed or its subject has changed. A report of what was done
    /// stays for a moment. A fact about this computer stays until it is dismissed, with the study
    /// that brought it up, or until a change of that study has removed its cause.
    enum class Kind { Problem, Done, Computer };
    void say(std::string text, Kind kind = Kind::Problem);
    void say(const Error& error, Kind kind = Kind::Problem);
    /// A report, and a command that does something else instead, with its button.
    struct Offer {
        const char *command, *label;
    };
    void say_done(std::string text, Offer instead);
    void clear();
    const std::string& text() const { return text_; }
    const std::optional<Offer>& offer() const { return offer_; }
    bool passes() const { return kind_ == Kind::Done; }  // by itself

    /// Called once a frame with what is shown. Ends the notice when its study or the state that it
    /// is about is gone, or when its time is over. The cause is that of a fact about this computer.
    enum class Cause { IsThere, IsGone };
    void follow(std::size_t workspace, const void* document, Cause cause);
    /// True if a fact about this computer is shown, or waits until its study is shown again.
    bool tells_of_computer() const { return is_of_computer() || !waiting_.empty(); }
    double secs_left() const;  // until it ends by itself

  private:
    bool is_of_computer() const { return kind_ == Kind::Computer && !text_.empty(); }

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

/// The scripts for which no font is installed, as far as a notice tells of them: it names each
/// until it is dismissed, while a text needs it.
class LackingScripts {
  public:
    /// Called once a frame, before the notice is drawn, with those that the last frame needed.
    void follow(const std::vector<const Script*>& needed, Notice& notice);
    Notice::Cause cause() const { return cause_; }
    /// Called when the notice was read, which then is not said again.
    void dismiss() { said_.clear(); }

  private:
    std::vector<const Script*> told_, said_;  // said_: in the last notice
    Notice::Cause cause_ = Notice::Cause::IsThere;
};

/// Returns the height of a notice that is so wide.
float notice_height(const std::string& text, float width, float buttons_width);

/// Begins a notice at the bottom of `box`, with its text, and at the right room for buttons of that
/// width together, on the line at which it leaves the cursor.
void begin_notice(PanelContext& context, const std::string& text, Box box, float buttons_width);
void end_notice();

}  // namespace headlight
