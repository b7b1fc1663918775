// Studies: the studies open in the window, one or more in the workspace of its kind, each in a tab;
// that of the training; and that of the page of a lecture. One is shown.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "io/studies/journal.h"
#include "scene/workspace.h"

namespace headlight {

/// The ready study that the program shows where no sentence was open when it was closed.
inline constexpr const char* kFirstStudy = "three-questions";

/// The numbers of open studies. The first one of each workspace has its place in WorkspaceKind.
using StudyNumber = std::size_t;

struct NumberedStudy {
    StudyNumber number = 0;  // its own while it is open; a journal knows it by that
    WorkspaceKind kind = WorkspaceKind::Sentence;
    std::unique_ptr<Workspace> space = {};  // it never moves
};

class Studies {
  public:
    /// The built-in ones, and the first task's. `wake` is called from another thread when something
    /// was computed.
    explicit Studies(std::function<void()> wake);

    WorkspaceKind kind() const { return shown_kind_; }  // of the shown study
    StudyNumber number() const { return shown_in_[place()]; }
    std::size_t place() const { return place_in_order(shown_kind_); }  // of its workspace
    Workspace& shown() { return at(shown_kind_); }
    const Workspace& shown() const { return *find(number())->space; }

    /// Shows the study of that workspace that was shown there last.
    void show(WorkspaceKind kind) { shown_kind_ = kind; }
    /// The same by the place of the workspace, the last one beyond their end.
    void show_place(std::size_t place);
    /// That study, which must be open, in its workspace.
    void show_number(StudyNumber number);
    /// The tab after the shown one, or before it, around the ends of the row.
    enum class Turn { Next, Previous };
    void turn(Turn to);

    /// The study of that workspace that is shown there.
    Workspace& at(WorkspaceKind kind) { return *find(shown_in_[place_in_order(kind)])->space; }
    const NumberedStudy* find(StudyNumber number) const;  // null: none has it
    std::span<const NumberedStudy> all() const { return open_; }
    /// Those of one workspace, in the order of their tabs.
    std::vector<const NumberedStudy*> tabs(WorkspaceKind kind) const;

    /// Opens one more study in its workspace and shows it there. Throws Error if there are too
    /// many.
    Workspace& add(Document document);
    /// A copy of the shown study beside it, of no file; what was not saved of it is not saved of
    /// the copy either. Throws Error if there are too many.
    void add_copy();
    /// Its neighbour is shown instead; where there is none, what the program begins with there.
    void close(StudyNumber number);
    /// Between two frames: what was closed is gone.
    void forget_closed() { closed_.clear(); }

    /// The study in a tab that is of that file; null if none is.
    const NumberedStudy* find_file(const std::filesystem::path& file) const;
    /// The first one with changes that are not saved, besides these, tab by tab of each workspace;
    /// null if there is none.
    const NumberedStudy* find_changed(const std::set<StudyNumber>& besides = {}) const;

    /// Before a frame: the shown study is compared with a tab as it is now.
    void follow_compared();

  private:
    static std::size_t place_in_order(WorkspaceKind kind) { return static_cast<std::size_t>(kind); }
    StudyNumber unused_number(WorkspaceKind kind) const;
    Workspace& add(WorkspaceKind kind, Document document);

    std::function<void()> wake_;
    std::vector<NumberedStudy> open_;
    std::vector<std::unique_ptr<Workspace>> closed_;  // a frame may still look at them
    std::array<StudyNumber, kWorkspaces> shown_in_{};
    WorkspaceKind shown_kind_ = WorkspaceKind::Sentence;
};

/// The most studies that are open at once, among them one of each workspace.
inline constexpr std::size_t kMostOpenStudies = kMostOpenWorks;

/// Studies whose work would be lost with them: not the page of a lecture.
inline bool is_kept(const NumberedStudy& study) {
    return study.kind != WorkspaceKind::Lecture;
}
/// Files are opened in such a workspace, in tabs.
inline bool has_tabs(WorkspaceKind kind) {
    return static_cast<std::size_t>(kind) < kFileWorkspaces;
}

/// What the studies of a workspace are called, in the order of their tabs, each otherwise: the name
/// of the file, the title of the graph, the beginning of the text.
std::vector<std::string> tab_names(const Studies& studies, WorkspaceKind kind);
std::string tab_name(const Studies& studies, const NumberedStudy& study);

/// What the shown study can be compared with; the other tabs of its workspace, too.
std::vector<ComparisonChoice> comparison_choices(const Studies& studies);

}  // namespace headlight
