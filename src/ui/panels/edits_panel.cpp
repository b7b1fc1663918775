// The list of everything that was set by hand, each with its switch and its reset.
#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>

#include "figure/labels.h"
#include "figure/number_format.h"
#include "model/changes.h"
#include "model/weight_origin.h"
#include "text/strings.h"
#include "ui/panels/panels.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/head_thumbnail.h"

namespace headlight {
namespace {

constexpr float kSwitch = 26, kReset = 22, kEditLine = 16;

/// Returns "3 cells", "pinned: 3 cells", "ablated: zero", "a vector added to every row".
std::string what_is_set(const PanelContext& context, const std::string& path,
                        const Intervention& intervention) {
    const auto n = static_cast<Index>(intervention.cells.size());
    const std::string cells = format_count(n) + (n == 1 ? " cell" : " cells");
    const Tensor* found = context.whole->find(path);
    if (intervention.is_of_all_rows()) {
        std::string text;
        if (intervention.ablation != Ablation::None) text = ablation_words(intervention.ablation);
        if (!intervention.added.empty()) append_part(text, ", ", "a vector added to every row");
        if (n > 0) append_part(text, ", ", cells);
        return text + (found ? "" : " · waits");
    }
    if (!found) return cells + " · waits";
    return found->is_leaf() ? cells : "pinned: " + cells;
}

/// Returns the end of a path, which says most, where there is no room for all of it.
std::string fitting_path(const PanelContext& context, const std::string& path, float width) {
    std::string text = path;
    for (std::size_t at = 0; context.painter.measure()(text, 12, Font::Mono) > width;) {
        const std::size_t dot = path.find('.', at);
        if (dot == std::string::npos) break;
        at = dot + 1;
        text = "…" + path.substr(at);
    }
    return text;
}

class EditsPanel final : public Panel {
  public:
    const char* title() const override { return "Edits"; }
    const char* help() const override {
        return "Every matrix with values set by hand. Switched off, the values are kept but have "
               "no effect; the × removes them. A click on the name shows the matrix.";
    }

    void draw(PanelContext& context) override {
        const Interventions& interventions = context.document.interventions;
        const RecordedStudy* recorded = context.document.recorded();
        const std::size_t n_of_pieces =
            recorded && recorded->joined ? recorded->joined->interventions.size() : 0;
        if (n_of_pieces > 0)
            widgets::hint(context,
                          fmt::format("Of the pieces: {}.", set_by_hand_text(n_of_pieces)));
        if (interventions.empty() || !context.trace) {
            if (n_of_pieces == 0) widgets::hint(context, "Nothing is set by hand.");
            return;
        }
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 2});
        for (const auto& [path, intervention] : interventions)
            draw_row(context, path, intervention);
        ImGui::PopStyleVar();
        draw_all(context);
    }

  private:
    static void draw_row(PanelContext& context, const std::string& path,
                         const Intervention& intervention) {
        ImGui::PushID(path.c_str());
        draw_switch(context, path, intervention);
        ImGui::SameLine(kSwitch);
        draw_name(context, path, intervention);
        ImGui::SameLine(widgets::right_edge() - kReset);
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 4});
        ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
        const bool is_reset = ImGui::Button("×", {kReset, 2 * kEditLine - 4});
        ImGui::PopStyleVar(2);
        widgets::name_item(context, "button Reset " + path);
        widgets::tooltip("Removes these values");
        if (is_reset)
            context.edits.push("Reset " + path,
                               [path](Document& document) { reset_tensor(document, path); });
        ImGui::PopID();
    }

    static void draw_switch(PanelContext& context, const std::string& path,
                            const Intervention& intervention) {
        bool is_on = intervention.is_on;
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {1, 1});
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 6);
        const bool is_changed = ImGui::Checkbox("##on", &is_on);
        ImGui::PopStyleVar();
        widgets::name_item(context, "switch " + path);
        widgets::tooltip(intervention.is_on ? "On: switch it off to see what it changes"
                                            : "Off: kept, without effect");
        if (is_changed)
            context.edits.push((is_on ? "Switch on " : "Switch off ") + path,
                               [path, is_on](Document& document) {
                                   const auto at = document.interventions.find(path);
                                   if (at != document.interventions.end()) at->second.is_on = is_on;
                               });
    }

    static void draw_name(PanelContext& context, const std::string& path,
                          const Intervention& intervention) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x - kReset - 4;
        const Tensor* tensor = context.trace->find(path);
        if (ImGui::Selectable("##name", context.selection.chosen == path, 0,
                              {width, 2 * kEditLine}) &&
            tensor)
            context.selection.choose_tensor(*context.trace, context.components, path);
        widgets::name_item(context, "edit " + path);
        widgets::tooltip(path.c_str());
        const Theme& theme = context.theme;
        const bool is_live = intervention.is_on && tensor;
        Figure figure{width, 2 * kEditLine, {}};
        figure.add(TextMark{.at = {2, 13},
                            .text = fitting_path(context, path, width - 4),
                            .size = 12,
                            .color = is_live ? theme.text : theme.muted,
                            .font = Font::Mono});
        TextMark what{
            .at = {2, 27},
            .text = what_is_set(context, path, intervention) + (intervention.is_on ? "" : " · off"),
            .size = 11,
            .color = theme.muted,
            .font = Font::Regular};
        shorten(what, width - 4, context.painter.measure());
        figure.add(what);
        context.painter.draw(figure, {at.x, at.y});
    }

    static void draw_all(PanelContext& context) {
        const Interventions& interventions = context.document.interventions;
        const bool is_any_on = std::any_of(interventions.begin(), interventions.end(),
                                           [](const auto& entry) { return entry.second.is_on; });
        if (widgets::button(context, is_any_on ? "All off" : "All on",
                            "The values are kept; only their effect is switched"))
            context.edits.push(is_any_on ? "Switch off all edits" : "Switch on all edits",
                               [is_any_on](Document& document) {
                                   for (auto& [path, intervention] : document.interventions)
                                       intervention.is_on = !is_any_on;
                               });
        ImGui::SameLine();
        if (widgets::button(context, "Reset all", "Removes every edit and pin of this study"))
            context.edits.push("Reset all edits",
                               [](Document& document) { document.interventions.clear(); });
    }
};

}  // namespace

std::unique_ptr<Panel> make_edits_panel() {
    return std::make_unique<EditsPanel>();
}

}  // namespace headlight
