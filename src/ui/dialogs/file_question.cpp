#include "ui/dialogs/file_question.h"

#include <imgui.h>

#include "io/files/file.h"
#include "ui/compat.h"
#include "ui/widgets/widgets.h"

namespace headlight {

std::optional<std::size_t> draw_question(PanelContext& context, const char* title,
                                         const std::string& text,
                                         std::span<const QuestionChoice> choices) {
    ImGui::OpenPopup(title);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    if (!ImGui::BeginPopupModal(title, nullptr,
                                ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove))
        return std::nullopt;
    context.regions.begin_dialog();
    ImGui::TextUnformatted(text.c_str());
    ImGui::Dummy({0, 4});
    std::optional<std::size_t> pressed;
    if (compat::is_key_pressed(Key::Escape)) pressed = choices.size() - 1;
    for (std::size_t k = 0; k < choices.size(); ++k) {
        if (k > 0) ImGui::SameLine();
        if (widgets::button(context, choices[k].label, choices[k].tooltip)) pressed = k;
    }
    if (pressed) ImGui::CloseCurrentPopup();
    context.regions.end_popup();
    ImGui::EndPopup();
    return pressed;
}

std::optional<ChangedFileAnswer> draw_changed_file_question(PanelContext& context,
                                                            const std::filesystem::path& file) {
    static constexpr QuestionChoice kChoices[] = {
        {"Overwrite", "Keeps the current file as a backup beside it"},
        {"Save as…", nullptr},
        {"Reload", "Loads the current file, as one step that can be undone"},
        {"Cancel", nullptr}};
    const std::string text = path_text(file.filename()) +
                             " was changed by another program since it was opened or saved here.";
    const auto pressed = draw_question(context, "Changed on disk", text, kChoices);
    if (!pressed) return std::nullopt;
    return static_cast<ChangedFileAnswer>(*pressed);
}

}  // namespace headlight
