// Workbench: commands, files, and edits that come out of a frame.
#include <algorithm>
#include <imgui.h>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "io/studies/recent_files.h"
#include "io/studies/study.h"
#include "model/changes.h"
#include "model/presets.h"
#include "paint/words/plain_formula.h"
#include "scene/block_edits.h"
#include "scene/figures/word_lines_view.h"
#include "scene/setting_entries.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "ui/window/workbench.h"

namespace headlight {
namespace {

constexpr float kTextZoomStep = 1.125f;
constexpr float kMostSlideText = 1.5f;  // more would leave the matrix less than half of the slide
constexpr float kMagnified = 2;

void copy_cells(const Workspace& space, NumbersFormat format) {
    if (!space.page) return;
    const ChosenCells cells = need_chosen_cells(*space.page, space.selection);
    ImGui::SetClipboardText(copied_text(cells, format).c_str());
}

void paste_cells(Workspace& space) {
    if (!space.page) return;
    const ChosenCells cells = need_chosen_cells(*space.page, space.selection);
    const char* text = ImGui::GetClipboardText();
    space.session.apply(paste_edit(*space.page, cells, space.selection, text ? text : ""));
}

/// A choice is taken, a number waits in its field to be typed.
void take_setting(Workspace& space, const SettingEntry& setting) {
    if (!setting.changed) return space.selection.ask_for_setting({setting.section, setting.label});
    space.session.apply({.label = setting.change, .change = [&](Document& document) {
                             set_settings(document, *setting.changed);
                         }});
}

Drawer drawer_of(Command command) {
    return command == Command::OpenLeft    ? Drawer::Left
           : command == Command::OpenRight ? Drawer::Right
                                           : Drawer::Bottom;
}

}  // namespace

Scene Workbench::scene() {
    Workspace& space = workspace();
    return {space.session.document(), *space.page,      space.parts, space.selection,
            theme_named(theme_name_), &space.comparison};
}

TopBarState Workbench::top_bar_state() {
    const Workspace& space = workspace();
    const GraphStudy* graph = space.session.document().graph();
    const std::string untitled = graph ? graph->graph.title : "Untitled";
    return {.shown = shown_,
            .undo_label = space.session.history().undo_label(),
            .redo_label = space.session.history().redo_label(),
            .study_name = space.file.empty() ? untitled : path_text(space.file.filename()),
            .is_changed = has_changes(space),
            .theme = theme_name_};
}

void Workbench::run(const Commands& commands) {
    try {
        for (const Command command : commands) run(command);
    } catch (const Error& error) {
        notice_.say(error.what());
    }
}

void Workbench::run(const std::function<void()>& found) {
    try {
        found();
    } catch (const Error& error) {
        notice_.say(error.what());
    }
}

void Workbench::run(Command command) {
    const std::filesystem::path& file = workspace().file;
    const std::filesystem::path study = file.extension() == ".headlight" ? file : "study.headlight";
    switch (command) {
        case Command::ShowSentence:
        case Command::ShowAlignment:
        case Command::ShowGraph:
        case Command::ShowImage:
            shown_ =
                static_cast<std::size_t>(command) - static_cast<std::size_t>(Command::ShowSentence);
            return;
        case Command::Undo:
            return session().undo();
        case Command::Redo:
            return session().redo();
        case Command::Copy:
            return copy_cells(workspace(), NumbersFormat::Tsv);
        case Command::CopyLatex:
            return copy_cells(workspace(), NumbersFormat::Latex);
        case Command::CopyNumPy:
            return copy_cells(workspace(), NumbersFormat::NumPy);
        case Command::CopyMarkdown:
            return copy_cells(workspace(), NumbersFormat::Markdown);
        case Command::Paste:
            return paste_cells(workspace());
        case Command::Find:
            return dialogs_.palette.open(palette_entries());
        case Command::Open:
            dialogs_.file.offer(read_recent_files(recent_files_));
            return dialogs_.file.ask(FileDialog::Purpose::Open, study);
        case Command::Import:
            return dialogs_.file.ask(FileDialog::Purpose::Import, study.parent_path() / "");
        case Command::Save:
            return file == study && is_in_file(workspace()) ? save_here() : ask_where_to_save();
        case Command::SaveAs:
            return ask_where_to_save();
        case Command::Export:
        case Command::ExportAgain:
        case Command::CopyPicture:
            return run_export(command);
        default:
            return run_view(command);
    }
}

/// What changes only how things are looked at.
void Workbench::run_view(Command command) {
    float& text = is_presenting_ ? slide_text_ : zoom_;
    switch (command) {
        case Command::ToggleTheme:
            theme_name_ = theme_after(theme_name_).name;
            return;
        case Command::LargerText:
            text = std::min(is_presenting_ ? kMostSlideText : kMostTextZoom, text * kTextZoomStep);
            return;
        case Command::SmallerText:
            text = std::max(kLeastTextZoom, text / kTextZoomStep);
            return;
        case Command::NormalText:
            text = 1;
            return;
        case Command::Release:
            return release();
        case Command::Explain:
            selection().explains = !selection().explains;
            return;
        case Command::Back:
            if (workspace().page) selection().go_back(*workspace().page, workspace().parts);
            return;
        case Command::Play:
            return animator_.toggle_play();
        case Command::WholeMatrix:
            return selection().views.wish_for(PictureWish::Whole);
        case Command::ZoomIn:
            return selection().views.wish_for(PictureWish::Larger);
        case Command::ZoomOut:
            if (selection().held().cell) return;  // the minus of a number that is being typed
            return selection().views.wish_for(PictureWish::Smaller);
        case Command::PictureForm:
            return selection().views.wish_for(PictureWish::Form);
        case Command::Present:
            return is_presenting_ ? void(is_presenting_ = false) : present();
        case Command::Predict:
        case Command::Reveal:
        case Command::ChangeText:
            return run_slide(command);
        case Command::Laser:
            return laser_.turn();
        case Command::Magnify:
            magnified_ = magnified_ > 1 ? 1 : kMagnified;
            return;
        case Command::Help:
            asks_for_help_ = true;
            return;
        case Command::OpenLeft:
        case Command::OpenRight:
        case Command::OpenBottom:
            drawer_ = drawer_ == drawer_of(command) ? Drawer::None : drawer_of(command);
            return;
        default:
            return run_comparison(command);
    }
}

/// Everything that has a name, here and now.
std::vector<PaletteEntry> Workbench::palette_entries() {
    std::vector<PaletteEntry> entries;
    for (const NamedCommand& named : named_commands())
        entries.push_back({named.name, std::string(named.what) + "  " + named.keys, "command",
                           [this, command = named.command] { run(Commands{command}); }});
    for (const Preset& preset : presets())
        entries.push_back({std::string(preset.name), std::string(preset.what), "study",
                           [this, &preset] { start_study(preset); }});
    for (SettingEntry& setting : setting_entries(session().document().study))
        entries.push_back({setting.name, setting.what, "setting",
                           [this, setting] { take_setting(workspace(), setting); }});
    for (const std::filesystem::path& file : read_recent_files(recent_files_))
        entries.push_back({"Open " + path_text(file.filename()), path_text(file.parent_path()),
                           "file", [this, file] { open_file(file); }});
    Workspace& space = workspace();
    if (!space.page) return entries;
    if (const auto cells = chosen_cells(*space.page, space.selection))
        for (const NamedChange& named : cell_changes()) {
            const Edit edit = change_edit(*space.page, *cells, {.kind = named.change});
            if (named.operand != Operand::Number)
                entries.push_back({edit.label, named.what, "change",
                                   [&space, edit] { space.session.apply(edit); }});
        }
    entries.push_back(
        {"All heads", "of every layer, as small pictures", "part", [this] { show(kAllHeads); }});
    if (has_word_lines(*space.page))
        entries.push_back({"Words", "lines from each word to what it reads, heads over each other",
                           "part", [this] { show(kWordLines); }});
    for (PaletteEntry& entry : comparison_entries()) entries.push_back(std::move(entry));
    for (const Part& part : space.parts)
        entries.push_back({part.path, part.group + " · " + part.label, "part",
                           [this, path = part.path] { show(path); }});
    for (const Tensor& tensor : space.page->tensors())
        entries.push_back({tensor.path(), plain_formula(tensor.equation()), "matrix",
                           [this, path = tensor.path()] { show(path); }});
    return entries;
}

/// In the workspace of its kind, as a step that can be undone.
void Workbench::start_study(const Preset& preset) {
    Document document = preset.make();
    shown_ = workspace_for(document.study);
    headlight::start_study(workspace(), std::move(document),
                           "Start the study " + std::string(preset.name));
}

void Workbench::apply(Edits& edits) {
    for (const Edit& edit : edits.take()) {
        try {
            session().apply(edit);
        } catch (const Error& error) {
            notice_.say(error.what());
        }
    }
    if (edits.take_end_of_gesture()) session().end_gesture();
}

void Workbench::answer_dialog(PanelContext& context) {
    const auto answer = dialogs_.file.draw(context);
    if (!answer) return;
    try {
        switch (answer->purpose) {
            case FileDialog::Purpose::Open:
                open_file(answer->path);
                break;
            case FileDialog::Purpose::Import:
                import_from(answer->path);
                break;
            case FileDialog::Purpose::Save:
                save_to(answer->path);
                break;
            case FileDialog::Purpose::Export:
                exports_.take_file(answer->path);
                break;
            case FileDialog::Purpose::Compare:
                compare_with_file(answer->path);
                break;
        }
        dialogs_.file.close();
    } catch (const Error& error) {
        dialogs_.file.show_problem(error.what());
    }
}

}  // namespace headlight
