#include "ui/dialogs/file_dialog.h"

#include <algorithm>
#include <functional>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <span>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "io/host.h"
#include "io/models/open_model.h"
#include "ui/compat.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using Purpose = FileDialog::Purpose;

constexpr std::size_t kMostRecent = 5;
constexpr float kSizeWidth = 76, kTimeWidth = 130;

/// These are the endings of files that each kind of dialog can open; others are only shown with
/// "All files".
constexpr std::string_view kStudies[] = {".headlight"};
constexpr std::string_view kLectures[] = {".lecture"};
constexpr std::string_view kAnswers[] = {".answers"};
constexpr std::string_view kClassAnswers[] = {".answers", ".txt", ".md",   ".csv", ".tsv",
                                              ".html",    ".htm", ".json", ".log", ".eml"};
constexpr std::string_view kWeights[] = {".safetensors"};
constexpr std::string_view kOpenable[] = {
    ".headlight", ".lecture",     ".edges", ".edgelist", ".adjlist", ".csv",   ".tsv",
    ".txt",       ".json",        ".cyjs",  ".graphml",  ".gexf",    ".gml",   ".dot",
    ".gv",        ".net",         ".sif",   ".mtx",      ".content", ".cites", ".npy",
    ".npz",       ".safetensors", ".png",   ".jpg",      ".jpeg"};

struct DialogWords {
    const char *title, *action, *explanation;
};

DialogWords words_for(Purpose purpose) {
    switch (purpose) {
        case Purpose::Open:
            return {"Open", "Open",
                    "A study (*.headlight), a graph (edge list, GraphML, GEXF, GML, DOT, JSON, "
                    "…), a picture (PNG, JPEG), recorded attention or matrices (NPZ, safetensors), "
                    "the folder of a pretrained model"};
        case Purpose::Import:
            return {"Import", "Import", "Matrices: NPZ, NPY, safetensors, CSV, TSV"};
        case Purpose::Compare:
            return {"Compare with", "Compare", "A study of the same kind (*.headlight)"};
        case Purpose::Save:
            return {"Save as", "Save", "A study: *.headlight"};
        case Purpose::SaveLecture:
            return {"Save as", "Save", "A lecture: *.lecture"};
        case Purpose::Answers:
            return {"Save answers as", "Save", "Your answers, to be sent: *.answers"};
        case Purpose::ClassAnswers:
            return {"Class answers", "Take in",
                    "A chat or other texts with codes (*.txt, *.csv, *.html …), answers that were "
                    "saved (*.answers); without a name, all of them in the folder that is shown"};
        case Purpose::Weights:
            return {"Save weights as", "Save", "Weights: *.safetensors"};
        case Purpose::Export:
            return {"Export to", "Choose",
                    "The ending of the name decides the format: .png, .svg …"};
    }
    return {};
}

/// True where there is no room for all in one row.
bool is_narrow() {
    constexpr float kNarrow = 460;
    return ImGui::GetWindowWidth() < kNarrow;
}

/// Returns the new text of the field after Tab (by 0), ↑ (−1) or ↓ (1), given the typed one.
using FieldKeys = std::function<std::string(const std::string& typed, int by)>;

int answer_field(ImGuiInputTextCallbackData* data) {
    const bool is_tab = data->EventFlag == ImGuiInputTextFlags_CallbackCompletion;
    const int by = is_tab ? 0 : data->EventKey == ImGuiKey_DownArrow ? 1 : -1;
    const std::string typed(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    const std::string next = (*static_cast<FieldKeys*>(data->UserData))(typed, by);
    if (next == typed) return 0;
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, next.c_str());
    return 0;
}

}  // namespace

void FileDialog::ask(Purpose purpose, const fs::path& suggestion, Answer answer) {
    purpose_ = purpose;
    answer_ = std::move(answer);
    problem_.clear();
    std::error_code ignored;
    const fs::path full =
        suggestion.empty() ? fs::current_path(ignored) / "" : fs::absolute(suggestion, ignored);
    enter(full.parent_path());
    name_ = full.filename().string();
    dialog_.open();
}

void FileDialog::enter(const fs::path& folder) {
    folder_ = folder.lexically_normal();
    FolderContents contents = list_folder(folder_);
    entries_ = std::move(contents.entries);
    if (!contents.problem.empty()) problem_ = contents.problem;
    entries_.insert(entries_.begin(), {.name = "..", .is_folder = true});
}

bool FileDialog::is_shown(const FolderEntry& entry) const {
    if (entry.name == "..") return true;
    if (entry.is_hidden() && !shows_hidden_) return false;
    if (entry.is_folder || shows_all_ || purpose_ == Purpose::Export) return true;
    const std::span<const std::string_view> endings =
        purpose_ == Purpose::Open           ? std::span<const std::string_view>(kOpenable)
        : purpose_ == Purpose::SaveLecture  ? std::span<const std::string_view>(kLectures)
        : purpose_ == Purpose::Weights      ? std::span<const std::string_view>(kWeights)
        : purpose_ == Purpose::Answers      ? std::span<const std::string_view>(kAnswers)
        : purpose_ == Purpose::ClassAnswers ? std::span<const std::string_view>(kClassAnswers)
                                            : kStudies;
    return std::ranges::find(endings, entry.name.extension().native()) != endings.end();
}

