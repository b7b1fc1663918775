// The window's contents: four workspaces, the panels around them, and what happens once a frame.
//
// Goals: apply edits → evaluate → draw; every message of a failed edit reaches the user, and the
// document is as it was.
// Not goals: windows, events, OpenGL (the frame loop's).
#pragma once

#include <filesystem>
#include <string>

#include "io/studies/window_state.h"
#include "ui/window/commands.h"
#include "ui/window/desks.h"
#include "ui/window/greeting.h"
#include "ui/window/recovery.h"
#include "ui/window/top_bar.h"
#include "ui/window/window_parts.h"
#include "ui/window/workbench_frame.h"

namespace headlight {

class Workbench {
  public:
    /// `wake` asks for a frame from another thread.
    explicit Workbench(std::function<void()> wake);

    /// Puts a study into its workspace and shows it.
    void open(Document document, const StudyFile& file) {
        desks_.files.open(std::move(document), file);
    }
    /// Throws Error; then nothing has happened. A graph without places is shown when it has them.
    void open_file(const std::filesystem::path& file) { desks_.files.open_file(file); }

    /// Throws what a frame cannot show: then what was begun in ImGui is not ended.
    FrameResult draw(WorkbenchFrame& frame);
    void give_memory_back();  // all but the studies: what is computed of the shown one is let go

    /// Theme, zoom, workspace and files. Of those that are not there any more a notice tells.
    void restore(const WindowState& state);
    void keep(WindowState& state) const;
    /// From now on unsaved work and recent files are kept there, and what is there is offered.
    void use_state_folder(const std::filesystem::path& folder);
    void greet() { greeting_.begin(); }  // the first start: three things to try, until one is

    void show_message(const std::string& message) { desks_.notice.say(message); }
    void set_theme(ThemeName theme) { desks_.theme = theme; }
    float zoom() const { return zoom_of(desks_); }
    /// The chosen matrix as a slide; the panels are away until the command "present".
    void present() { desks_.presentation.begin(selection()); }

    /// For scripts, pictures and tests.
    Workspace& workspace() { return desks_.space(); }
    Session& session() { return workspace().session; }
    Selection& selection() { return workspace().selection; }
    Comparison& comparison() { return workspace().comparison; }
    Scene scene() { return scene_of(desks_); }  // there must be a trace
    const Regions& regions() const { return regions_; }
    const std::string& message() const { return desks_.notice.text(); }
    const std::string& keyboard() const { return keyboard_.name(); }  // where it is
    bool is_computing();
    void finish_computing();

  private:
    void draw_panels(PanelContext& context, const WorkbenchFrame& frame);
    void draw_middle(PanelContext& context, Box box);
    void draw_slide(PanelContext& context, const WorkbenchFrame& frame);
    void draw_over(PanelContext& context, FrameResult& result);
    void draw_export(PanelContext& context);
    void draw_work(PanelContext& context, Box box);
    float draw_notice(PanelContext& context, Box box);  // returns its height
    void press_keys(PanelContext& context);
    void finish_frame(FrameResult& result);
    void photograph(FrameResult& result);
    TopBarState top_bar_state() const;

    bool do_requests();  // false if there were none
    void run(const std::function<void()>& found);
    void apply(Edits& edits, Session& session);

    std::function<void()> wake_;
    Desks desks_;
    Recovery recovery_;
    KeyboardFocus keyboard_;
    WindowParts parts_;
    Greeting greeting_;
    Regions regions_;
    bool had_popup_ = false;
};

}  // namespace headlight
