// Studies: the studies open in the window, each in the workspace of its kind, that of the
// training, and that of the page of a lecture. One is shown.
#pragma once

#include <array>
#include <functional>
#include <span>

#include "scene/workspace.h"

namespace headlight {

class Studies {
  public:
    /// The built-in ones, and the first task's. `wake` is called from another thread when something
    /// was computed.
    explicit Studies(const std::function<void()>& wake);

    WorkspaceKind kind() const { return shown_; }  // of the shown study
    Workspace& shown() { return at(shown_); }
    const Workspace& shown() const { return spaces_[place_in_order(shown_)]; }
    void show(WorkspaceKind kind) { shown_ = kind; }

    Workspace& at(WorkspaceKind kind) { return spaces_[place_in_order(kind)]; }
    /// All workspaces, in the order of WorkspaceKind.
    std::span<Workspace> all() { return spaces_; }
    std::span<const Workspace> all() const { return spaces_; }
    /// Those that files are opened in.
    std::span<const Workspace> of_files() const { return all().first(kFileWorkspaces); }
    /// Those whose work would be lost; not the page of a lecture.
    std::span<const Workspace> kept() const { return all().first(kKeptWorkspaces); }

    /// Shows the workspace with that place among all of them, the last one beyond their end.
    void show_place(std::size_t place);
    std::size_t place() const { return place_in_order(shown_); }

    /// One with changes that are not saved is shown; false if there is none.
    bool show_changed();

  private:
    static std::size_t place_in_order(WorkspaceKind kind) { return static_cast<std::size_t>(kind); }

    std::array<Workspace, kWorkspaces> spaces_;
    WorkspaceKind shown_ = WorkspaceKind::Sentence;
};

}  // namespace headlight