void FileDialog::draw(PanelContext& context) {
    const auto path = draw_window(context);
    if (!path) return;
    try {
        const Answer answer = answer_;  // which may ask for another file
        answer(*path);
        dialog_.close();
    } catch (const Error& error) {
        problem_ = error.what();
    }
}

std::optional<fs::path> FileDialog::draw_window(PanelContext& context) {
    const DialogWords words = words_for(purpose_);
    if (!dialog_.begin(context, {.title = words.title, .size = {660, 480}})) return std::nullopt;
    widgets::hint(context, words.explanation);
    if (!writes() && host().take_file) draw_exchange(context);
    draw_entries(context);
    const bool is_entered = draw_path(context);
    const bool is_pressed = draw_buttons(context, words.action);
    std::optional<fs::path> path;
    if ((is_entered || is_pressed) && !name_.empty())
        path = take_path();
    else if (is_pressed && purpose_ == Purpose::ClassAnswers)
        path = folder_;
    dialog_.end(context);
    return path;
}

/// Enters a folder that was typed, and opens one of a model. Asks before it replaces a file that
/// exists.
std::optional<fs::path> FileDialog::take_path() {
    const fs::path path = typed_path(folder_, name_);
    std::error_code error;
    if (fs::is_directory(path, error) && purpose_ != Purpose::Export && !opens_as_model(path)) {
        problem_.clear();
        enter(path / "");
        name_.clear();
        must_focus_ = true;
        return std::nullopt;
    }
    if (writes() && path != replaced_ && fs::exists(path, error)) {
        replaced_ = path;
        problem_ = path_text(path.filename()) + " exists already. Replace it?";
        return std::nullopt;
    }
    return path;
}

bool FileDialog::opens_as_model(const fs::path& folder) const {
    return purpose_ == Purpose::Open && is_model_folder(folder);
}

bool FileDialog::writes() const {
    return purpose_ == Purpose::Save || purpose_ == Purpose::Export ||
           purpose_ == Purpose::Weights || purpose_ == Purpose::SaveLecture ||
           purpose_ == Purpose::Answers;
}

bool FileDialog::replaces() const {
    return !replaced_.empty() && typed_path(folder_, name_) == replaced_;
}

/// A chosen file arrives as one that is dropped, so the question is over.
void FileDialog::draw_exchange(PanelContext& context) {
    if (widgets::button(context, "From this computer…", "Choose a file of yours")) {
        host().take_file();
        dialog_.close();
    }
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    widgets::hint(context, "or drop it on the window; below are the files that came before");
}

void FileDialog::draw_switches(PanelContext& context) {
    const auto toggle = [&](const char* label, bool& value) {
        ImGui::Checkbox(label, &value);
        widgets::name_item(context, std::string("switch ") + label);
    };
    const auto width = [](const char* label) {
        return ImGui::CalcTextSize(label).x + ImGui::GetFrameHeight() + 14;
    };
    const bool has_filter = purpose_ != Purpose::Export;
    if (!is_narrow()) ImGui::SameLine();
    ImGui::SetCursorPosX(widgets::right_edge() - width("Hidden") - has_filter * width("All files"));
    if (has_filter) {
        toggle("All files", shows_all_);
        ImGui::SameLine();
    }
    toggle("Hidden", shows_hidden_);
}

void FileDialog::draw_entries(PanelContext& context) {
    ImGui::TextDisabled("%s", widgets::as_read(path_text(folder_)).c_str());
    // A long message wraps, and the files make room for it.
    const float wrap = ImGui::GetContentRegionAvail().x;
    const float message = ImGui::CalcTextSize(problem_.c_str(), nullptr, false, wrap).y;
    const float more = std::max(0.0f, message - ImGui::GetTextLineHeight());
    const float n_rows = is_narrow() ? 4.2f : 3.2f;
    const float height = -n_rows * ImGui::GetFrameHeightWithSpacing() - more;
    compat::begin_child("entries", {0, height}, compat::Border::Yes);
    draw_recent(context);
    std::optional<fs::path> next;
    for (const FolderEntry& entry : entries_) {
        if (!is_shown(entry) || !draw_entry(context, entry)) continue;
        if (entry.is_folder && !opens_as_model(folder_ / entry.name))
            next = folder_ / entry.name / "";
        else
            name_ = entry.name.native();
    }
    has_stepped_ = false;
    ImGui::EndChild();
    if (!next) return;
    problem_.clear();
    enter(*next);
    must_focus_ = true;
}

