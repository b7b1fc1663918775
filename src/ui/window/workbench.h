// The window's contents: five workspaces, the panels around them, and the work of each frame.
//
// Goals: apply edits → evaluate → draw; every message of a failed edit reaches the user, and the
// document is as it was.
// Not goals: windows, events, OpenGL (the frame loop's).
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "app_state/training_view.h"
#include "io/studies/window_state.h"
#include "ui/panel.h"
#include "ui/presentation/presentation.h"
#include "ui/tabs/tab_row.h"
#include "ui/window/commands.h"
#include "ui/window/recovery.h"
#include "ui/window/top_bar.h"
#include "ui/window/window_parts.h"
#include "ui/window/window_places.h"
#include "ui/window/workbench_frame.h"
#include "ui/window/workbench_state.h"

namespace headlight {

class Greeting {
  public:
    void begin() { is_shown_ = true; }
    /// Called when one of the suggestions was tried.
    void end() { is_shown_ = false; }

    /// Draws at the foot of the box. Returns its height, 0 after it has ended.
    float draw(PanelContext& context, Box box) const;

  private:
    bool is_shown_ = false;
};

class Workbench {
  public:
    /// `wake` asks for a frame from another thread.
    explicit Workbench(std::function<void()> wake);

    /// Puts a study into its workspace and shows it.
    void open(Document document, const StudyFile& file) {
        bench_.files.open(std::move(document), file);
    }
    /// Opens a file. Throws Error; then nothing has happened. A graph without places is shown when
    /// it has them.
    void open_file(const std::filesystem::path& file) { bench_.files.open_file(file); }
    /// Opens a file that was dropped on the window, or takes the answers in it in. Throws Error.
    void take_dropped(const std::filesystem::path& file) {
        if (!take_dropped_answers(bench_, file)) open_file(file);
    }

    /// Throws errors that a frame cannot show; ImGui's windows are then not ended.
    FrameResult draw(WorkbenchFrame& frame);
    void give_memory_back();  // releases everything computed, but not the studies

    /// Restores theme, zoom, workspace and files. A notice names files that no longer exist.
    void restore(const WindowState& state);
    /// Opens a lesson that comes with the program. Throws Error if there is none of that name.
    void begin_lesson(const std::string& name) { open_lesson(bench_, name); }
    /// Returns which page of a lecture is shown; nothing while no lecture is.
    std::optional<std::size_t> lecture_page() const;
    /// True while tasks of the open lecture have answers that are in no file.
    bool has_unsaved_answers() const;
    /// Shows a page of the open lecture; the last one if there are fewer.
    void show_lecture_page(std::size_t page);
    /// Restores a lecture, unless unsaved work on one is open.
    void restore_lecture(const WindowState& state);
    void keep(WindowState& state) const;
    /// Keeps unsaved work and recent files in that folder from now on, and offers the work that is
    /// in it.
    void use_state_folder(const std::filesystem::path& folder);
    void greet() { greeting_.begin(); }  // the first start: three things to try, until one is

    void show_message(const std::string& message) { bench_.notice.say(message); }
    void show_message(const Error& error) { bench_.notice.say(error); }
    void set_theme(ThemeName theme) { bench_.theme = theme; }
    float zoom() const { return shown_zoom(bench_); }
    /// Shows the training of a task, and plays. `change` changes its recipe.
    void train(const TaskEntry& task, const std::function<void(Recipe&)>& change);
    bool plays_training() const { return bench_.training.is_running(); }
    /// Presents what is looked at as a slide; the panels are away until the command "present".
    void present() { begin_presentation(bench_); }
    /// Presents a lecture to those who are to solve its tasks: if it has any, they cannot leave.
    void hand_out();

    /// These are for scripts, pictures and tests.
    Workspace& workspace() { return bench_.space(); }
    Session& session() { return workspace().session; }
    Selection& selection() { return workspace().selection; }
    ComparisonRun& comparison() { return workspace().comparison; }
    const TrainingView& training() const { return bench_.training; }
    Scene scene() { return make_scene(bench_); }  // there must be a trace
    const Regions& regions() const { return regions_; }
    std::string undo_label() const { return top_bar_state(bench_).undo_label; }
    const std::string& message() const { return bench_.notice.text(); }
    const std::string& keyboard() const { return keyboard_.name(); }  // the focused thing
    bool is_computing();
    void finish_computing();

  private:
    void prepare_shown();
    void mark_changed_rows(Workspace& space);
    void ask_before_closing();
    void draw_shown(PanelContext& context, const WorkbenchFrame& frame, FrameResult& result);
    void draw_panels(PanelContext& context, const WorkbenchFrame& frame);
    void draw_top(PanelContext& context, const Places& places, std::span<const StudyTab> tabs,
                  Drawer& drawer);
    void draw_middle(PanelContext& context, Box box);
    void draw_slide(PanelContext& context, const WorkbenchFrame& frame);
    Slide make_slide(PanelContext& context);
    void draw_lecture(PanelContext& context, const WorkbenchFrame& frame, FrameResult& result);
    void draw_over(PanelContext& context, FrameResult& result);
    void draw_view_options(PanelContext& context);
    void draw_export(PanelContext& context);
    void draw_work(PanelContext& context, Box box);
    bool waits_for_field(CommandId command);
    void press_keys(PanelContext& context);
    void press_keys_over_list(PanelContext& context);
    void end_page_animation();
    void finish_frame(FrameResult& result);
    void photograph(FrameResult& result);

    bool do_requests();  // false if there were none
    void run(const std::function<void()>& found);
    void apply(Edits& edits, Session& session);

    std::function<void()> wake_;
    WorkbenchState bench_;
    Recovery recovery_;
    KeyboardFocus keyboard_;
    WindowParts parts_;
    Greeting greeting_;
    Regions regions_;
    TabRow tab_row_;
    struct {
        StableHeight notice, greeting;
    } room_;
    Commands after_field_;      // done in the next frame, after a field has taken its text over
    float lecture_notice_ = 0;  // the height of the notice below a lecture
    FirstNode first_node_;      // of a graph without nodes
    bool had_popup_ = false;
};

}  // namespace headlight
