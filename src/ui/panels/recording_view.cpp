#include "ui/panels/recording_view.h"

#include <filesystem>
#include <imgui.h>

#include "core/analyses/pattern_faults.h"
#include "io/files/file.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

void warn(PanelContext& context, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(context.theme.warning));
    ImGui::PushTextWrapPos();
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

std::string counted(std::size_t n, const char* noun) {
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

}  // namespace

/// What is odd about the pattern of the shown head.
void RecordingView::warn_of_shown(PanelContext& context) {
    if (!context.trace) return;
    const Tensor* pattern = shown_pattern(*context.trace, context.components, context.selection);
    if (!pattern || !pattern->value) return;
    if (looked_at_ != pattern->value) {
        looked_at_ = pattern->value;
        faults_ = pattern_faults(*looked_at_, kSumTolerance);
    }
    if (!faults_.empty()) warn(context, "This head: " + faults_);
}

void RecordingView::draw(PanelContext& context, const RecordedStudy& study) {
    const std::filesystem::path file(study.file);
    ImGui::TextUnformatted(path_text(file.filename()).c_str());
    widgets::tooltip(path_text(file).c_str());
    widgets::hint(
        context, "Recorded: " + counted(static_cast<std::size_t>(study.n_layers), "layer") + " · " +
                     counted(static_cast<std::size_t>(study.n_heads), "head") + " · " +
                     counted(study.tokens.size(), "token"));
    for (const std::string& note : study.notes) widgets::hint(context, note);
    warn_of_shown(context);
}

}  // namespace headlight
