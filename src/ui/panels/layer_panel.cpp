// The settings of the study's layers, and the seed.
#include <algorithm>
#include <imgui.h>

#include "model/changes.h"
#include "model/settings/settings.h"
#include "ui/panels/panels.h"
#include "ui/panels/settings_form.h"

namespace headlight {
namespace {

class LayerPanel final : public Panel {
  public:
    const char* title() const override { return "Layer"; }
    const char* help() const override {
        return "The settings of the study. Drag a number, or double-click it and type; right-click "
               "it to animate it between two values. Edits of a matrix have no effect while its "
               "shape does not fit, and come back with it.";
    }

    void draw(PanelContext& context) override {
        if (context.document.recorded())
            return widgets::hint(context, "Recorded: there is nothing to set.");
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 4});
        if (const auto asked = context.requests.setting.take()) {
            form_.open.insert(asked->section);
            form_.asked = asked->label;
        }
        Study study = context.document.study;
        const SettingChange change = draw_settings(context, form_, study);
        if (!change.name.empty())
            context.edits.push(
                change.name, [study](Document& document) { set_settings(document, study); },
                "setting " + change.field);
        draw_seed(context);
        ImGui::PopStyleVar();
    }

  private:
    static void draw_seed(PanelContext& context) {
        int seed = static_cast<int>(std::min<std::uint64_t>(context.document.seed, kMaxSeed));
        if (widgets::int_setting(
                context, {"Seed", "Weights and embeddings are random numbers from this seed."},
                seed, {0, kMaxSeed}))
            context.edits.push(
                "Set the seed to " + std::to_string(seed),
                [seed](Document& d) { d.seed = static_cast<std::uint64_t>(seed); }, "seed");
        if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) context.requests.animation.ask({"seed"});
    }

    SettingsFormState form_;
};

}  // namespace

std::unique_ptr<Panel> make_layer_panel() {
    return std::make_unique<LayerPanel>();
}

}  // namespace headlight
