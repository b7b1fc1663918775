#include "ui/window/file_desk.h"

#include <imgui.h>
#include <utility>

#include "core/error.h"
#include "core/out_of_memory.h"
#include "download/model_download.h"
#include "io/arrays/array_file.h"
#include "io/files/file.h"
#include "io/models/open_model.h"
#include "io/open_document.h"
#include "io/pictures/given_picture.h"
#include "io/studies/recent_files.h"

namespace headlight {

using Purpose = FileDialog::Purpose;

void FileDesk::open(Document document, const StudyFile& file) {
    ImGui::SetWindowFocus(nullptr);  // a field that is typed into would write its text over it
    studies_.show(workspace_for(document.study));
    const NumberedStudy* open = studies_.find_file(file.path);
    const bool is_again = open && open->kind == studies_.kind() && !has_changes(*open->space);
    if (is_again) studies_.show_number(open->number);
    const Workspace& shown = studies_.shown();
    const bool is_free = shown.file.empty() && !has_changes(shown);
    const bool is_in_shown = is_again || is_free || file.path.empty();
    Workspace& into = is_in_shown ? studies_.shown() : studies_.add(document);
    open_study(into, std::move(document), file);
    if (!file.notes.empty()) notice_.say(path_text(file.path.filename()) + ": " + file.notes);
    add_recent_file(recent_files_, file.path);
}

/// A study in a file of its own is shown as it is where it is open; what was read from something
/// else only if changes would be lost.
bool FileDesk::show_open(const std::filesystem::path& file) {
    const NumberedStudy* open = studies_.find_file(file);
    if (!open) return false;
    const bool is_changed = has_changes(*open->space);
    if (!is_changed && file.extension() != ".headlight") return false;
    ImGui::SetWindowFocus(nullptr);
    studies_.show_number(open->number);
    add_recent_file(recent_files_, file);
    if (is_changed)
        notice_.say(path_text(file.filename()) +
                        " is open with changes that are not saved; Ctrl+S saves them",
                    Notice::Kind::Done);
    return true;
}

/// As what a model reads: the study stays, and undo brings the picture before back.
bool FileDesk::give_picture_to_shown(const std::filesystem::path& file) {
    Workspace& shown = studies_.shown();
    const ImageStudy* image = shown.session.document().image();
    if (!image || !image->picture || !is_picture_file(file)) return false;
    ImageStudy study = *image;
    give_picture(study, file, image->picture->preparation);
    shown.session.end_gesture();
    shown.session.apply({.label = "Show " + path_text(file.filename()),
                         .change = [&](Document& document) { document.study = study; }});
    shown.session.end_gesture();
    return true;
}

void FileDesk::open_file(const std::filesystem::path& file) {
    if (file.extension() == ".lecture" && open_lecture_) {
        open_lecture_(file);
        return add_recent_file(recent_files_, file);
    }
    if (show_open(file) || give_picture_to_shown(file)) return;
    if (holds_matrices(file)) return import_from(file);
    const FileStamp on_disk = stamp_of_study(file);  // first: a change after that is noticed
    OpenedFile opened = need_memory_for("opening " + path_text(file.filename()),
                                        [&] { return open_document(file); });
    Document& document = opened.document;
    StudyFile of{file, on_disk, std::move(opened.notes), std::move(opened.view)};
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

void FileDesk::open_again(const WindowState& state) {
    for (const OpenFiles& files : state.files)
        again_.insert(again_.end(), files.names.begin(), files.names.end());
    shown_then_ = state.files;
    open_next_again();
    studies_.show_place(static_cast<std::size_t>(state.workspace));
}

/// The others wait for a graph that waits for its places. Each workspace shows the study that it
/// showed, as soon as that is open.
void FileDesk::open_next_again() {
    while (!again_.empty() && !opening_.is_running()) {
        const std::filesystem::path file = std::move(again_.front());
        again_.pop_front();
        try {
            open_file(file);
        } catch (const Error& error) {
            notice_.say("Last time's study cannot be opened: " + std::string(error.what()));
        }
    }
    for (const OpenFiles& files : *shown_then_)
        if (files.shown < files.names.size())
            if (const NumberedStudy* open = studies_.find_file(files.names[files.shown]))
                studies_.show_number(open->number);
    if (!opening_.is_running()) shown_then_.reset();
}

std::array<OpenFiles, kFileWorkspaces> FileDesk::open_files() const {
    std::array<OpenFiles, kFileWorkspaces> all;
    for (const NumberedStudy& study : studies_.all()) {
        if (!has_tabs(study.kind) || study.space->file.empty()) continue;
        std::error_code ignored;
        OpenFiles& files = all[static_cast<std::size_t>(study.kind)];
        if (study.space.get() == &studies_.at(study.kind)) files.shown = files.names.size();
        files.names.push_back(std::filesystem::absolute(study.space->file, ignored).string());
    }
    return all;
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

void FileDesk::ask_for_model() {
    if (getting_.is_running())
        throw Error("get", wanted_.model.name + " is being downloaded; cancel it first, or wait");
    models_.open();
}

/// What is there already is opened, without asking the network.
void FileDesk::get(const WantedModel& wanted) {
    if (is_model_folder(wanted.folder)) return open_file(wanted.folder);
    wanted_ = wanted;
    getting_.start(
        [wanted](Progress& progress) {
            download_model(
                headlight::ask_for_model(wanted.model, wanted.from, wanted.folder, progress),
                progress);
            return wanted.folder;
        },
        wake_);
}

/// What has come of a model stays in its folder.
void FileDesk::take_model() {
    try {
        open_file(getting_.take());
    } catch (const Cancelled&) {
        notice_.say(
            wanted_.model.name +
            " was not downloaded: it was cancelled. What has come stays for the next time.");
    } catch (const Error& error) {
        notice_.say(error);
    }
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
    go_on_closing();
}

void FileDesk::import_from(const std::filesystem::path& file) {
    import_.open(file, open_arrays(file), *plan(studies_.shown().session.document()));
}

bool FileDesk::ask_before_closing() {
    given_up_.clear();
    const bool asks = ask_about_next();
    closes_ = asks ? Closes::Window : Closes::Nothing;
    return asks;
}

void FileDesk::close(StudyNumber number) {
    const NumberedStudy& study = *studies_.find(number);
    if (!has_changes(*study.space)) return studies_.close(number);
    studies_.show_number(number);
    closes_ = Closes::Study;
    study_files_.ask_before_closing(tab_name(studies_, study), 0);
}

/// False if no study has changes that were not asked about.
bool FileDesk::ask_about_next() {
    const NumberedStudy* next = studies_.find_changed(given_up_);
    if (!next) return false;
    std::set<StudyNumber> others = given_up_;
    while (const NumberedStudy* other = studies_.find_changed(others)) others.insert(other->number);
    studies_.show_number(next->number);
    study_files_.ask_before_closing(tab_name(studies_, *next),
                                    others.size() - given_up_.size() - 1);
    return true;
}

/// What was asked about is saved or given up.
void FileDesk::go_on_closing() {
    if (closes_ == Closes::Study) {
        studies_.close(studies_.number());
        closes_ = Closes::Nothing;
    }
    if (closes_ == Closes::Window && !ask_about_next()) answer_ = Closing::Yes;
}

std::vector<std::filesystem::path> FileDesk::recent_files() const {
    return read_recent_files(recent_files_);
}

float FileDesk::draw_notice(PanelContext& context, Box box) {
    return study_files_.draw_notice(context, studies_.shown(), box);
}

FileDesk::Closing FileDesk::draw(PanelContext& context) {
    draw_question(context);
    dialog_.draw(context);
    draw_import(context);
    draw_models(context);
    if (!study_files_.asks() && !dialog_.is_open()) closes_ = Closes::Nothing;  // it stays
    return std::exchange(answer_, Closing::No);
}

/// Asks about closing with unsaved work, and about overwriting another program's changes.
void FileDesk::draw_question(PanelContext& context) {
    using Answer = StudyFiles::Answer;
    Workspace& space = studies_.shown();
    const Answer answer = study_files_.draw_question(context, space);
    try {
        if (answer == Answer::Save) save();
        if (answer == Answer::SaveAs) ask_where_to_save();
        if (answer == Answer::Overwrite) {
            save_study(space, space.file);
            go_on_closing();
        }
        if (answer == Answer::Reload) reload_study(space);
    } catch (const Error& error) {
        notice_.say(error);
    }
    if (answer != Answer::Close) return;
    given_up_.insert(studies_.number());
    go_on_closing();
}

void FileDesk::draw_models(PanelContext& context) {
    try {
        if (const auto wanted = models_.draw(context)) get(*wanted);
    } catch (const Error& error) {
        notice_.say(error);
    }
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
    take_opened();
}

void FileDesk::take_opened() {
    try {
        Document document = opening_.take();
        open(std::move(document), opened_);
    } catch (const Cancelled&) {
        notice_.say(path_text(opened_.path.filename()) + " was not opened: it was cancelled.");
    } catch (const Error& error) {
        notice_.say(error);
    }
}

/// A graph that was open last time takes its place, but not that of what is looked at meanwhile.
void FileDesk::advance() {
    if (getting_.is_ready()) take_model();
    if (!opening_.is_ready()) return;
    const StudyNumber looked_at = studies_.number();
    take_opened();
    if (!shown_then_) return;
    open_next_again();
    studies_.show_number(looked_at);
}

void FileDesk::wait() {
    while (is_opening()) {
        opening_.is_running() ? opening_.wait() : getting_.wait();
        advance();
    }
}

}  // namespace headlight
