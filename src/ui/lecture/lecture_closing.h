// The questions about an unsaved lecture before the window closes, or another lecture takes its
// place, and about a file that another program has changed, as about studies.
#pragma once

#include <functional>

#include "ui/dialogs/changed_file_notice.h"
#include "ui/panel.h"

namespace headlight {

struct Desks;

class LectureClosing {
  public:
    /// Before the window closes. False if the lecture has no unsaved changes; else they are asked
    /// about.
    bool ask(Desks& desks);
    /// Before the lecture makes way. `go_on` is done once it is saved or given up, at once if
    /// nothing would be lost; `stay` if the user stays.
    using Then = std::function<void(Desks&)>;
    void ask_to_make_way(Desks& desks, Then go_on, Then stay = {});
    /// Saving would overwrite what another program has changed.
    void ask_before_overwriting() { is_changed_on_disk_ = true; }
    bool asks() const { return state_ != State::Rests; }

    /// Says at the bottom of `box` if another program has changed the lecture's file. Returns the
    /// height of that.
    float draw_notice(PanelContext& context, Desks& desks, Box box);

    /// Once a frame. `GoOn`: the lecture is saved or given up, and the window can close for it.
    enum class Answer { None, GoOn };
    Answer draw(PanelContext& context, Desks& desks);

    /// The window closes: what was given up is not offered at the next start.
    void finish(Desks& desks) const;

  private:
    enum class State { Rests, Asks, Saves };

    void draw_question(PanelContext& context, Desks& desks);
    void draw_overwriting(PanelContext& context, Desks& desks);
    void reload(Desks& desks);
    Answer go_on(Desks& desks);
    void stay(Desks& desks);

    State state_ = State::Rests;
    Then go_on_, stay_;  // no `go_on_`: the window closes
    bool is_given_up_ = false;
    bool is_changed_on_disk_ = false;  // it is asked what becomes of that
    ChangedFileNotice changed_;
};

}  // namespace headlight
