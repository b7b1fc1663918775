#include "ui/dialogs/export_file.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include "io/files/folder.h"
#include "ui/compat.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

fs::path without_ending(const fs::path& file) {
    return file.parent_path() / file.stem();
}

fs::path ending_in(fs::path file, const std::string& ending) {
    return file.replace_extension(ending);
}

}  // namespace

void ExportFile::fill(const fs::path& file) {
    text_ = file.string();
    ++filled_;
}

fs::path ExportFile::propose(const fs::path& wanted) {
    const std::string ending = wanted.extension().string();
    const bool is_own = !proposed_.empty() && without_ending(wanted) == without_ending(proposed_);
    wanted_ = is_own ? ending_in(wanted_, ending) : wanted;
    proposed_ = free_name(wanted_);
    fill(proposed_);
    confirmed_.clear();
    return proposed_;
}

void ExportFile::take(const fs::path& chosen) {
    fill(chosen);
    confirmed_ = chosen;
}

fs::path ExportFile::with_ending(const fs::path& file, const std::string& ending) {
    if (file == proposed_) return propose(ending_in(wanted_, ending));
    const fs::path other = ending_in(file, ending);
    fill(other);
    return other;
}

ExportFile::Answer ExportFile::draw(PanelContext& context) {
    const float browse = ImGui::CalcTextSize("Browse…").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SetNextItemWidth(widgets::right_edge() - ImGui::GetCursorPosX() - browse - 10);
    if (ImGui::IsWindowAppearing()) compat::focus_next_item();
    const std::string id = "##file" + std::to_string(filled_);
    const bool is_entered =
        ImGui::InputText(id.c_str(), &text_, ImGuiInputTextFlags_EnterReturnsTrue);
    widgets::name_item(context, "text File");
    ImGui::SameLine(0, 10);
    if (widgets::button(context, "Browse…", "Choose a folder")) return Answer::Browse;
    return is_entered ? Answer::Export : Answer::None;
}

bool ExportFile::may_write(const std::optional<fs::path>& existing) {
    if (!existing || confirmed_ == text_) return true;
    confirmed_ = text_;
    return false;
}

/// After Enter the field has not the keyboard any more.
bool ExportFile::is_confirmed() const {
    return !text_.empty() && confirmed_ == text_ && !ImGui::IsAnyItemActive() &&
           compat::is_key_pressed(Key::Enter);
}

}  // namespace headlight
