// A dialog that asks for a file: a folder's entries to click, and a path to type.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ui/panel.h"

namespace headlight {

class FileDialog {
  public:
    enum class Purpose { Open, Import, Save, Export, Compare };

    /// Opens in the next frame, with the path filled in.
    void ask(Purpose purpose, const std::filesystem::path& suggestion);

    /// What could not be done with the path; the dialog stays open and shows it.
    void show_problem(const std::string& problem) { problem_ = problem; }
    void close() { is_open_ = false; }

    struct Answer {
        Purpose purpose;
        std::filesystem::path path;
    };
    /// Once a frame. The answer when there is one; close() ends the dialog.
    std::optional<Answer> draw(PanelContext& context);

  private:
    void enter(const std::filesystem::path& folder);
    void draw_entries(PanelContext& context);
    bool draw_path(PanelContext& context);

    struct Entry {
        std::string name;
        bool is_folder = false;
    };

    Purpose purpose_ = Purpose::Open;
    std::filesystem::path folder_;
    std::vector<Entry> entries_;
    std::string name_, problem_;
    bool is_open_ = false, must_open_ = false;
};

}  // namespace headlight
