// WorkbenchState: everything in the window that commands act on. Each member keeps its own rules.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "app_state/studies.h"
#include "app_state/training_view.h"
#include "ui/dialogs/dialog.h"
#include "ui/dialogs/palette.h"
#include "ui/dialogs/view_options_form.h"
#include "ui/panel.h"
#include "ui/presentation/presentation.h"
#include "ui/widgets/style.h"
#include "ui/window/animator.h"
#include "ui/window/comparison_bar.h"
#include "ui/window/figure_exporter.h"
#include "ui/window/file_actions.h"
#include "ui/window/lecture_editor.h"
#include "ui/window/notice.h"
#include "ui/window/top_bar.h"
#include "ui/window/window_places.h"

namespace headlight {

class HelpPage {
  public:
    /// Opens the page in the next frame, or closes it.
    void turn() { dialog_.is_open() ? dialog_.close() : dialog_.open(); }
    /// The keys of slides come first while one is presented.
    void draw(PanelContext& context, bool is_presenting);

  private:
    Dialog dialog_;
};

/// Work that goes on beside the window, or was ended by the user.
struct WorkState {
    enum class Phase { None, Running, Stopped } phase = Phase::None;
    std::string what;  // "blocks.3.attn.heads.0.pattern"
    double share = 0;
};

class WorkBar {
  public:
    enum class Answer { None, Cancel, Resume };

    /// Draws the bar over the foot of `box`, once the work has taken longer than a moment.
    Answer draw(PanelContext& context, const WorkState& state, Box box);
    bool offers_cancel() const { return offers_cancel_; }  // in the last frame

  private:
    Answer draw_contents(PanelContext& context, const WorkState& state) const;

    float running_secs_ = 0;
    bool offers_cancel_ = false;
};

struct WorkbenchState {
    /// `wake` asks for a frame from another thread.
    explicit WorkbenchState(const std::function<void()>& wake)
        : studies(wake),
          files(studies, notice, wake),
          job(wake),
          exports(job),
          training(wake),
          lecture(job, presentation.prediction) {
        files.open_lectures_with(
            [this](const std::filesystem::path& file) { open_lecture(*this, file); });
    }
    WorkbenchState(const WorkbenchState&) = delete;
    WorkbenchState& operator=(const WorkbenchState&) = delete;

    Workspace& space() { return studies.shown(); }
    const Workspace& space() const { return studies.shown(); }

    Requests requests;
    Notice notice;
    LackingScripts lacking;
    Studies studies;
    FileActions files;
    ExportJob job;  // the export that is being done
    FigureExporter exports;
    TrainingView training;
    Presentation presentation;
    LectureEditor lecture;
    ComparisonChooser chooser;
    Palette palette;
    ViewOptionsForm view_options;
    Animator animator;
    WorkBar work_bar;
    HelpPage help;
    Drawer drawer = Drawer::None;
    ThemeName theme = ThemeName::Light;
    TextZoom text;                                         // of the panels
    Point window;                                          // its size, without any zoom
    std::array<const Workspace*, kWorkspaces> followed{};  // each was shown there last
};

/// Called before a frame: ends what was under way in a study where another tab has taken its place.
void follow_shown(WorkbenchState& bench);

/// The first is true if the training is shown; the second, if it is, and no part of its network is
/// shown large.
bool trains(const WorkbenchState& bench);
bool shows_training(const WorkbenchState& bench);

float shown_zoom(const WorkbenchState& bench);
/// There must be a trace.
Scene make_scene(const WorkbenchState& bench);
/// Puts the training into the scene of a study that is trained.
void add_training(Scene& scene, const WorkbenchState& bench);

TopBarState top_bar_state(const WorkbenchState& bench);

/// The work in the background.
WorkState make_work_state(const WorkbenchState& bench);
void cancel_work(WorkbenchState& bench);

/// Does what Esc asks for: ends work, the slides or an open drawer; else releases what is held;
/// else ends the comparison.
void release(WorkbenchState& bench);

/// Draws the notice at the foot of the box: a message, else a change of the shown file. Returns the
/// height that the box loses. A notice that ends by itself, or that stands on a slide, takes none;
/// a slide leaves `notice_height` free for it.
float notice_height(const WorkbenchState& bench, float width);
float draw_notice(WorkbenchState& bench, PanelContext& context, Box box);

/// Returns what is shown, a lecture or a study, as a file.
OpenFile shown_file(WorkbenchState& bench);

/// Exports the pages of a lecture, else what the window shows.
void open_export(WorkbenchState& bench);
void repeat_export(WorkbenchState& bench);
void copy_picture(WorkbenchState& bench);

/// Chooses the study to compare with; a file that is asked for is compared with as well.
void choose_comparison(WorkbenchState& bench);
void draw_chooser(WorkbenchState& bench, PanelContext& context);

}  // namespace headlight
