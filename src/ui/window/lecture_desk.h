// The lecture in the window, and what commands do with it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <utility>

#include "lecture/file/lecture_recovery.h"
#include "ui/lecture/lecture_closing.h"
#include "ui/lecture/lecture_exporter.h"
#include "ui/lecture/lecture_slide.h"
#include "ui/lecture/lecture_view.h"
#include "ui/lecture/speaker_desk.h"
#include "ui/window/top_bar.h"

namespace headlight {

struct Desks;

struct LectureDesk {
    /// `wake` asks for a frame from another thread.
    explicit LectureDesk(std::function<void()> wake) : exports(std::move(wake)) {}

    LectureBook book;
    PageCanvas page;
    LectureView view;
    LectureSlide slide;
    LectureRecovery recovery;
    LectureClosing closing;
    SpeakerDesk speaker;
    LectureExporter exports;
    std::uint64_t added_version = 0;  // of the book, when a page was added last
};

/// The workspace of lectures is shown; and a lecture is open in it.
bool shows_lectures(const Desks& desks);
bool shows_lecture(const Desks& desks);

// An open lecture with unsaved changes is asked about before another one takes its place.

/// Unsaved changes of the same file are shown: those that are open, or that a window left. Throws
/// Error; then nothing has happened.
void open_lecture(Desks& desks, const std::filesystem::path& file);
void start_lecture(Desks& desks);
/// One that comes with the program.
void open_lesson(Desks& desks, const std::string& name);
void close_lecture(Desks& desks);

/// What is seen in another workspace becomes a page behind the chosen one; a new lecture begins if
/// none is open.
void add_page(Desks& desks);
/// The same as the first page of a new lecture; what was just added to another one is taken back
/// there.
void add_page_to_new_lecture(Desks& desks);
/// What was changed on the page's study becomes part of the page.
void keep_changes(Desks& desks);
/// The study of the page as it is now, in its own workspace.
void open_page_study(Desks& desks);

/// Into the lecture's file; where it has none, it is asked where.
void save_lecture(Desks& desks);
void ask_where_to_save_lecture(Desks& desks);
/// The answers to the question that saving asks if another program has changed the file.
void overwrite_lecture(Desks& desks);
void reload_lecture(Desks& desks);

/// Asks for the file of the answers that were given.
void save_answers(Desks& desks);
/// All tasks begin anew, and all pages are as they are written.
void clear_answers(Desks& desks);

/// The last change: of the page's study as it is shown, else of the lecture.
void undo_on_page(Desks& desks);
void redo_on_page(Desks& desks);

/// That one is open with changes that are in no file; "" else.
std::string open_lecture_words(const Desks& desks);

/// The file of the lecture that is open, absolute; empty if it has none.
std::string lecture_file(const Desks& desks);
/// Opens the lecture that was open when the window was closed at that page, unless one is open;
/// shows what was shown before. A file that cannot be read is named in a notice.
void open_lecture_again(Desks& desks, const std::string& file, std::size_t page);
/// Unsaved lectures are kept in that folder from now on; one that a window left there is opened.
void keep_lectures(Desks& desks, const std::filesystem::path& folder);

/// What the top bar says of it.
TopBarState lecture_bar_state(const Desks& desks);
/// The theme of the frame: a page that is presented can ask for its own.
ThemeName theme_now(const Desks& desks);

/// Presents from the chosen page; all are as they are written.
void begin_lecture(Desks& desks);
/// Opens the speaker's window, or closes it; before the slides it begins to present.
void turn_speaker(Desks& desks);
/// The page on a whole window; the text of its study is typed in `input`.
struct PageSlide {
    PanelContext& context;
    Panel& input;
    SlideRoom room;
};
void draw_lecture_slide(Desks& desks, const PageSlide& page, FrameResult& result);
/// Once a frame: what is not saved is kept; while the lecture is presented, the second window
/// shows the speaker's notes.
void follow_lecture(Desks& desks, FrameResult& result);

/// The dialog that exports the lecture, and what comes of it.
void draw_lecture_export(Desks& desks, PanelContext& context);

/// Before a frame: the chosen page, opened.
void prepare_lecture(Desks& desks);

}  // namespace headlight
