// A presentation: one slide after another over the whole window, of the steps and views of a study
// or of the pages of a lecture.
//
// Goals: one frame, one foot and the same keys, whatever is presented; a slide is the window's own
// world, alive under the pointer, drawn large; walking changes the selection or the page and
// nothing else. Not goals: its size and its screen (the workbench's and the window's).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/panel.h"
#include "ui/pictures/comparison_canvas.h"
#include "ui/pictures/flow_canvas.h"
#include "ui/pictures/graph_canvas.h"
#include "ui/widgets/style.h"
#include "views/prediction.h"
#include "views/view_figure.h"
#include "views/walk.h"

namespace headlight {

/// A button in the foot of a slide. One that a key presses as well is left out where there is no
/// room.
struct SlideButton {
    const char* name;
    std::string tooltip;
    std::function<void()> press;
    bool has_key = false;
    std::string text = {};  // shown in place of the name, if it is not empty
    bool is_on = false;

    const char* shown() const { return text.empty() ? name : text.c_str(); }
};

/// A slide in one frame: its content, the way to the next one, and its foot.
struct Slide {
    const char* window;  // its name in ImGui
    Color background;
    /// Draws the content into that part of the window, above the foot; a notice and the field for
    /// the text cover so much of its lower end. Returns what had no room.
    std::function<std::string(Box room, float covered)> draw = {};

    const char* unit = "step";                  // of the way: a "step" or a "page"
    std::function<void(WalkMove how)> go = {};  // empty: there is no way to go
    std::function<void()> press_keys = {};      // only those of this slide; empty: there are none

    std::vector<SlideButton> buttons = {};       // they follow those that lead to other slides
    std::vector<SlideButton> last_buttons = {};  // they come and go, so no other follows them
    bool can_be_covered = false;                 // there are Predict and Reveal
    const Tensor* matrix = nullptr;              // that they cover and reveal; null: there is none
    const char* everything = "all";              // the word for all that is covered
    bool has_answer = false;                     // of a task, which has the key of Reveal
    std::vector<std::string> said = {};          // in the foot: the first one that has room …
    Color said_color = {};                       // … in this colour
    std::optional<float> progress = {};          // the share of the way that is done
    std::uint64_t opening = 0;  // not 0: a pointer that rests since it changed is put away
};

/// The size of a slide, in its points, and the height over its foot which a notice takes of it.
struct SlideRoom {
    Point size;
    float notice = 0;
};

inline constexpr float kSlideFoot = 34;  // height of its last line, in points of the slide

/// Returns the zoom at which a slide fills a window of that size, with about 40 lines of its
/// smallest text.
float slide_zoom(Point window);

/// Returns the view that is presented instead of the steps; nothing if the steps are.
std::optional<ViewId> presented_view(const Scene& scene);

/// The slides of a study: the steps of its computation, or a view as it is.
class StudySlides {
  public:
    explicit StudySlides(Prediction& prediction) : prediction_(prediction) {}

    /// Returns the current slide. `training` is the panel with curves, checkpoints and heads.
    Slide slide(PanelContext& context, Panel& training);

    void end() { view_before_ = {}; }

  private:
    std::string draw(PanelContext& context, Panel& training, Box room, float covered);
    std::string draw_step(PanelContext& context, Box room);
    std::string draw_view(PanelContext& context, ViewId view, Box box);
    void draw_training(PanelContext& context, Panel& panel, Box box);
    void draw_head(PanelContext& context, const Tensor& tensor, Box box);
    std::string draw_large(PanelContext& context, const Tensor& tensor, Box box, Point origin);
    std::string draw_picture(PanelContext& context, Box box, Point origin);
    std::string draw_matrix(PanelContext& context, const Tensor& tensor, Box box, Point origin);
    void draw_arithmetic(PanelContext& context, Box box);
    void walk(PanelContext& context, WalkMove how);

    FlowCanvas cards_;
    CellPointer large_;
    ComparisonCanvas compared_;
    GraphCanvas graph_;
    Prediction& prediction_;
    /// The view that was left for the steps, and the matrix with which they began.
    struct ViewBefore {
        ViewId view;
        std::string chosen;
    };
    std::optional<ViewBefore> view_before_;
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
    void begin(const Pick& held) { is_on_ = true, held_before_ = held_last_ = held; }
    void end() { is_on_ = stays_ = false, prediction = {}, study.end(); }
    /// Lets no key and no button lead to the window, where the solutions of a lecture are.
    void stay() { stays_ = true; }
    bool stays() const { return stays_; }
    /// Returns what was held before the slides: their Esc does not release it.
    const Pick& held_before() const { return held_before_; }
    /// Called before each frame: what is held moves along with the steps, where no press has
    /// changed it.
    void follow(const Pick& held);

    /// Draws the slide over the whole window. `input` is the panel in which the text of its study
    /// is typed.
    void draw(PanelContext& context, const Slide& slide, Panel& input, const SlideRoom& room);
    /// Does what the keys of a keyboard or of a presenter's remote ask for, only while nothing else
    /// has them.
    void press_keys(PanelContext& context, const Slide& slide) const;
    /// Opens the field for the text over the foot. Enter and Esc close it.
    void ask_for_text() { is_text_asked_ = true; }

    /// Returns the zoom at which a slide fills a window of that size.
    float zoom(Point window) const { return text.value() * slide_zoom(window); }

    /// Returns the magnification around the pointer; 1: there is no magnifying glass. The wheel
    /// changes it.
    float magnified() const { return magnified_; }
    void set_magnified(float magnified) { magnified_ = magnified; }
    void turn_magnifying_glass() { magnified_ = magnified_ > 1 ? 1 : kMagnified; }

    TextZoom text{kMostSlideText};
    Prediction prediction;  // of steps and pages
    StudySlides study{prediction};
    Laser laser;

  private:
    // A larger text would leave the matrix less than half of the slide.
    static constexpr float kMostSlideText = 1.5f;
    static constexpr float kMagnified = 2;

    std::optional<Point> put_away_resting_pointer(std::uint64_t opening);
    void draw_text_field(PanelContext& context, Panel& input, Point size, float foot);

    bool is_on_ = false, stays_ = false;
    Pick held_before_, held_last_;
    int n_frames_since_press_ = 0;
    float magnified_ = 1;
    bool is_text_asked_ = false;
    float text_height_ = 0;          // of the field in the last frame; 0 while it is closed
    std::uint64_t opening_ = 0;      // of the slide that is seen
    std::optional<Point> rests_at_;  // the place of the pointer, since then
};

struct WorkbenchState;

/// Makes slides of what is looked at: the steps of the study, a view of its own, a page.
void begin_presentation(WorkbenchState& bench);
void turn_presentation(WorkbenchState& bench);
/// Returns the matrix of the slide that can be covered; null if it shows no single one.
const Tensor* predictable(const WorkbenchState& bench);
void turn_prediction(WorkbenchState& bench);
/// Lifts the cover of the matrix, or puts it back.
void turn_cover(WorkbenchState& bench);
void ask_for_text(WorkbenchState& bench);

}  // namespace headlight
