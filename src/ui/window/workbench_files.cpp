// Workbench: the files of its studies, and what is kept of them for the next start.
#include <algorithm>
#include <imgui.h>

#include "core/error.h"
#include "io/files/file.h"
#include "io/studies/recent_files.h"
#include "ui/window/workbench.h"

namespace headlight {

void Workbench::open(Document document, const StudyFile& file) {
    shown_ = workspace_for(document.study);
    ImGui::SetWindowFocus(nullptr);  // a field that is typed into would write its text over it
    open_study(workspace(), std::move(document), file);
    if (!file.notes.empty()) notice_.say(path_text(file.path.filename()) + ": " + file.notes);
    add_recent_file(recent_files_, file.path);
}

void Workbench::use_state_folder(const std::filesystem::path& folder) {
    recent_files_ = folder / "recent.json";
    recovery_.start(folder / "unsaved", wake_);
}

void Workbench::restore(const WindowState& state) {
    theme_name_ = state.theme;
    zoom_ = std::clamp(state.zoom, kLeastTextZoom, kMostTextZoom);
    for (const std::string& file : state.files) {
        if (file.empty()) continue;
        try {
            open_file(std::filesystem::path(file));
        } catch (const Error& error) {
            notice_.say("Last time's study cannot be opened: " + std::string(error.what()));
        }
    }
    shown_ = std::min(static_cast<std::size_t>(state.workspace), workspaces_.size() - 1);
}

void Workbench::keep(WindowState& state) const {
    state.theme = theme_name_;
    state.zoom = zoom_;
    state.workspace = static_cast<int>(shown_);
    for (std::size_t i = 0; i < workspaces_.size(); ++i) {
        std::error_code ignored;
        const std::filesystem::path& file = workspaces_[i].file;
        state.files[i] = file.empty() ? "" : std::filesystem::absolute(file, ignored).string();
    }
}

/// Where the study is now, or that name if it is no study's yet; after a failure with the reason.
void Workbench::ask_where_to_save(const std::string& problem) {
    const std::filesystem::path& file = workspace().file;
    const bool is_study = is_in_file(workspace()) && file.extension() == ".headlight";
    dialogs_.file.ask(FileDialog::Purpose::Save, is_study ? file : "study.headlight");
    dialogs_.file.show_problem(problem);
}

/// Where that fails, it is asked where else.
void Workbench::save_here() {
    try {
        save_to(workspace().file);
    } catch (const Error& error) {
        ask_where_to_save(error.what());
    }
}

/// What somebody else has written is not written over unless the user says so.
void Workbench::save_to(const std::filesystem::path& file) {
    Workspace& space = workspace();
    if (file == space.file && is_changed(file, space.on_disk))
        return study_files_.ask_before_overwriting();
    save_study(space, file);
    add_recent_file(recent_files_, file);
}

/// Closing with unsaved work, saving over what somebody else has written, and what was not saved
/// when a window was killed.
void Workbench::draw_file_questions(PanelContext& context, WorkbenchWishes& wishes,
                                    bool close_asked) {
    const auto changed = std::ranges::find_if(workspaces_, has_changes);
    if (close_asked && changed != workspaces_.end()) {
        shown_ = static_cast<std::size_t>(changed - workspaces_.begin());
        study_files_.ask_before_closing();
    }
    wishes.stay_open = study_files_.keeps_open();
    using Answer = StudyFiles::Answer;
    const Answer answer = study_files_.draw_question(context, workspace());
    try {
        if (answer == Answer::Save) run(Commands{Command::Save});
        if (answer == Answer::SaveAs) ask_where_to_save();
        if (answer == Answer::Overwrite) save_study(workspace(), workspace().file);
        if (answer == Answer::Reload) reload_study(workspace());
    } catch (const Error& error) {
        notice_.say(error.what());
    }
    if (answer == Answer::Close) {
        recovery_.give_up();
        wishes.quit = true;
    }
    if (const auto shown = recovery_.draw(context, workspaces_)) shown_ = *shown;
    if (std::string message = recovery_.take_message(); !message.empty())
        notice_.say(std::move(message));
}

}  // namespace headlight