/// Draws the entry's name, its size, and when it was changed. True when it was clicked.
bool FileDialog::draw_entry(PanelContext& context, const FolderEntry& entry) {
    const std::string name = path_text(entry.name);
    const bool is_chosen = entry.name == name_;
    ImGui::PushID(entry.name.c_str());
    const float left = ImGui::GetCursorPosX();
    const bool is_clicked = ImGui::Selectable("##entry", is_chosen);
    if (is_chosen && has_stepped_) ImGui::SetScrollHereY(0.5f);
    widgets::name_item(context, "entry " + name);
    ImGui::SameLine(left);
    ImGui::TextUnformatted(widgets::as_read(entry.is_folder ? name + "/" : name).c_str());
    const float right = widgets::right_edge();
    if (!entry.is_folder) {
        const std::string size = size_text(entry.size_bytes);
        const float end = is_narrow() ? right : right - kTimeWidth - 10;
        ImGui::SameLine(std::max(end - kSizeWidth, end - ImGui::CalcTextSize(size.c_str()).x));
        ImGui::TextDisabled("%s", size.c_str());
    }
    if (!is_narrow()) {
        ImGui::SameLine(right - kTimeWidth);
        ImGui::TextDisabled("%s", time_text(entry.changed_at).c_str());
    }
    ImGui::PopID();
    return is_clicked;
}

void FileDialog::draw_recent(PanelContext& context) {
    if (writes() || recent_.empty()) return;
    widgets::heading(context, "Recent");
    for (std::size_t k = 0; k < std::min(recent_.size(), kMostRecent); ++k) {
        const fs::path& file = recent_[k];
        ImGui::PushID(static_cast<int>(k));
        const float left = ImGui::GetCursorPosX();
        if (ImGui::Selectable("##recent", file == name_)) name_ = file.native();
        widgets::name_item(context, "entry recent " + path_text(file.filename()));
        ImGui::SameLine(left);
        ImGui::TextUnformatted(widgets::as_read(path_text(file.filename())).c_str());
        ImGui::SameLine(0, 12);
        ImGui::TextDisabled("%s", widgets::as_read(path_text(file.parent_path())).c_str());
        ImGui::PopID();
    }
    widgets::heading(context, "This folder");
}

/// Returns the shown entry that is `by` places away.
std::string FileDialog::stepped(const std::string& from, int by) {
    std::vector<const FolderEntry*> shown;
    for (const FolderEntry& entry : entries_)
        if (is_shown(entry)) shown.push_back(&entry);
    const auto here =
        std::ranges::find_if(shown, [&](const FolderEntry* entry) { return entry->name == from; });
    const auto last = static_cast<std::ptrdiff_t>(shown.size()) - 1;
    const std::ptrdiff_t at = here == shown.end() ? (by > 0 ? -1 : last + 1) : here - shown.begin();
    has_stepped_ = true;
    return shown[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + by, 0, last))]
        ->name.native();
}

bool FileDialog::draw_path(PanelContext& context) {
    if (problem_.empty()) {
        widgets::hint(context, " ");
    } else {
        widgets::warning(context, problem_);
    }
    ImGui::SetNextItemWidth(-FLT_MIN);
    if (ImGui::IsWindowAppearing() || std::exchange(must_focus_, false)) compat::focus_next_item();
    FieldKeys keys = [&](const std::string& held, int by) {
        const std::string typed = context.codes.decode(held);
        if (by != 0) return context.codes.encode(stepped(typed, by));
        const std::string completed = complete_path(folder_, typed);
        if (completed != typed) context.requests.keep_tab();
        return context.codes.encode(completed);
    };
    context.painter.need_glyphs(name_);
    std::string held = context.codes.encode(name_);
    const bool is_entered = ImGui::InputTextWithHint(
        "##name", "A name or a path; Tab completes it, ↑ and ↓ move through the files", &held,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll |
            ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackHistory,
        answer_field, &keys);
    name_ = context.codes.decode(held);
    widgets::name_item(context, "text File");
    return is_entered;
}

bool FileDialog::draw_buttons(PanelContext& context, const char* action) {
    const char* label = replaces() ? "Replace" : action;
    // After Enter the field does not have the keyboard any more: a second one answers the question.
    const bool confirms =
        replaces() && !ImGui::IsAnyItemActive() && compat::is_key_pressed(Key::Enter);
    const bool is_pressed = widgets::button(context, label, nullptr);
    ImGui::SameLine();
    if (widgets::button(context, "Cancel", nullptr)) dialog_.close();
    if (purpose_ == Purpose::Open && !*host().lacks.models) {
        ImGui::SameLine();
        if (widgets::button(context, "Get a model…", "Downloads a pretrained one, and opens it")) {
            dialog_.close();
            context.requests.run("get-model");
        }
    }
    draw_switches(context);
    return is_pressed || confirms;
}

}  // namespace headlight
