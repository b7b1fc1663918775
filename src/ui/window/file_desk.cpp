#include "ui/window/file_desk.h"

#include <imgui.h>
#include <utility>

#include "core/error.h"
#include "core/out_of_memory.h"
#include "io/arrays/array_file.h"
#include "io/files/file.h"
#include "io/open_document.h"
#include "io/studies/recent_files.h"

namespace headlight {

using Purpose = FileDialog::Purpose;

void FileDesk::open(Document document, const StudyFile& file) {
    studies_.show(workspace_for(document.study));
    ImGui::SetWindowFocus(nullptr);  // a field that is typed into would write its text over it
    open_study(studies_.shown(), std::move(document), file);
    if (!file.notes.empty()) notice_.say(path_text(file.path.filename()) + ": " + file.notes);
    add_recent_file(recent_files_, file.path);
}

void FileDesk::open_file(const std::filesystem::path& file) {
    if (file.extension() == ".lecture" && open_lecture_) {
        open_lecture_(file);
        return add_recent_file(recent_files_, file);
    }
    if (holds_matrices(file)) return import_from(file);
    const FileStamp on_disk = stamp_of_study(file);  // first: a change after that is noticed
    OpenedFile opened = need_memory_for("opening " + path_text(file.filename()),
                                        [&] { return open_document(file); });
    Document& document = opened.document;
    StudyFile of{file, on_disk, std::move(opened.notes)};
    static_cast<void>(plan(document));  // a study that cannot be evaluated is not opened
    if (!needs_places(document)) return open(std::move(document), of);
    give_up_opening();
    opened_ = std::move(of);
    opening_.start(
        [document = std::move(document)](Progress& progress) mutable {
            give_places(document, &progress);
            return std::move(document);
        },
        wake_);
}

void FileDesk::open_again(const std::array<std::string, kFileWorkspaces>& files) {
    for (const std::string& file : files) {
        if (file.empty()) continue;
        try {
            open_file(std::filesystem::path(file));
        } catch (const Error& error) {
            notice_.say("Last time's study cannot be opened: " + std::string(error.what()));
        }
    }
}

std::array<std::string, kFileWorkspaces> FileDesk::open_files() const {
    std::array<std::string, kFileWorkspaces> files;
    const auto spaces = std::as_const(studies_).of_files();
    for (std::size_t i = 0; i < files.size(); ++i) {
        std::error_code ignored;
        const std::filesystem::path& file = spaces[i].file;
        files[i] = file.empty() ? "" : std::filesystem::absolute(file, ignored).string();
    }
    return files;
}

/// The study's, or a name for it if it was read from something else.
std::filesystem::path FileDesk::own_file() const {
    const std::filesystem::path& file = studies_.shown().file;
    return file.extension() == ".headlight" ? file : "study.headlight";
}

void FileDesk::ask_to_open() {
    dialog_.offer(recent_files());
    dialog_.ask(Purpose::Open, own_file(),
                [this](const std::filesystem::path& file) { open_file(file); });
}

void FileDesk::ask_to_import() {
    dialog_.ask(Purpose::Import, own_file().parent_path() / "",
                [this](const std::filesystem::path& file) { import_from(file); });
}

void FileDesk::ask_where_to_save(const std::string& problem) {
    const bool has_own = is_in_file(studies_.shown());
    dialog_.ask(Purpose::Save, has_own ? own_file() : "study.headlight",
                [this](const std::filesystem::path& file) { save_to(file); });
    dialog_.show_problem(problem);
}

void FileDesk::save() {
    const Workspace& space = studies_.shown();
    if (space.file != own_file() || !is_in_file(space)) return ask_where_to_save();
    try {
        save_to(space.file);
    } catch (const Error& error) {
        ask_where_to_save(error.what());
    }
}

/// Changes by another program are not overwritten unless the user says so.
void FileDesk::save_to(const std::filesystem::path& file) {
    Workspace& space = studies_.shown();
    if (file == space.file && is_changed(file, space.on_disk))
        return study_files_.ask_before_overwriting();
    save_study(space, file);
    add_recent_file(recent_files_, file);
}

void FileDesk::import_from(const std::filesystem::path& file) {
    import_.open(file, open_arrays(file), *plan(studies_.shown().session.document()));
}

bool FileDesk::ask_before_closing() {
    if (!studies_.show_changed()) return false;
    study_files_.ask_before_closing();
    return true;
}

std::vector<std::filesystem::path> FileDesk::recent_files() const {
    return read_recent_files(recent_files_);
}

float FileDesk::draw_notice(PanelContext& context, Box box) {
    return study_files_.draw_notice(context, studies_.shown(), box);
}

FileDesk::Closing FileDesk::draw(PanelContext& context) {
    const Closing closing = draw_question(context);
    dialog_.draw(context);
    draw_import(context);
    return closing;
}

/// Asks about closing with unsaved work, and about overwriting another program's changes.
FileDesk::Closing FileDesk::draw_question(PanelContext& context) {
    using Answer = StudyFiles::Answer;
    Workspace& space = studies_.shown();
    const Answer answer = study_files_.draw_question(context, space);
    try {
        if (answer == Answer::Save) save();
        if (answer == Answer::SaveAs) ask_where_to_save();
        if (answer == Answer::Overwrite) save_study(space, space.file);
        if (answer == Answer::Reload) reload_study(space);
    } catch (const Error& error) {
        notice_.say(error.what());
    }
    return answer == Answer::Close ? Closing::WithoutSaving : Closing::No;
}

void FileDesk::draw_import(PanelContext& context) {
    const auto edit = import_.draw(context);
    if (!edit) return;
    try {
        studies_.shown().session.apply(*edit);
        import_.finish();
    } catch (const Error& error) {
        import_.show_problem(error.what());
    }
}

/// The file that was asked for last is the one that is opened.
void FileDesk::give_up_opening() {
    if (!opening_.is_running()) return;
    opening_.cancel();
    opening_.wait();
    advance();
}

void FileDesk::advance() {
    if (!opening_.is_ready()) return;
    try {
        Document document = opening_.take();
        open(std::move(document), opened_);
    } catch (const Cancelled&) {
        notice_.say(path_text(opened_.path.filename()) + " was not opened: it was cancelled.");
    } catch (const Error& error) {
        notice_.say(error.what());
    }
}

void FileDesk::wait() {
    if (!opening_.is_running()) return;
    opening_.wait();
    advance();
}

}  // namespace headlight
