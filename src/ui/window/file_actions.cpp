#include "ui/window/file_actions.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <iterator>
#include <set>
#include <utility>

#include "core/error.h"
#include "download/model_download.h"
#include "io/arrays/array_file.h"
#include "io/files/file.h"
#include "io/files/folder.h"
#include "io/models/open_model.h"
#include "io/open_document.h"
#include "io/pictures/given_picture.h"
#include "io/studies/window_state.h"
#include "ui/compat.h"
#include "ui/dialogs/file_question.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr const char* kModelTitle = "Get a model";
constexpr float kModelRow = 24, kModelPad = 8, kFieldLabel = 72, kModelWhat = 196;

/// Returns the address of the model's page, and the terms on which it is given.
std::string about_model(const KnownModel& model) {
    return fmt::format("{}/{} · licence: {}", kHub, model.repository,
                       model.licence.empty() ? "as its page says" : model.licence);
}

std::string folder_for(const std::string& name) {
    std::error_code ignored;
    return std::filesystem::absolute(name, ignored).native();
}

}  // namespace

void ModelDialog::open() {
    if (name_.empty()) choose(known_models().front().name);
    if (from_.empty()) from_ = usual_source();
    problem_.clear();
    dialog_.open();
}

void ModelDialog::choose(const std::string& name) {
    name_ = name;
    folder_ = folder_for(name.substr(name.find('/') + 1));
    problem_.clear();
}

std::optional<WantedModel> ModelDialog::draw(PanelContext& context) {
    if (!dialog_.begin(context, {.title = kModelTitle, .size = {620, 580}})) return std::nullopt;
    widgets::hint(
        context,
        "Downloads a pretrained model and opens it. Nothing is asked of the network "
        "before you press Get. A download that was interrupted goes on where it stopped.");
    draw_models(context);
    draw_details(context);
    const std::optional<WantedModel> wanted = draw_buttons(context);
    if (wanted) dialog_.close();
    dialog_.end(context);
    return wanted;
}

void ModelDialog::draw_models(PanelContext& context) {
    const float height = -5.4f * ImGui::GetFrameHeightWithSpacing();
    compat::begin_child("models", {0, height}, compat::Border::Yes);
    for (const KnownModel& model : known_models()) draw_row(context, model);
    ImGui::EndChild();
}

/// Draws its name and description; its size at the right.
void ModelDialog::draw_row(PanelContext& context, const KnownModel& model) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    if (ImGui::Selectable(("##" + model.name).c_str(), model.name == name_, 0, {width, kModelRow}))
        choose(model.name);
    widgets::name_item(context, "model " + model.name);
    const auto text = [&](Point place, const std::string& words, float size, Font font) {
        return TextMark{place, words, size, context.theme.muted, font};
    };
    Figure figure{width, kModelRow, {}};
    TextMark name = text({kModelPad, 17}, model.name, 13, Font::Bold);
    name.color = context.theme.text;
    figure.add(std::move(name));
    TextMark size =
        text({width - kModelPad, 17}, size_text(model.weights_bytes), 12, Font::Regular);
    const MeasureText& measure = context.painter.measure();
    const float needed = kModelWhat + measure(model.what, 12, Font::Regular) + kModelPad +
                         measure(size.text, 12, Font::Regular);
    if (needed <= width - kModelPad)
        figure.add(text({kModelWhat, 17}, model.what, 12, Font::Regular));
    size.align = Align::End;
    if (model.weights_bytes > 0) figure.add(std::move(size));
    context.painter.draw(figure, {at.x, at.y});
}

void ModelDialog::draw_details(PanelContext& context) {
    const auto known = std::ranges::find(known_models(), name_, &KnownModel::name);
    widgets::hint(context, known == known_models().end()
                               ? "Another model of a known family: OWNER/NAME, as the hub has it"
                               : about_model(*known));
    std::string typed = name_;
    draw_field(context, "Model", typed);
    if (typed != name_) choose(typed);
    draw_field(context, "Folder", folder_);
    draw_field(context, "From", from_);
    if (problem_.empty()) return widgets::hint(context, " ");
    widgets::warning(context, problem_);
}

