// The slide: one step of the computation for a hall, with everything else put away.
//
// Goals: it is the window's own world, alive under the pointer, drawn large; walking changes the
// selection and nothing else. Where a view of its own is looked at, such as the logits, that is the
// slide, and there are no steps. Not goals: how large, on which screen (the workbench's and the
// window's).
#pragma once

#include <optional>

#include "scene/figures/view_figure.h"
#include "scene/prediction.h"
#include "scene/walk.h"
#include "ui/pictures/comparison_canvas.h"
#include "ui/pictures/flow_canvas.h"
#include "ui/pictures/graph_canvas.h"
#include "ui/presentation/slide_text.h"

namespace headlight {

inline constexpr float kSlideFoot = 34;  // height of its last line, in points of the slide

/// The zoom at which a slide fills a window of that size, with about 40 lines of its smallest text.
float slide_zoom(Point window);

/// What is presented instead of the steps; absent: the steps are.
std::optional<FigureOf> presented_view(const Scene& scene);

class Slide {
  public:
    /// Over the whole window. `input` is the panel in which the study's text is typed.
    void draw(PanelContext& context, Panel& input, const SlideRoom& room);

    /// What the keys of a keyboard or of a presenter's remote ask for; only while nothing else has
    /// them.
    void press_keys(PanelContext& context);

    /// What keys and buttons ask for, for who finds it by its name. There must be a trace.
    void ask_for_text() { text_.ask(); }
    void change_covers();
    void turn_cover(const Tensor& chosen) { prediction_.turn(chosen); }

  private:
    struct Places {
        Box head, flow, arithmetic, foot;
    };

    void draw_step(PanelContext& context, const Places& places);
    void draw_compared(PanelContext& context, Box box);
    void draw_view(PanelContext& context, FigureOf view, Box box);
    void draw_head(PanelContext& context, const Tensor& tensor, Box box);
    void draw_large(PanelContext& context, const Tensor& tensor, Box box, Point origin);
    void draw_picture(PanelContext& context, Box box, Point origin);
    void draw_matrix(PanelContext& context, const Tensor& tensor, Box box, Point origin);
    void draw_arithmetic(PanelContext& context, Box box);
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

}  // namespace headlight
