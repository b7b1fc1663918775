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

#include "app_state/workspace.h"
#include "io/studies/journal.h"

namespace headlight {

/// The ready study that the program shows where no sentence was open when it was closed.
inline constexpr const char* kFirstStudy = "three-questions";
/// Returns that study; another one in a page that has left its weights out.
Document first_study();

/// The numbers of open studies. The first one of each workspace has its place in WorkspaceKind.
using StudyNumber = std::size_t;

struct NumberedStudy {
    StudyNumber number = 0;  // its own while it is open; a journal knows it by that
    WorkspaceKind kind = WorkspaceKind::Sentence;
    std::unique_ptr<Workspace> space = {};  // it never moves
};

class Studies {
  public:
    /// Opens the built-in studies, and the first task's. `wake` is called from another thread when
    /// something was computed.
    explicit Studies(std::function<void()> wake);

    WorkspaceKind kind() const { return shown_kind_; }  // of the shown study
    StudyNumber number() const { return shown_in_[place()]; }
    std::size_t place() const { return place_in_order(shown_kind_); }  // of its workspace
    Workspace& shown() { return at(shown_kind_); }
    const Workspace& shown() const { return *find(number())->space; }

    /// Shows the study of that workspace that was shown there last.
    void show(WorkspaceKind kind) { shown_kind_ = kind; }
    /// Shows the workspace at that place; a place beyond their end means the last one.
    void show_place(std::size_t place);
    /// Shows that study, which must be open, in its workspace.
    void show_number(StudyNumber number);
    /// Next is the tab after the shown one, Previous the one before it, around the ends of the row.
    enum class Turn { Next, Previous };
    void turn(Turn to);

    /// Returns the study of that workspace that is shown there.
    Workspace& at(WorkspaceKind kind) { return *find(shown_in_[place_in_order(kind)])->space; }
    const NumberedStudy* find(StudyNumber number) const;  // null: none has it
    std::span<const NumberedStudy> all() const { return open_; }
    /// Returns the studies of one workspace, in the order of their tabs.
    std::vector<const NumberedStudy*> tabs(WorkspaceKind kind) const;

    /// Opens one more study in its workspace and shows it there. Throws Error if there are too
    /// many.
    Workspace& add(Document document);
    /// Adds a copy of the shown study beside it, without a file; unsaved changes of the study are
    /// unsaved in the copy, too. Throws Error if there are too many.
    void add_copy();
    /// Closes a study. Its neighbour is shown instead; where there is none, the study that the
    /// program begins with there.
    void close(StudyNumber number);
    /// Lets go, between two frames, of the studies that were closed.
    void forget_closed() { closed_.clear(); }

    /// Returns the study in a tab that belongs to that file; null if none does.
    const NumberedStudy* find_file(const std::filesystem::path& file) const;
    /// Returns the first study with changes that are not saved, other than `besides`, tab by tab of
    /// each workspace; null if there is none.
    const NumberedStudy* find_changed(const std::set<StudyNumber>& besides = {}) const;

    /// Compares, before a frame, the shown study with the present state of a tab.
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

/// True of studies whose work would be lost with them; the page of a lecture is none of them.
inline bool is_kept(const NumberedStudy& study) {
    return study.kind != WorkspaceKind::Lecture;
}
/// True if files are opened in such a workspace, in tabs.
inline bool has_tabs(WorkspaceKind kind) {
    return static_cast<std::size_t>(kind) < kFileWorkspaces;
}

/// Names a study by its content: the beginning of the text, the title of the graph.
std::string content_name(const Document& document);
/// Returns the names of the studies of a workspace, in the order of their tabs, each different: the
/// name of the file, the title of the graph, the beginning of the text.
std::vector<std::string> tab_names(const Studies& studies, WorkspaceKind kind);
std::string tab_name(const Studies& studies, const NumberedStudy& study);

/// Returns what the shown study can be compared with, including the other tabs of its workspace.
std::vector<ComparisonChoice> comparison_choices(const Studies& studies);

}  // namespace headlight