void ModelDialog::draw_field(PanelContext& context, const char* name, std::string& text) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", name);
    ImGui::SameLine(kFieldLabel);
    ImGui::SetNextItemWidth(-FLT_MIN);
    widgets::text_field(context, (std::string("##") + name).c_str(), "", text);
    widgets::name_item(context, std::string("text ") + name);
}

std::optional<WantedModel> ModelDialog::draw_buttons(PanelContext& context) {
    const bool is_there = is_model_folder(folder_);
    const bool is_pressed = widgets::primary_button(
        context, is_there ? "Open" : "Get",
        is_there ? "It is in the folder already" : "Downloads it into the folder, and opens it");
    ImGui::SameLine();
    if (widgets::button(context, "Cancel", nullptr)) dialog_.close();
    if (!is_pressed) return std::nullopt;
    try {
        return WantedModel{known_model(name_), from_, folder_};
    } catch (const Error& error) {
        problem_ = error.what();
        return std::nullopt;
    }
}

using Purpose = FileDialog::Purpose;

void FileActions::open(Document document, const StudyFile& file) {
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
    if (!file.notes.empty())
        notice_.say(fmt::format("{}: {}", path_text(file.path.filename()), file.notes));
    add_recent_file(recent_files_, file.path);
}

/// Shows a study in a file of its own as it is where it is open; one that was read from something
/// else only if changes would be lost.
bool FileActions::show_open(const std::filesystem::path& file) {
    const NumberedStudy* open = studies_.find_file(file);
    if (!open) return false;
    const bool is_changed = has_changes(*open->space);
    if (!is_changed && file.extension() != ".headlight") return false;
    ImGui::SetWindowFocus(nullptr);
    studies_.show_number(open->number);
    add_recent_file(recent_files_, file);
    if (is_changed) say_is_unsaved(file);
    return true;
}

void FileActions::say_is_unsaved(const std::filesystem::path& file) {
    notice_.say(
        path_text(file.filename()) + " is open with changes that are not saved; Ctrl+S saves them",
        Notice::Kind::Done);
}

