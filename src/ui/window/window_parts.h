// WindowParts: the panels, each in its part of the window; a folded part is a drawer over the
// middle.
#pragma once

#include <optional>
#include <vector>

#include "app_state/workspace.h"
#include "ui/input/keyboard_focus.h"
#include "ui/panels/panels.h"
#include "ui/pictures/graph_pointer.h"
#include "ui/window/window_places.h"
#include "ui/window/workbench_frame.h"

namespace headlight {

/// The first node of an empty graph: clicked and named before there is a picture of the graph.
///
/// Goals: it lies where the canvas was clicked. Not goals: other nodes (graph_pointer.h).
class FirstNode {
  public:
    /// The canvas of a graph without nodes: a click on it is named.
    void draw(PanelContext& context, Box box);

    /// Called once a frame, after the panels: puts the node in its place in the picture that now
    /// shows it.
    void put_in_place(Workspace& space, const Regions& regions);

  private:
    NodeNaming naming_;
    std::optional<Point> clicked_;  // in the window; absent: the node has its place
};

class WindowParts {
  public:
    /// The keyboard's focus is where the sides are scrolled to.
    explicit WindowParts(const KeyboardFocus& keyboard)
        : panels_(make_window_panels()), keyboard_(keyboard) {}

    void begin_frame() { backgrounds_.clear(); }
    /// The backgrounds of the parts drawn in this frame.
    const std::vector<PartBackground>& backgrounds() const { return backgrounds_; }

    /// Begins an ImGui window for that part; it lasts until ImGui::End.
    void begin(PanelContext& context, WindowPart part, const char* id, Box box, Color background);

    /// Begins such a window for the row of tabs.
    void begin_tabs(PanelContext& context, const Places& places);

    /// Draws the left and right sides for that workspace; folded ones are drawn by `draw_drawer`.
    void draw_sides(PanelContext& context, const Places& places, std::size_t workspace);
    /// Draws into the middle that was begun.
    void draw_middle(PanelContext& context, Box box, std::size_t workspace);
    void draw_bottom(PanelContext& context, const Places& places);
    /// Draws the explanation of the held cell, if it is asked for, over the half of a slide of that
    /// size that the cell is not in.
    void draw_over_slide(PanelContext& context, Point size);
    void draw_drawer(PanelContext& context, const Places& places, Drawer drawer,
                     std::size_t workspace);

    /// The panel in which a workspace's text is typed.
    Panel& input(std::size_t workspace) {
        return *(workspace == kTraining ? panels_.training : panels_.left[workspace]).front();
    }
    /// Returns the middle of the workspace that trains.
    Panel& training() { return *panels_.middle[kTraining]; }

  private:
    void draw_side(PanelContext& context, const Panels& panels);
    static constexpr std::size_t kTraining = 4;

    const Panels& right_panels(const PanelContext& context, std::size_t workspace) const;
    Panel& middle_panel(ViewId view, std::size_t workspace);
    void draw_heads(PanelContext& context);

    WindowPanels panels_;
    const KeyboardFocus& keyboard_;
    std::vector<PartBackground> backgrounds_;  // of this frame
};

/// Draws hair lines between the parts: over them, and under everything that opens over the window.
void draw_frame_lines(const Places& places, Point size, const Theme& theme);
/// Outlines highlighted cells wherever they are drawn, except under an open drawer.
void draw_highlights(const PanelContext& context, const Places& places, Drawer drawer);
/// Says what to do when there is nothing to attend to; the first node of a graph is named there.
void draw_empty(PanelContext& context, Box box, FirstNode& first_node);

}  // namespace headlight
