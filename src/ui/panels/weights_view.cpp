#include "ui/panels/weights_view.h"

#include <imgui.h>

#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {

void draw_weights(PanelContext& context) {
    const SharedWeights& weights = context.document.weights;
    if (!weights) return;
    const std::size_t n = weights->matrices.size();
    widgets::hint(context,
                  std::to_string(n) + (n == 1 ? " matrix " : " matrices ") + weights->origin);
    if (!context.whole) return;
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(context.theme.warning));
    ImGui::PushTextWrapPos();
    for (const std::string& note : weight_notes(*context.whole, weights, context.document.seed))
        ImGui::TextUnformatted((note + ".").c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

}  // namespace headlight