/// Makes the picture the model's input: the study stays, and undo brings the picture before back.
bool FileActions::give_picture_to_shown(const std::filesystem::path& file) {
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

void FileActions::open_file(const std::filesystem::path& file) {
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

void FileActions::open_again(const WindowState& state) {
    for (const OpenFiles& files : state.files)
        again_.insert(again_.end(), files.names.begin(), files.names.end());
    shown_then_ = state.files;
    open_next_again();
    studies_.show_place(static_cast<std::size_t>(state.workspace));
}

/// Opens the next files. Those after a graph that waits for its places wait, too. Each workspace
/// shows the study that it showed, as soon as that is open.
void FileActions::open_next_again() {
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

std::array<OpenFiles, kFileWorkspaces> FileActions::open_files() const {
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

/// Returns the study's file, or a name for it if it was read from something else.
std::filesystem::path FileActions::own_file() const {
    const std::filesystem::path& file = studies_.shown().file;
    return file.extension() == ".headlight" ? file : "study.headlight";
}

void FileActions::ask_to_open() {
    dialog_.offer(recent_files());
    dialog_.ask(Purpose::Open, own_file(),
                [this](const std::filesystem::path& file) { open_file(file); });
}

void FileActions::ask_for_model() {
    if (known_models().empty())
        throw Error("get", "a page downloads nothing; download a model with the program");
    if (getting_.is_running())
        throw Error("get", "{} is being downloaded; cancel it first, or wait", wanted_.model.name);
    models_.open();
}

/// Opens a model that is there already, without asking the network.
void FileActions::get(const WantedModel& wanted) {
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

/// Opens the model. Parts of one that was cancelled stay in its folder.
void FileActions::take_model() {
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

void FileActions::ask_to_import() {
    dialog_.ask(Purpose::Import, own_file().parent_path() / "",
                [this](const std::filesystem::path& file) { import_from(file); });
}

OpenFile FileActions::study_file(StudyNumber number) {
    const auto space = [this, number]() -> Workspace& { return *studies_.find(number)->space; };
    const bool is_own = is_in_file(space()) && space().file.extension() == ".headlight";
    return {.name = fmt::format("“{}”", tab_name(studies_, *studies_.find(number))),
            .path = is_own ? space().file : std::filesystem::path(),
            .suggested = "study.headlight",
            .on_disk = space().on_disk,
            .has_changes = [space] { return headlight::has_changes(space()); },
            .is_changed_on_disk = [space] { return is_changed(space().file, space().on_disk); },
            .show = [this, number] { studies_.show_number(number); },
            .write =
                [this, space](const std::filesystem::path& file) {
                    save_study(space(), file);
                    const auto* b = space().comparison.now().other<OtherStudy>();
                    if (b && b->file.empty())
                        notice_.say(fmt::format("Saved {} without the comparison, since B is no "
                                                "file: save B as a study, and compare with that",
                                                path_text(file.filename())),
                                    Notice::Kind::Done);
                },
            .reload = [space] { reload_study(space()); }};
}

void FileActions::ask_where_to_save(const OpenFile& open, const std::string& problem) {
    dialog_.ask(open.purpose, open.path.empty() ? open.suggested : open.path,
                [this, open](const std::filesystem::path& file) { save_to(open, file); });
    dialog_.show_problem(problem);
}

void FileActions::save(const OpenFile& open) {
    if (open.path.empty()) return ask_where_to_save(open);
    try {
        save_to(open, open.path);
    } catch (const Error& error) {
        ask_where_to_save(open, error.what());
    }
}

/// Saves; changes by another program are not overwritten unless the user says so.
void FileActions::save_to(const OpenFile& open, const std::filesystem::path& file) {
    if (file == open.path && open.is_changed_on_disk())
        overwritten_ = open;
    else
        write(open, file);
}

void FileActions::write(const OpenFile& open, const std::filesystem::path& file) {
    open.write(file);
    add_recent_file(recent_files_, file);
}

void FileActions::reload(const OpenFile& open) {
    ImGui::SetWindowFocus(nullptr);  // a field that is typed into would write its text over it
    open.reload();
    notice_.clear();
}

void FileActions::import_from(const std::filesystem::path& file) {
    import_.open(file, open_arrays(file), *plan(studies_.shown().session.document()));
}

void FileActions::ask_before(std::vector<OpenFile> files, Then go_on, Then stay) {
    this->stay();
    std::erase_if(files, [](const OpenFile& file) { return !file.has_changes(); });
    leaving_ =
        Leaving{{std::make_move_iterator(files.begin()), std::make_move_iterator(files.end())},
                std::move(go_on),
                std::move(stay)};
    leaving_->files.empty() ? go_on_leaving() : leaving_->files.front().show();
}

/// Called when nothing would be lost any more.
void FileActions::go_on_leaving() {
    const Leaving done = *std::exchange(leaving_, std::nullopt);
    done.go_on();
}

/// Ends the questions; nothing is closed.
void FileActions::stay() {
    const std::optional<Leaving> ended = std::exchange(leaving_, std::nullopt);
    if (ended && ended->stay) ended->stay();
}

void FileActions::ask_before_closing(std::vector<OpenFile> first) {
    std::set<StudyNumber> added;
    while (const NumberedStudy* next = studies_.find_changed(added)) {
        added.insert(next->number);
        first.push_back(study_file(next->number));
    }
    ask_before(std::move(first), [this] { closes_window_ = true; });
}

void FileActions::close(StudyNumber number) {
    ask_before({study_file(number)}, [this, number] { studies_.close(number); });
}

std::vector<std::filesystem::path> FileActions::recent_files() const {
    return read_recent_files(recent_files_);
}

float FileActions::draw_notice(PanelContext& context, const OpenFile& open, Box box) {
    const float height =
        changed_.draw(context, {open.path, open.on_disk, open.is_changed_on_disk}, box);
    if (!changed_.take_reload()) return height;
    try {
        reload(open);
    } catch (const Error& error) {
        notice_.clear();
        changed_.cannot_read(open.path, text_for_user(error));  // it is said as long as it is so
    }
    return height;
}

bool FileActions::draw(PanelContext& context) {
    draw_questions(context);
    dialog_.draw(context);
    draw_import(context);
    draw_models(context);
    return std::exchange(closes_window_, false);
}

/// Asks about overwriting another program's changes, and about unsaved work that would be lost.
void FileActions::draw_questions(PanelContext& context) {
    try {
        if (overwritten_) draw_overwriting(context);
        if (leaving_ && !leaving_->saves) draw_leaving(context);
        if (!leaving_ || !leaving_->saves || overwritten_ || dialog_.is_open()) return;
        if (leaving_->files.front().has_changes()) return stay();  // it was not saved after all
        leave_first();
    } catch (const Error& error) {
        notice_.say(error);
        stay();
    }
}

/// Asks about the next file; after the last one, what was asked for is done.
void FileActions::leave_first() {
    leaving_->files.pop_front();
    leaving_->saves = false;
    leaving_->files.empty() ? go_on_leaving() : leaving_->files.front().show();
}

void FileActions::draw_leaving(PanelContext& context) {
    static constexpr QuestionChoice kChoices[] = {
        {"Save…", nullptr}, {"Close without saving", nullptr}, {"Stay", nullptr}};
    const OpenFile open = leaving_->files.front();
    const std::size_t n_others = leaving_->files.size() - 1;
    std::string text = open.name + " has changes that are not saved.";
    if (n_others == 1) text += "\nOne more study is asked about after it.";
    if (n_others > 1) text += fmt::format("\n{} more studies are asked about after it.", n_others);
    const auto pressed = draw_question(context, "Unsaved work", text, kChoices);
    if (!pressed) return;
    if (*pressed == 1) return leave_first();
    if (*pressed == 2) return stay();
    leaving_->saves = true;
    save(open);
}

void FileActions::draw_overwriting(PanelContext& context) {
    const auto answer = draw_changed_file_question(context, overwritten_->path);
    if (!answer) return;
    const OpenFile open = *std::exchange(overwritten_, std::nullopt);
    if (*answer == ChangedFileAnswer::Overwrite) write(open, open.path);
    if (*answer == ChangedFileAnswer::SaveAs) ask_where_to_save(open);
    if (*answer != ChangedFileAnswer::Reload) return;
    stay();  // the reloaded file is looked at first
    reload(open);
}

void FileActions::draw_models(PanelContext& context) {
    try {
        if (const auto wanted = models_.draw(context)) get(*wanted);
    } catch (const Error& error) {
        notice_.say(error);
    }
}

void FileActions::draw_import(PanelContext& context) {
    const auto edit = import_.draw(context);
    if (!edit) return;
    try {
        studies_.shown().session.apply(*edit);
        import_.finish();
    } catch (const Error& error) {
        import_.show_problem(error.what());
    }
}

/// Ends the opening of a file, because the one that was asked for last is opened.
void FileActions::give_up_opening() {
    if (!opening_.is_running()) return;
    opening_.cancel();
    opening_.wait();
    take_opened();
}

void FileActions::take_opened() {
    try {
        Document document = opening_.take();
        open(std::move(document), opened_);
    } catch (const Cancelled&) {
        notice_.say(path_text(opened_.path.filename()) + " was not opened: it was cancelled.");
    } catch (const Error& error) {
        notice_.say(error);
    }
}

/// Shows a graph whose places are ready. One from the last time takes its place, but not that of
/// what is looked at meanwhile.
void FileActions::advance() {
    if (getting_.is_ready()) take_model();
    if (!opening_.is_ready()) return;
    const StudyNumber looked_at = studies_.number();
    take_opened();
    if (!shown_then_) return;
    open_next_again();
    studies_.show_number(looked_at);
}

void FileActions::wait() {
    while (is_opening()) {
        opening_.is_running() ? opening_.wait() : getting_.wait();
        advance();
    }
}

}  // namespace headlight
