// The window's contents: four workspaces, the panels around them, and what happens once a frame.
//
// Goals: apply edits → evaluate → draw; every message of a failed edit reaches the user, and the
// document is as it was.
// Not goals: windows, events, OpenGL (the frame loop's).
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "io/studies/window_state.h"
#include "model/presets.h"
#include "scene/workspace.h"
#include "ui/dialogs/dialogs.h"
#include "ui/input/keyboard_focus.h"
#include "ui/panels/panels.h"
#include "ui/presentation/laser.h"
#include "ui/presentation/slide.h"
#include "ui/window/animator.h"
#include "ui/window/commands.h"
#include "ui/window/export_desk.h"
#include "ui/window/notice.h"
#include "ui/window/recovery.h"
#include "ui/window/study_files.h"
#include "ui/window/top_bar.h"
#include "ui/window/work_bar.h"
#include "ui/window/workbench_frame.h"

namespace headlight {

class Workbench {
  public:
    /// `wake` asks for a frame from another thread.
    explicit Workbench(std::function<void()> wake);

    /// Puts a study into its workspace and shows it.
    void open(Document document, const StudyFile& file);
    /// Throws Error; then nothing has happened. A graph without places is shown when it has them.
    void open_file(const std::filesystem::path& file);

    /// Throws what a frame cannot show: then what was begun in ImGui is not ended.
    WorkbenchWishes draw(WorkbenchFrame& frame);
    void give_memory_back();  // all but the studies: what is computed of the shown one is let go
    /// Opens a part by its path ("blocks.1.mlp"), the heads of all attentions (kAllHeads), the
    /// lines between words (kWordLines), or shows a matrix large. There must be a trace; throws
    /// Error if nothing is called so.
    void show(const std::string& name);

    /// Theme, zoom, workspace and files. Of those that are not there any more a notice tells.
    void restore(const WindowState& state);
    void keep(WindowState& state) const;
    /// From now on unsaved work and recent files are kept there, and what is there is offered.
    void use_state_folder(const std::filesystem::path& folder);
    void greet() { is_greeting_ = true; }  // the first start: three things to try, until one is

    /// Compares with what is called so in the chooser: "head 3", "before the last edit", "gatv2 on
    /// this graph". There must be a trace; throws Error if nothing is.
    void compare_with(const std::string& name);

    void show_message(const std::string& message) { notice_.say(message); }
    void set_theme(ThemeName theme) { theme_name_ = theme; }
    float zoom() const;
    /// The chosen matrix as a slide; the panels are away until the next Command::Present.
    void present();
    void go_to_step(std::size_t step);  // of the open part, from 0; there must be a trace

    /// For scripts, pictures and tests.
    Session& session() { return workspace().session; }
    Selection& selection() { return workspace().selection; }
    Scene scene();  // there must be a trace
    const Regions& regions() const { return regions_; }
    const std::string& message() const { return notice_.text(); }
    const std::string& keyboard() const { return keyboard_.name(); }  // where it is
    Comparison& comparison() { return workspace().comparison; }
    bool is_computing();
    void finish_computing();

  private:
    Workspace& workspace() { return workspaces_[shown_]; }
    void draw_panels(PanelContext& context, const WorkbenchFrame& frame);
    void draw_slide(PanelContext& context, const WorkbenchFrame& frame);
    void draw_laser(WorkbenchWishes& wishes);
    void begin_part(const char* id, Box box, Color ground);
    void draw_side(PanelContext& context, const Panels& panels);
    void draw_drawer(PanelContext& context, const Places& places);
    Panel* middle_panel();
    void draw_middle(PanelContext& context, Box box);
    void draw_bottom(PanelContext& context);
    float draw_greeting(PanelContext& context, Box box);
    void draw_work(PanelContext& context, Box box);
    float draw_notice(PanelContext& context, Box box);  // returns its height
    void draw_help(PanelContext& context);
    void draw_file_questions(PanelContext& context, WorkbenchWishes& wishes, bool close_asked);
    TopBarState top_bar_state();

    void run(const Commands& commands);
    void run(Command command);
    void run_view(Command command);
    void run_slide(Command command);
    void run_comparison(Command command);
    void run(const std::function<void()>& found);
    std::vector<PaletteEntry> palette_entries();
    void finish_opening();
    void cancel_work();
    void release();
    void start_study(const Preset& preset);
    void compare_with_file(const std::filesystem::path& file);
    void answer_chooser(PanelContext& context);
    std::vector<PaletteEntry> comparison_entries();
    void press_keys(PanelContext& context);
    void press_panel_keys(PanelContext& context);
    void apply(Edits& edits);
    void answer_dialog(PanelContext& context);
    void import_from(const std::filesystem::path& file);
    void answer_import(PanelContext& context);
    void save_here();
    void save_to(const std::filesystem::path& file);
    void ask_where_to_save(const std::string& problem = {});
    ExportedScene exported();
    void run_export(Command command);
    void draw_export(PanelContext& context);
    void photograph(WorkbenchWishes& wishes);

    std::function<void()> wake_;
    std::array<Workspace, 4> workspaces_;  // in the order of Study
    std::size_t shown_ = 0;
    WindowPanels panels_;
    Animator animator_;
    Dialogs dialogs_;
    ExportDesk exports_;
    WorkBar work_bar_;
    KeyboardFocus keyboard_;
    Regions regions_;
    std::vector<Ground> grounds_;  // of the frame
    ThemeName theme_name_ = ThemeName::Light;
    Slide slide_;
    Laser laser_;
    Drawer drawer_ = Drawer::None;
    Point window_;                                     // its size, without any zoom
    float zoom_ = 1, magnified_ = 1, slide_text_ = 1;  // the last: of what fills the window
    Notice notice_;
    OpeningStudy opening_;
    StudyFiles study_files_;
    std::filesystem::path recent_files_;  // the list of them; empty: none is kept
    Recovery recovery_;                   // ends before what it follows does
    bool is_presenting_ = false, is_greeting_ = false, asks_for_help_ = false, had_popup_ = false;
};

}  // namespace headlight
