// Animator: moves one number of the study between two others, by itself or by hand, while
// everything follows.
//
// Goals: any number (a setting, a cell) the same way; one undo step however long it plays; nothing
// is redrawn while it rests.
#pragma once

#include <optional>
#include <string>

#include "model/motion.h"
#include "ui/panel.h"

namespace headlight {

class Animator {
  public:
    /// Handles a pending animation request.
    void take_request(PanelContext& context);

    bool is_open() const { return number_.has_value(); }
    bool is_playing() const { return is_playing_; }
    void toggle_play() { is_playing_ = is_open() && !is_playing_; }
    void close() { *this = {}; }
    /// Returns "layer.attention.temperature=0.2:4", as `headlight export --motion` takes it; ""
    /// while it is closed.
    std::string motion_text() const;

    /// Draws the bar at the foot of `box`; returns how high it is, 0 while it is closed or its
    /// number is not there.
    float draw(PanelContext& context, Box box);

    /// Called once a frame, after all panels: lets time pass. A change by hand meanwhile stops it,
    /// so that the steps of undo stay in order.
    void advance(PanelContext& context);

  private:
    struct Number {  // as it is now
        std::string name;
        double value = 0, low = 0, high = 0;
        enum class Kind { Real, Whole } kind = Kind::Real;

        double kept(double wanted) const;
    };

    std::optional<Number> find_number(const PanelContext& context) const;
    std::optional<Scalar> value_set_by_hand(const PanelContext& context,
                                            const CellPlace& cell) const;
    void propose(const Number& number);
    void set(PanelContext& context, const std::string& step, double value);
    void put_back(PanelContext& context, const Number& number);
    void draw_main_row(PanelContext& context, const Number& number, float width);
    void draw_knob(PanelContext& context, const Number& number, float width);
    void draw_ends(PanelContext& context, const Number& number);
    std::string label(const Number& number) const;

    std::optional<NumberPlace> number_;  // the number that moves
    Motion motion_;
    double before_ = 0;             // its value when it was taken up …
    bool was_set_by_hand_ = false;  // … and whether that cell was set by hand
    double elapsed_secs_ = 0;
    bool is_playing_ = false;
    std::optional<double> set_to_;  // by the last frame, while it plays
};

}  // namespace headlight
