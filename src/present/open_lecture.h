// OpenLecture: the lecture that is open in the window, its history, its file, the page that is
// open.
//
// Goals: every change is one step that can be undone and has a name. A change of the open page's
// study changes the lecture only if it is kept; the page still has it when one comes back. Not
// goals: drawing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app_state/workspace.h"
#include "io/files/file.h"
#include "model/history.h"
#include "present/lecture.h"
#include "present/page/page_figure.h"
#include "present/page/page_transition.h"
#include "present/tasks/task.h"

namespace headlight {

/// The changes that were made on pages while they were shown, and that are not in the lecture.
///
/// Goals: a page that one comes back to is as it was left. Not goals: being saved.
class LivePages {
  public:
    /// Keeps the changes of a page that is left. `content` stands for what the page shows in the
    /// lecture; with another one, nothing is restored.
    void keep(std::size_t page, std::uint64_t content, const Workspace& space);
    /// Restores the changes in the workspace in which the page was opened. Returns false if nothing
    /// was changed on it.
    bool restore(std::size_t page, std::uint64_t content, Workspace& space) const;

    /// Adds what was kept at an earlier time, for the pages of which nothing is kept now.
    void add(LivePages earlier) { pages_.merge(earlier.pages_); }

    bool has(std::size_t page) const { return pages_.contains(page); }
    void forget(std::size_t page) { pages_.erase(page); }
    void clear() { pages_.clear(); }

    /// Follows a change of the lecture: pages may have moved.
    void follow(const Lecture& before, const Lecture& now);

  private:
    struct Left {
        std::uint64_t content = 0;
        History history;
        Selection selection;
    };
    std::map<std::size_t, Left> pages_;
};

/// Returns the present place of the page; absent if it is gone.
std::optional<std::size_t> moved_page(const Lecture& before, const Lecture& now, std::size_t page);

using LectureHistory = HistoryOf<Lecture>;

class OpenLecture {
  public:
    bool is_open() const { return history_.has_value(); }
    /// `file` is empty for a lecture without a file; its studies lie in the folder. `on_disk` is
    /// the file that was read.
    void open(Lecture lecture, const std::filesystem::path& file, const FileStamp& on_disk = {});
    /// Opens a lecture with unsaved changes, with what can be undone and redone.
    void open_unsaved(LectureHistory history, std::shared_ptr<const Lecture> saved,
                      const std::filesystem::path& file, const FileStamp& on_disk);
    void close();

    const Lecture& lecture() const { return history_->state(); }
    const LectureHistory& history() const { return *history_; }
    /// Returns the lecture in its file, or as it began.
    const std::shared_ptr<const Lecture>& saved() const { return saved_; }
    /// Returns another number after each change; never that of an earlier state. 0: none was ever
    /// open.
    std::uint64_t version() const { return version_; }
    const std::filesystem::path& file() const { return file_; }
    std::string name() const;  // of the file, or the title

    /// Makes one step; steps of the same gesture, if it is not empty, are one together.
    void change(const std::string& label, const std::function<void(Lecture&)>& change,
                const std::string& gesture = {});
    void end_gesture() { history_->end_gesture(); }
    void undo();
    void redo();

    bool has_changes() const;
    /// True if another program has changed the file since it was read or written here.
    bool is_changed_on_disk();
    const FileStamp& on_disk() const { return on_disk_; }
    /// Saves the lecture. The old file is kept as its backup. If it throws Error, nothing has
    /// changed.
    void save(const std::filesystem::path& file);
    /// Reads the file as it is now, in one step that can be undone. If it throws Error, nothing has
    /// changed.
    void reload();

    /// Returns the page that is chosen; there is one unless the lecture is empty.
    std::size_t at() const { return at_; }
    void go_to(std::size_t page);

    /// The chosen page, opened into the workspace when it is another one or was changed. Opening
    /// never throws: `problem` says why a page cannot be opened.
    struct Shown {
        OpenPage page;
        std::string problem;            // "": it is open
        std::string text_problem = {};  // why values are missing, or the text cannot be read
        std::string task_problem = {};  // says that the task has no answer now
        PageText text = {};             // filled in with the study as it is now
        std::optional<PageTask> task = {};
        TaskText task_text = {};  // filled in; of what is judged as written, with its numbers
        Pick held = {};           // as the page is written
        std::string notes = {}, answer = {};  // for the speaker: filled in, of the task
        std::uint64_t opening = 0;            // another number each time that a page is opened
    };
    const Shown& show(Workspace& space);
    /// Takes the numbers in its text from what the workspace has computed since.
    void follow(Workspace& space);
    /// Lets the next page that is opened follow from what is seen: numbers run, or else rows appear
    /// one after another.
    void animate_next() { animates_next_ = true; }
    /// Advances the animation to that time, once a frame; the study follows. Returns how far it is,
    /// 1 when it is over.
    float advance(Workspace& space, double now_secs);

    /// Ends the animation at once: a change by hand begins at its end.
    void end_animation(Workspace& space);

    /// Opens the page again as the file has it; reopen_all does so for all pages, but keeps the
    /// given changes.
    void reopen();
    void reopen_all(LivePages changes = {});
    /// Returns the changes on all pages; the workspace is that of the open one.
    LivePages live_changes(const Workspace& space) const;
    /// True if its study was changed since it was opened; the change is not in the lecture.
    bool has_live_changes(std::size_t page) const;
    bool is_shown() const { return shown_version_ == version() && shown_at_ == at_; }
    const Shown& shown() const { return shown_; }
    bool is_animating() const { return is_animating_; }

    /// There is one once a page was shown.
    PageSource source() const;

    /// Adds a new page after the chosen one, which is then chosen.
    void add_page(LecturePage page, const std::string& label);

  private:
    void fill(Workspace& space);
    void fill_task(const Workspace& space, Faults& faults);
    std::uint64_t view_content() const;
    void open_shown(Workspace& space);
    void take_step(const std::function<bool()>& step);
    void begin_transition(Workspace& space, const Document& before, const Trace* trace);

    std::optional<LectureHistory> history_;  // absent: no lecture is open
    std::size_t at_ = 0;
    std::uint64_t version_ = 0;
    std::filesystem::path file_;
    FileStamp on_disk_;  // the file when it was last read or written here
    std::shared_ptr<const Lecture> saved_;

    std::unique_ptr<PageDocuments> documents_;
    std::uint64_t documents_version_ = 0;
    std::uint64_t shown_content_ = 0;  // of the directives that were opened
    Shown shown_;
    std::uint64_t shown_version_ = 0;  // 0: no page is open
    std::size_t shown_at_ = 0;
    std::uint64_t n_openings_ = 0;
    LivePages live_;
    std::shared_ptr<const Trace> filled_of_;  // the text was filled with its numbers
    /// The words of the task on the page as it is written, while its study is changed.
    struct WrittenTask {
        std::uint64_t version = 0, opening = 0;
        TaskText text = {};
        Faults faults = {};
    };
    WrittenTask written_task_;

    bool animates_next_ = false;
    std::optional<PageTransition> transition_;  // absent: rows appear
    bool is_animating_ = false;
    std::optional<double> began_at_secs_;  // the first frame of it
    double transition_secs_ = 0;
};

}  // namespace headlight
