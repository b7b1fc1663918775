// The tensors of the open part and the chosen head, in the order of computation.
#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>

#include "core/components.h"
#include "figure/flow_figure.h"
#include "ui/panels/panels.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

/// Returns the last part of the path; the whole path where a head's tensor has the same last part.
std::string step_name(const Trace& trace, const std::vector<TensorId>& steps, TensorId id) {
    const Tensor& tensor = trace[id];
    const bool is_shared =
        tensor.identity().head < 0 && std::any_of(steps.begin(), steps.end(), [&](TensorId other) {
            return other != id && trace[other].name() == tensor.name();
        });
    return is_shared ? tensor.path() : std::string(tensor.name());
}

/// Returns the tensors of the flow, and those that only this list leads to: biases, and tensors
/// made on demand.
std::vector<TensorId> listed(const Trace& trace, const Component& component, int head) {
    std::vector<TensorId> steps = shown_tensors(trace, component, head);
    for (const TensorId id : component.tensors) {
        const int own_head = trace[id].identity().head;
        const bool is_shown = std::find(steps.begin(), steps.end(), id) != steps.end();
        if (!is_shown && (own_head < 0 || own_head == head)) steps.push_back(id);
    }
    return steps;
}

class StepsPanel final : public Panel {
  public:
    const char* title() const override { return "Steps"; }
    const char* help() const override {
        return "Every matrix of the open part and head, in the order of computation; at the end "
               "those that are computed only when shown. A click shows one large. A red dot marks "
               "values set by hand.";
    }

    void draw(PanelContext& context) override {
        if (!context.trace) return;
        const Trace& trace = *context.trace;
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 3});
        context.painter.push_font(Font::Mono, 12);
        const std::vector<TensorId> steps = listed(
            trace, open_component(context.components, context.selection), context.selection.head);
        for (const TensorId id : steps) draw_step(context, trace[id], step_name(trace, steps, id));
        context.painter.pop_font();
        ImGui::PopStyleVar();
    }

  private:
    void draw_step(PanelContext& context, const Tensor& tensor, const std::string& name) {
        const std::string shape = tensor.rows().kind == AxisKind::Edge
                                      ? fmt::format("{} edges", tensor.rows().size)
                                      : shape_text(tensor.rows().size, tensor.columns().size);
        if (ImGui::Selectable(("##" + tensor.path()).c_str(),
                              context.selection.chosen == tensor.path()))
            context.selection.choose_tensor(*context.trace, context.components, tensor.path());
        widgets::name_item(context, "step " + name);
        ImGui::SameLine(ImGui::GetCursorStartPos().x + 6);
        ImGui::TextUnformatted(name.c_str());
        if (!tensor.intervention.is_empty()) {
            ImGui::SameLine(0, 5);
            ImGui::TextColored(im_vec(context.theme.selection), "●");
        }
        ImGui::SameLine(widgets::right_edge() - ImGui::CalcTextSize(shape.c_str()).x);
        ImGui::TextDisabled("%s", shape.c_str());
    }
};

}  // namespace

std::unique_ptr<Panel> make_steps_panel() {
    return std::make_unique<StepsPanel>();
}

}  // namespace headlight
