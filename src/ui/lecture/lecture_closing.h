// The question about an unsaved lecture before the window closes, as about unsaved studies.
#pragma once

#include "ui/panel.h"

namespace headlight {

struct Desks;

class LectureClosing {
  public:
    /// False if the lecture has no unsaved changes; else they are asked about.
    bool ask(const Desks& desks);
    bool asks() const { return state_ != State::Rests; }

    /// Once a frame. `GoOn`: the lecture is saved or given up, and the window can close for it.
    enum class Answer { None, GoOn };
    Answer draw(PanelContext& context, Desks& desks);

    /// The window closes: what was given up is not offered at the next start.
    void finish(Desks& desks) const;

  private:
    enum class State { Rests, Asks, Saves };

    Answer draw_question(PanelContext& context, Desks& desks);

    State state_ = State::Rests;
    bool is_given_up_ = false;
};

}  // namespace headlight
