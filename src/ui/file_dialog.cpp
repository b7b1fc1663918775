#include "ui/file_dialog.h"

#include <algorithm>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "io/file.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

struct Words {
    const char *title, *action, *explanation;
};

Words words_for(FileDialog::Purpose purpose) {
    switch (purpose) {
        case FileDialog::Purpose::Open:
            return {
                "Open", "Open",
                "A study (*.headlight), a graph (edge list, GraphML, JSON, Matrix Market, "
                "Cora), a picture (PNG, JPEG), recorded attention or matrices (NPZ, safetensors)"};
        case FileDialog::Purpose::Import:
            return {"Import", "Import", "Matrices: NPZ, NPY, safetensors, CSV, TSV"};
        case FileDialog::Purpose::Compare:
            return {"Compare with", "Compare", "A study of the same kind (*.headlight)"};
        case FileDialog::Purpose::Save:
            return {"Save as", "Save", "A study: *.headlight"};
        case FileDialog::Purpose::Export:
            return {
                "Export", "Export",
                "The large picture: .png    Its numbers: .csv for a spreadsheet, .npy for NumPy"};
    }
    return {};
}

}  // namespace

void FileDialog::ask(Purpose purpose, const fs::path& suggestion) {
    purpose_ = purpose;
    problem_.clear();
    std::error_code ignored;
    const fs::path full = fs::absolute(suggestion, ignored);
    enter(full.parent_path());
    name_ = full.filename().string();
    is_open_ = must_open_ = true;
}

void FileDialog::enter(const fs::path& folder) {
    folder_ = folder.lexically_normal();
    entries_.clear();
    std::error_code error;
    for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
        const std::string name = path_text(it->path().filename());
        std::error_code ignored;
        if (!name.starts_with(".")) entries_.push_back({name, it->is_directory(ignored)});
    }
    if (error) problem_ = path_text(folder_) + ": " + error.message();
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
        return std::pair(!a.is_folder, a.name) < std::pair(!b.is_folder, b.name);
    });
    entries_.insert(entries_.begin(), {"..", true});
}

std::optional<FileDialog::Answer> FileDialog::draw(PanelContext& context) {
    const Words words = words_for(purpose_);
    if (!is_open_ && !ImGui::IsPopupOpen(words.title)) return std::nullopt;
    if (must_open_) ImGui::OpenPopup(words.title);
    must_open_ = false;
    std::optional<Answer> answer;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowSize({std::min(620.0f, screen.x - 40), std::min(440.0f, screen.y - 40)});
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    if (!ImGui::BeginPopupModal(words.title, &is_open_,
                                ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove))
        return std::nullopt;
    context.regions.begin_popup();
    widgets::hint(context, words.explanation);
    draw_entries(context);
    const bool is_entered = draw_path(context);
    const bool is_pressed = widgets::button(context, words.action, nullptr);
    ImGui::SameLine();
    if (widgets::button(context, "Cancel", nullptr) || compat::is_key_pressed(Key::Escape)) close();
    if ((is_entered || is_pressed) && !name_.empty()) answer = Answer{purpose_, folder_ / name_};
    if (!is_open_) ImGui::CloseCurrentPopup();
    context.regions.end_popup();
    ImGui::EndPopup();
    return answer;
}

void FileDialog::draw_entries(PanelContext& context) {
    ImGui::TextDisabled("%s", path_text(folder_).c_str());
    const float height = -3.2f * ImGui::GetFrameHeightWithSpacing();
    compat::begin_child("entries", {0, height}, compat::Border::Yes);
    std::optional<fs::path> next;
    for (const Entry& entry : entries_) {
        const std::string shown = entry.is_folder ? entry.name + "/" : entry.name;
        if (ImGui::Selectable(shown.c_str(), entry.name == name_)) {
            if (entry.is_folder)
                next = folder_ / entry.name;
            else
                name_ = entry.name;
        }
        widgets::name_item(context, "entry " + entry.name);
    }
    ImGui::EndChild();
    if (next) enter(*next);
}

bool FileDialog::draw_path(PanelContext& context) {
    if (problem_.empty())
        widgets::hint(context, " ");
    else
        ImGui::TextColored(im_vec(context.theme.warning), "%s", problem_.c_str());
    ImGui::SetNextItemWidth(-FLT_MIN);
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    const bool is_entered =
        ImGui::InputText("##name", &name_, ImGuiInputTextFlags_EnterReturnsTrue);
    widgets::name_item(context, "text File");
    return is_entered;
}

}  // namespace headlight
