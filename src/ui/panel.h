// Panel: one part of the window, its tools for drawing, and the regions by which scripts find it.
// It reads a world that it cannot change, and asks for edits and requests.
#pragma once

#include <algorithm>
#include <functional>
#include <imgui.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "figure/cell_grid.h"
#include "model/changes.h"
#include "ui/compat.h"
#include "ui/fonts/fonts.h"
#include "ui/pictures/figure_view.h"
#include "ui/requests.h"
#include "views/scene.h"

namespace headlight {

class SweepRun;
class TrainingView;

class Painter {
  public:
    /// The view and the fonts outlive this.
    Painter(FigureView& view, Fonts& fonts)
        : view_(view), fonts_(fonts), measure_(fonts.measure()) {}

    /// Draws into the current ImGui window, the figure's origin at `at`; each of its points is
    /// `scale` points.
    void draw(const Figure& figure, Point at, float scale = 1) {
        view_.draw(figure, *ImGui::GetWindowDrawList(), {at.x, at.y}, scale);
    }
    /// Draws a figure that many frames show.
    void draw_kept(const KeptFigure& kept, const Box& place) {
        view_.draw_kept(kept, *ImGui::GetWindowDrawList(), place);
    }
    const MeasureText& measure() const { return measure_; }

    void push_font(Font font, float size) { fonts_.push(font, size); }
    void pop_font() { compat::pop_font(); }
    /// Returns text for ImGui to draw: right-to-left words in the order in which they are drawn.
    std::string drawn_text(const std::string& text, Font font) const {
        return fonts_.drawn_text(text, font);
    }
    void need_glyphs(const std::string& text) { fonts_.need_glyphs(text); }
    const std::vector<const Script*>& lacking_scripts() const { return fonts_.lacking_scripts(); }

  private:
    FigureView& view_;
    Fonts& fonts_;
    MeasureText measure_;
};

/// The parts of the window, in reading order.
enum class WindowPart { TopBar, Left, Middle, Bottom, Right };

/// Names: "button Undo", "field Heads", "tab Graph", "text Sentence", "node 9" … Cells of a
/// tensor's picture are found by its path.
class Regions {
  public:
    void clear() { *this = {}; }
    void add(const std::string& name, Box box) {
        boxes_[name] = box, parts_[name] = part_;
        has_popup_ = has_popup_ || part_ >= kPopup;
    }
    /// Adds the cells of a tensor's picture; if it is drawn more than once, the larger picture
    /// counts.
    void add_grid(const std::string& path, const CellGrid& grid);

    /// Adds very many things of one kind, whose names begin alike: each is looked up when it is
    /// sought.
    using Lookup = std::function<std::optional<Box>(std::string_view rest_of_name)>;
    void add_many(const std::string& name_begin, Lookup lookup);

    /// Assigns to that part everything that is added from now on.
    void begin_part(WindowPart part) { part_ = static_cast<int>(part); }
    /// Everything added between the two lies over the rest of the window, and only it is within
    /// reach.
    void begin_popup() { part_ += kPopup, top_part_ = std::max(top_part_, part_); }
    void end_popup() { part_ -= kPopup; }
    /// Begins a popup that asks for an answer; `end_popup` ends it.
    void begin_dialog() { begin_popup(), has_dialog_ = true; }
    bool has_popup() const { return has_popup_; }
    bool has_dialog() const { return has_dialog_; }
    /// Called at the end of a popup: true if Esc closes it, and not a list that is open over it.
    bool is_dismissed() const;
    bool is_in_popup(const std::string& name) const { return part_at(name) >= kPopup; }

    /// Returns the number of its part in the order in which one reads them; the name must be there.
    int part_at(const std::string& name) const;
    std::optional<Box> find(const std::string& name) const;
    /// Returns the visible part of a cell; nothing while it is out of view.
    std::optional<Box> find_cell(const std::string& path, Index row, Index column) const;
    const std::map<std::string, Box>& boxes() const { return boxes_; }

  private:
    static constexpr int kPopup = 1000;

    std::map<std::string, Box> boxes_;
    std::map<std::string, int> parts_;
    std::map<std::string, CellGrid> grids_;
    struct Many {
        Lookup lookup;
        int part;
    };
    std::map<std::string, Many> many_;
    int part_ = 0, top_part_ = 0;
    bool has_popup_ = false, has_dialog_ = false;
};

struct PanelContext {
    const Scene& scene;  // also what pictures of it read; its trace is empty where there is none
    const Trace* trace;  // the scene's; null: `error` says why, or it is being computed
    const Trace* whole;  // all sentences; `trace` is the page of one
    const std::optional<Error>& error;
    Selection& selection;  // the scene's: hover and pick, shared by all panels
    Edits& edits;          // applied after the frame …
    Requests& requests;    // … as are these, or by the panel that they concern
    Painter& painter;
    Regions& regions;
    const SweepRun& sweep;           // of the study's heads
    const TrainingView& training;    // of the workspace that trains …
    bool trains = false;             // … which is this one
    compat::PrivateUseCodes& codes;  // encodes characters beyond 16 bits for ImGui's text fields
    std::string keyboard = {};       // the name of the thing that has the keyboard
    bool is_on_slide = false;        // a field for text stands there by itself
    float least_main = 0;            // the area that the large picture must keep, in square points

    // Shortcuts to members of the scene.
    const Document& document = scene.document;
    const Components& components = scene.components;
    const Theme& theme = scene.theme;
    const Comparison& comparison = *scene.comparison;  // the comparison that the study is in
};

/// Members hold view state only (a drag, a text being typed).
struct Panel {
    virtual ~Panel() = default;
    virtual const char* title() const = 0;
    virtual const char* help() const = 0;  // says what is seen, and which equation it is
    virtual bool has_own_heading() const { return false; }  // else the title stands above it
    virtual void draw(PanelContext& context) = 0;
};

}  // namespace headlight
