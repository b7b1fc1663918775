// A dialog that asks for a file: a folder's entries to click, and a path to type.
//
// Goals: a hand on the keyboard needs nothing else: Tab completes what is typed, ↑ and ↓ step
// through the entries, Enter opens a folder or answers; nothing is replaced without a question.
// Not goals: making, renaming or removing anything.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/files/folder.h"
#include "ui/dialogs/dialog.h"
#include "ui/panel.h"

namespace headlight {

class FileDialog {
  public:
    enum class Purpose {
        Open,
        Import,
        Save,
        Export,
        Compare,
        Weights,
        SaveLecture,
        Answers,
        ClassAnswers
    };

    /// Handles the chosen path. If it throws Error, the dialog stays open and shows it.
    using Answer = std::function<void(const std::filesystem::path&)>;

    /// Opens in the next frame, with the path filled in.
    void ask(Purpose purpose, const std::filesystem::path& suggestion, Answer answer);
    bool is_open() const { return dialog_.is_open(); }
    /// Offers files that were opened last before the entries of a folder.
    void offer(std::vector<std::filesystem::path> recent) { recent_ = std::move(recent); }

    /// Shows why the question is asked once more.
    void show_problem(const std::string& problem) { problem_ = problem; }

    /// Called once a frame. Calls the answer when a path has been chosen.
    void draw(PanelContext& context);

  private:
    void enter(const std::filesystem::path& folder);
    bool is_shown(const FolderEntry& entry) const;
    void draw_exchange(PanelContext& context);
    void draw_switches(PanelContext& context);
    void draw_entries(PanelContext& context);
    void draw_recent(PanelContext& context);
    bool draw_entry(PanelContext& context, const FolderEntry& entry);
    bool draw_path(PanelContext& context);
    bool draw_buttons(PanelContext& context, const char* action);
    std::optional<std::filesystem::path> draw_window(PanelContext& context);
    std::optional<std::filesystem::path> take_path();
    bool opens_as_model(const std::filesystem::path& folder) const;
    bool writes() const;
    bool replaces() const;
    std::string stepped(const std::string& from, int by);

    Purpose purpose_ = Purpose::Open;
    Answer answer_;
    std::filesystem::path folder_;
    std::vector<FolderEntry> entries_;
    std::vector<std::filesystem::path> recent_;
    std::string name_, problem_;
    std::filesystem::path replaced_;  // the existing file that the dialog asks about
    bool shows_all_ = false, shows_hidden_ = false, has_stepped_ = false;
    Dialog dialog_;
    bool must_focus_ = false;
};

}  // namespace headlight
