// Recovery: keeps unsaved work in a journal, and offers the work that killed windows left there.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app_state/studies.h"
#include "app_state/training_view.h"
#include "io/studies/journal.h"
#include "model/strand.h"
#include "model/workers.h"
#include "present/file/lecture_work.h"
#include "ui/dialogs/dialog.h"
#include "ui/panel.h"

namespace headlight {

struct WorkbenchState;

/// The most that a crash can cost, besides the time of writing it.
inline constexpr double kAutosave_secs = 1;

class Autosave {
  public:
    explicit Autosave(std::filesystem::path journal);
    ~Autosave();  // returns when all is written
    Autosave(const Autosave&) = delete;
    Autosave& operator=(const Autosave&) = delete;

    /// Schedules the work to be written soon, unless newer work follows. A failed write is
    /// repeated.
    void post(UnsavedWork work);
    /// Waits until all that was posted is written, true; false if it cannot be.
    bool flush();
    /// Returns why the journal cannot be written now; empty if it can.
    std::string problem() const;

  private:
    double turn();
    void write();

    Journal journal_;
    mutable std::mutex mutex_;  // guards the members below
    std::optional<UnsavedWork> pending_;
    bool is_hurried_ = false;
    std::string problem_;
    std::chrono::steady_clock::time_point next_at_;  // of the turns alone
    Strand strand_;                                  // ends first
};

class Recovery {
  public:
    ~Recovery();

    /// Keeps journals in that folder; those left there are read beside the window. `wake` is called
    /// from another thread.
    void start(const std::filesystem::path& folder, const std::function<void()>& wake);

    /// Called once a frame. Changes of the studies and of the lecture are written soon; those of a
    /// training, which never stops changing, a while after the last time: its study after a minute,
    /// the state from which it can go on when it rests, and every ten seconds while it does not.
    void follow(WorkbenchState& bench);
    /// Returns the seconds until the training is to be written; infinite if there is nothing new in
    /// it.
    double secs_until_due(const Workspace& space, const TrainingView& training) const;

    /// Called once a frame. Draws the offer until it is answered. Recovered work is opened, each
    /// study in its tab, a training where it was, a lecture at its page, and that which was shown
    /// is shown; no other unsaved work makes way for it.
    void draw(PanelContext& context, WorkbenchState& bench);

    /// A message for the user, returned once.
    std::string take_message() { return std::exchange(message_, {}); }

    /// Called when the user closes the window and discards unsaved work.
    void give_up() { is_given_up_ = true; }

    bool is_reading() const { return reading_.is_running(); }
    void finish_reading();

  private:
    using Journals = std::vector<LeftJournal>;
    enum class Answer { None, Restore, SaveAsFile, Discard, Later };

    using Clock = std::chrono::steady_clock;

    bool is_due(StudyNumber number) const;
    bool has_changed(StudyNumber number, const Workspace& space) const;
    bool is_news(const Studies& studies) const;
    bool follow_lecture(const OpenLecture& lecture);
    void report_problem();
    Answer draw_offer(PanelContext& context, const LeftJournal& journal);
    void restore(const LeftJournal& journal, WorkbenchState& bench);
    void collect(const Studies& studies);
    double secs_until_kept(const TrainingView& training) const;

    bool save_as_files(const LeftJournal& journal);

    std::optional<Autosave> autosave_;
    UnsavedWork posted_;
    LectureWork lecture_work_;
    struct LectureAt {
        std::uint64_t version = 0;  // 0: nothing of it is unsaved
        std::size_t page = 0;

        bool operator==(const LectureAt&) const = default;
    };
    LectureAt posted_lecture_;
    std::optional<Clock::time_point> training_posted_at_, training_kept_at_;
    std::string told_problem_, message_;
    bool is_given_up_ = false;
    Background<Journals> reading_;
    Journals offers_;
    Dialog dialog_;  // about the first of them
};

}  // namespace headlight
