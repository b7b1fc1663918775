#include "ui/dialogs/model_dialog.h"

#include <algorithm>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "core/error.h"
#include "download/file_source.h"
#include "io/files/file.h"
#include "io/files/folder.h"
#include "io/models/open_model.h"
#include "ui/compat.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr const char* kModelTitle = "Get a model";
constexpr float kModelRow = 24, kModelPad = 8, kFieldLabel = 72, kModelWhat = 196;

/// Where to read about it, and on which terms it is given.
std::string about_model(const KnownModel& model) {
    return std::string(kHub) + "/" + model.repository +
           " · licence: " + (model.licence.empty() ? "as its page says" : model.licence);
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
    is_open_ = must_open_ = true;
}

void ModelDialog::choose(const std::string& name) {
    name_ = name;
    folder_ = folder_for(name.substr(name.find('/') + 1));
    problem_.clear();
}

std::optional<WantedModel> ModelDialog::draw(PanelContext& context) {
    if (!is_open_ && !ImGui::IsPopupOpen(kModelTitle)) return std::nullopt;
    if (must_open_) ImGui::OpenPopup(kModelTitle);
    must_open_ = false;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowSize({std::min(620.0f, screen.x - 40), std::min(580.0f, screen.y - 40)});
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    if (!ImGui::BeginPopupModal(kModelTitle, &is_open_,
                                ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove))
        return std::nullopt;
    context.regions.begin_dialog();
    widgets::hint(
        context,
        "Downloads a pretrained model and opens it. Nothing is asked of the network "
        "before you press Get. A download that was interrupted goes on where it stopped.");
    draw_models(context);
    draw_details(context);
    const std::optional<WantedModel> wanted = draw_buttons(context);
    if (wanted || context.regions.is_dismissed()) is_open_ = false;
    if (!is_open_) ImGui::CloseCurrentPopup();
    context.regions.end_popup();
    ImGui::EndPopup();
    return wanted;
}

void ModelDialog::draw_models(PanelContext& context) {
    const float height = -5.4f * ImGui::GetFrameHeightWithSpacing();
    compat::begin_child("models", {0, height}, compat::Border::Yes);
    for (const KnownModel& model : known_models()) draw_row(context, model);
    ImGui::EndChild();
}

/// Its name and what it is; how large at the right.
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
    figure.add(text({kModelWhat, 17}, model.what, 12, Font::Regular));
    TextMark size =
        text({width - kModelPad, 17}, size_text(model.weights_bytes), 12, Font::Regular);
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
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(context.theme.warning));
    ImGui::TextWrapped("%s", problem_.c_str());
    ImGui::PopStyleColor();
}

void ModelDialog::draw_field(PanelContext& context, const char* name, std::string& text) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", name);
    ImGui::SameLine(kFieldLabel);
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::InputText((std::string("##") + name).c_str(), &text);
    widgets::name_item(context, std::string("text ") + name);
}

std::optional<WantedModel> ModelDialog::draw_buttons(PanelContext& context) {
    const bool is_there = is_model_folder(folder_);
    const bool is_pressed = widgets::primary_button(
        context, is_there ? "Open" : "Get",
        is_there ? "It is in the folder already" : "Downloads it into the folder, and opens it");
    ImGui::SameLine();
    if (widgets::button(context, "Cancel", nullptr)) is_open_ = false;
    if (!is_pressed) return std::nullopt;
    try {
        return WantedModel{known_model(name_), from_, folder_};
    } catch (const Error& error) {
        problem_ = error.what();
        return std::nullopt;
    }
}

}  // namespace headlight
