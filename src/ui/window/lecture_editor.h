// The lecture in the window, and the commands about it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <utility>

#include "present/file/lecture_work.h"
#include "present/open_lecture.h"
#include "present/page/page_thumbnails.h"
#include "ui/lecture/class_slide.h"
#include "ui/lecture/lecture_exporter.h"
#include "ui/lecture/lecture_view.h"
#include "ui/panel.h"
#include "ui/window/file_actions.h"
#include "ui/window/top_bar.h"
#include "ui/window/workbench_frame.h"

namespace headlight {

struct WorkbenchState;

class SpeakerWindow {
  public:
    bool is_open() const { return is_open_; }
    void turn() { is_open_ = !is_open_; }
    void close() { is_open_ = false; }

    /// Presents the lecture from that page on. The clock runs from its beginning: it is set to 0 on
    /// the first page, or if it does not run.
    void begin(std::size_t page, double now_secs) {
        if (page == 0 || !began_at_secs_) began_at_secs_ = now_secs;
    }
    void stop_clock() { began_at_secs_.reset(); }

    /// Returns the content of the window at that time, in seconds of any clock; none while it is
    /// closed. The lecture and the thumbnails outlive the frame; these are drawn in `theme`.
    SecondPicture picture(const OpenLecture& lecture, const PageThumbnails& thumbnails,
                          const Theme& theme, double now_secs) const;
    /// Returns the seconds until the time that it shows is another one; infinite while it is
    /// closed.
    double secs_until_due(double now_secs) const;

  private:
    double elapsed_secs(double now_secs) const;

    bool is_open_ = false;
    std::optional<double> began_at_secs_;
};

struct LectureEditor {
    LectureEditor(ExportJob& job, Prediction& prediction) : page(prediction), exports(job) {}

    OpenLecture opened;
    PageCanvas page;
    ClassSlide of_class;
    LectureView view;
    SpeakerWindow speaker;
    LectureExporter exports;
    std::uint64_t added_version = 0;  // of the lecture, when a page was added last
    /// The changes that were taken away with the answers that were cleared last.
    struct Cleared {
        LivePages changes;          // of the studies of pages
        std::uint64_t version = 0;  // of the lecture
    };
    Cleared cleared;
    AnswerSheet saved_answers;  // as they were saved last
};

/// The first is true if the workspace of lectures is shown; the second, if a lecture is open in it.
bool shows_lectures(const WorkbenchState& bench);
bool shows_lecture(const WorkbenchState& bench);

// An open lecture with unsaved changes is asked about before another one takes its place.

/// Opens a lecture; one that is open is shown with its changes. Throws Error; then nothing has
/// happened.
void open_lecture(WorkbenchState& bench, const std::filesystem::path& file);
void start_lecture(WorkbenchState& bench);
/// Opens a lecture that comes with the program.
void open_lesson(WorkbenchState& bench, const std::string& name);
void close_lecture(WorkbenchState& bench);

/// Makes a page of what is seen in another workspace, after the chosen one; a new lecture begins if
/// none is open.
void add_page(WorkbenchState& bench);
/// Makes such a page the first one of a new lecture. If it was just added to another lecture, it is
/// taken back there.
void add_page_to_new_lecture(WorkbenchState& bench);
/// Makes the changes of the page's study part of the page.
void keep_changes(WorkbenchState& bench);
/// Opens the study of the page as it is now, in its own workspace.
void open_page_study(WorkbenchState& bench);

/// Returns the lecture, which must be open, as a file.
OpenFile lecture_file(WorkbenchState& bench);
/// Opens an unsaved lecture that a window left, at its page. Throws Error if that of this window
/// has unsaved changes, or it cannot be read; then nothing has happened.
void restore_lecture(WorkbenchState& bench, const OpenText& work);

/// Asks for the file of the answers that were given.
void save_answers(WorkbenchState& bench);
/// Begins all tasks anew, with all pages as they are written.
void clear_answers(WorkbenchState& bench);
/// Brings back the answers. Answers and changes made since stay.
void bring_answers_back(WorkbenchState& bench);

/// Copies the code of the answer to the shown page.
void copy_answer_code(WorkbenchState& bench);
/// Shows the answers of the class in place of the page, or the page again.
void turn_class_answers(WorkbenchState& bench);
/// Takes a pasted text in, if codes are in it or the answers of the class are shown. Returns false
/// if the text is meant for something else.
bool paste_class_answers(WorkbenchState& bench, const std::string& text);
/// Asks for a file or a folder with answers of the class.
void ask_for_class_files(WorkbenchState& bench);
/// Takes in a file that was dropped on the answers of the class, or saved answers that were dropped
/// on a slide. Returns false if the file is meant for something else. Throws Error if it is a
/// folder that cannot be read.
bool take_dropped_answers(WorkbenchState& bench, const std::filesystem::path& file);

/// Undoes the last change: of the page's study as it is shown, else of the answers, if they were
/// cleared and nothing was done since, else of the lecture.
void undo_on_page(WorkbenchState& bench);
void redo_on_page(WorkbenchState& bench);

/// Opens the lecture that was open when the window was closed at that page, unless one is open;
/// shows what was shown before. A file that cannot be read is named in a notice.
void open_lecture_again(WorkbenchState& bench, const std::string& file, std::size_t page);

/// Returns the state of the top bar for the lecture.
TopBarState lecture_bar_state(const WorkbenchState& bench);
/// Returns the theme of the frame: a page that is presented can ask for its own.
ThemeName theme_now(const WorkbenchState& bench);

/// Presents from the chosen page, with all pages as they are written.
void begin_lecture(WorkbenchState& bench);
/// Opens the speaker's window, or closes it; before the slides it begins to present.
void turn_speaker(WorkbenchState& bench);
/// Notes that the window is gone; where it has no place, says why.
void end_speaker(WorkbenchState& bench, SecondEnd end);
/// Called once a frame: while the lecture is presented, the second window shows the speaker's
/// notes.
void follow_lecture(WorkbenchState& bench, FrameResult& result);

/// Opens the chosen page before a frame.
void prepare_lecture(WorkbenchState& bench);

}  // namespace headlight
