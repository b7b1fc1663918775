// The slide: one step of the computation for a hall, with everything else put away.
//
// Goals: it is the window's own world, alive under the pointer, drawn large; walking changes the
// selection and nothing else. A view of its own that is looked at, such as the logits, is the
// slide, and there are no steps. Not goals: its size and its screen (the workbench's and the
// window's).
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "figure/figure.h"
#include "ui/panel.h"
#include "ui/pictures/comparison_canvas.h"
#include "ui/pictures/flow_canvas.h"
#include "ui/pictures/graph_canvas.h"
#include "ui/widgets/style.h"
#include "views/prediction.h"
#include "views/view_figure.h"
#include "views/walk.h"

namespace headlight {

/// The size of a slide, in its points, and the height over its last line which a notice takes of
/// it.
struct SlideRoom {
    Point size;
    float notice = 0;
};

/// Panels of the window that stand on a slide as they are.
struct SlidePanels {
    Panel& input;     // in which the study's text is typed
    Panel& training;  // curves, checkpoints and heads
};

class SlideText {
  public:
    void ask() { is_asked_ = true; }
    /// Draws the field above the last line of a slide of that size. `input` is the panel in which
    /// the text is typed. Enter and Esc close it.
    void draw(PanelContext& context, Panel& input, Point size, float foot);
    /// Returns its height in the last frame; 0 while it is closed. The pictures that it changes are
    /// drawn above it.
    float height() const { return height_; }

  private:
    float height_ = 0;
    bool is_asked_ = false;
};

/// A button in the foot of a slide or of a lecture's page. One that a key presses as well is left
/// out where there is no room.
struct SlideButton {
    const char *name, *tooltip;
    std::function<void()> press;
    bool has_key = false;
    std::string text = {};  // shown in place of the name, if it is not empty
    bool is_on = false;

    const char* shown() const { return text.empty() ? name : text.c_str(); }
};

/// Returns the width of all of them, in the font that is pushed.
float width_of(const std::vector<SlideButton>& buttons);
void leave_out(std::vector<SlideButton>& buttons, float room);
/// Draws them from there on, flat on that background, and presses those that were clicked.
void draw_slide_buttons(PanelContext& context, const std::vector<SlideButton>& buttons, Point at,
                        Color background);

inline constexpr float kSlideFoot = 34;  // height of its last line, in points of the slide

/// Returns the zoom at which a slide fills a window of that size, with about 40 lines of its
/// smallest text.
float slide_zoom(Point window);

/// Returns the view that is presented instead of the steps; nothing if the steps are.
std::optional<ViewId> presented_view(const Scene& scene);

class Slide {
  public:
    /// Draws over the whole window.
    void draw(PanelContext& context, const SlidePanels& panels, const SlideRoom& room);

    /// Does what the keys of a keyboard or of a presenter's remote ask for, only while nothing else
    /// has them.
    void press_keys(PanelContext& context);

    /// Keys and buttons call these, as does a command found by its name. There must be a trace.
    void ask_for_text() { text_.ask(); }
    void change_covers();
    void turn_cover(const Tensor& chosen) { prediction_.turn(chosen); }
    void end_prediction() { prediction_ = {}; }

  private:
    struct Places {
        Box head, flow, arithmetic, foot;
    };

    void draw_step(PanelContext& context, const Places& places);
    void draw_compared(PanelContext& context, Box box);
    void draw_view(PanelContext& context, ViewId view, Box box);
    void draw_training(PanelContext& context, Panel& panel, Box box);
    void draw_head(PanelContext& context, const Tensor& tensor, Box box);
    void draw_large(PanelContext& context, const Tensor& tensor, Box box, Point origin);
    void draw_picture(PanelContext& context, Box box, Point origin);
    void draw_matrix(PanelContext& context, const Tensor& tensor, Box box, Point origin);
    void draw_arithmetic(PanelContext& context, Box box);
    std::string predict_label() const;
    std::vector<SlideButton> foot_buttons(PanelContext& context, bool has_steps);
    void draw_foot(PanelContext& context, Box box);
    static void draw_progress(PanelContext& context, Box box, float buttons);
    void walk(PanelContext& context, WalkMove how);

    FlowCanvas cards_;
    CellPointer large_;
    ComparisonCanvas compared_;
    GraphCanvas graph_;
    Prediction prediction_;
    SlideText text_;
};

class Laser {
  public:
    bool is_on() const { return is_on_; }
    void turn() { is_on_ = !is_on_, trail_.clear(); }

    /// Draws over everything, in the frame's own time. Returns true while the trail fades: draw
    /// again.
    bool draw();

  private:
    struct Place {
        Point at;
        double when_secs = 0;
    };

    bool is_on_ = false;
    std::deque<Place> trail_;  // the newest last
};

class Presentation {
  public:
    bool is_on() const { return is_on_; }
    /// The subject of the slides: the chosen matrix, or the view or the page of the lecture as it
    /// is.
    enum class Of { Steps, View, Lecture };
    void begin(Of of, Selection& selection);
    void end() { is_on_ = false, slide.end_prediction(); }
    /// Returns what was held before the slides: their Esc does not release it.
    const Pointed& held_before() const { return held_before_; }
    /// Called before each frame: what is held moves along with the steps, where no press has
    /// changed it.
    void follow(const Pointed& held);

    /// Returns the zoom at which a slide fills a window of that size.
    float zoom(Point window) const { return text.value() * slide_zoom(window); }

    /// Returns the magnification around the pointer; 1: there is no magnifying glass. The wheel
    /// changes it.
    float magnified() const { return magnified_; }
    void set_magnified(float magnified) { magnified_ = magnified; }
    void turn_magnifying_glass() { magnified_ = magnified_ > 1 ? 1 : kMagnified; }

    TextZoom text{kMostSlideText};
    Slide slide;
    Laser laser;

  private:
    // A larger text would leave the matrix less than half of the slide.
    static constexpr float kMostSlideText = 1.5f;
    static constexpr float kMagnified = 2;

    bool is_on_ = false;
    Pointed held_before_, held_last_;
    int n_frames_since_press_ = 0;
    float magnified_ = 1;
};

struct WorkbenchState;

/// Makes a slide of what is looked at: a step of the study, a view of its own, a page.
void begin_presentation(WorkbenchState& bench);
void turn_presentation(WorkbenchState& bench);
void turn_prediction(WorkbenchState& bench);
/// Lifts the cover of the matrix, or puts it back.
void turn_cover(WorkbenchState& bench);
void ask_for_text(WorkbenchState& bench);

}  // namespace headlight
