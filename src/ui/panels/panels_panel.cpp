// Panels: chosen matrices beside each other in one figure, alive, as a paper has them.
#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "text/strings.h"
#include "ui/panels/component_strip.h"
#include "ui/panels/panels.h"
#include "ui/pictures/canvas.h"
#include "ui/widgets/head_chooser.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/answer.h"
#include "views/panels_view.h"

namespace headlight {
namespace {

constexpr float kPanelsMargin = 16;
constexpr float kLegendLine = 44;  // height of the line about reading the panels of questions
constexpr const char* kAcross[] = {"as many as fit", "1", "2", "3", "4", "5", "6", "7", "8"};

class PanelsPanel final : public Panel {
  public:
    const char* title() const override { return "Panels"; }
    const char* help() const override {
        return "Matrices of one shape beside each other, with letters and one colour bar: Ctrl+E "
               "makes it a figure for a paper. The grid chooses the heads, with Ctrl or Shift "
               "several of them; so does a Ctrl-click in All heads. Without a choice the panels "
               "show the chosen matrix of every head of its attention, or of the heads that are "
               "chosen below. In a comparison A, B and A − B are panels of their own.";
    }

    void draw(PanelContext& context) override {
        draw_component_strip(context, ImGui::GetContentRegionAvail().x);
        ImGui::SetCursorPosX(kPanelsMargin);
        ImGui::BeginGroup();
        draw_choice(context);
        draw_across(context);
        draw_buttons(context);
        ImGui::EndGroup();
        ImGui::Dummy({0, 4});
        ImGui::SetCursorPosX(kPanelsMargin);
        draw_panels(context);
    }

  private:
    // ---- which ----

    /// Returns the path of that head's matrix like the first panel's, or like the chosen one; "" if
    /// it has none.
    static std::string path_at(const PanelContext& context, const GridHead& head) {
        const std::vector<std::string>& named = context.selection.looks.panels.matrices;
        const Tensor* like =
            context.trace->find(named.empty() ? context.selection.chosen : named.front());
        if (!like || like->identity().head < 0)
            like = find_of_head(*context.trace, *head.attention, head.head, Role::Pattern);
        if (!like) return "";
        const std::string path = path_of_other(*like, *head.attention, head.head);
        return context.trace->find(path) ? path : "";
    }

    static void draw_choice(PanelContext& context) {
        const std::vector<std::string> paths = panel_paths(context.scene);
        const HeadChooser chooser{
            .mark =
                [&](const GridHead& head) {
                    const std::string path = path_at(context, head);
                    if (path.empty()) return HeadMark::Absent;
                    const bool is_shown = is_among(path, paths);
                    return is_shown ? HeadMark::Chosen : HeadMark::None;
                },
            .name = [](const GridHead& head) { return "choice head " + head.place(); }};
        const std::string text = counted(std::ssize(paths), "matrix", "matrices");
        const auto head = head_chooser_button(context, "Panels of", text, chooser);
        widgets::tooltip("Which heads are shown; with Ctrl or Shift several");
        if (head) toggle(context, paths, path_at(context, *head));
    }

    /// Shows only that matrix after a click; with Ctrl or Shift it is one more, or one less.
    static void toggle(PanelContext& context, std::vector<std::string> paths,
                       const std::string& path) {
        const ImGuiIO& io = ImGui::GetIO();
        const auto at = std::ranges::find(paths, path);
        if (!io.KeyCtrl && !io.KeyShift)
            paths = {path};
        else if (at == paths.end())
            paths.push_back(path);
        else if (paths.size() > 1)
            paths.erase(at);
        context.selection.looks.panels.matrices = std::move(paths);
    }

    static void draw_across(PanelContext& context) {
        int& across = context.selection.looks.panels.across;
        widgets::same_line_if_fits(widgets::labelled_width("Across", 120), 14);
        int picked = std::min(across, static_cast<int>(std::size(kAcross)) - 1);
        if (widgets::row_choice(context, "Across", picked, kAcross, 120)) across = picked;
    }

    static void draw_buttons(PanelContext& context) {
        widgets::same_line_if_fits("Colours");
        if (widgets::button(context, "Colours",
                            "Colours, scale, range and numbers of all panels of that kind"))
            context.requests.run("picture-form");
        draw_titles(context);
        widgets::same_line_if_fits("Figure…");
        if (widgets::button(context, "Figure…", "Exports the panels as a figure  (Ctrl+E)"))
            context.requests.run("export");
        PanelsLook& look = context.selection.looks.panels;
        if (look.matrices.empty()) return;
        widgets::same_line_if_fits("Heads of the part");
        if (widgets::button(context, "Heads of the part",
                            "Forgets the choice: the panels show the heads of the open part"))
            look.matrices.clear();
    }

    /// Draws a field for each matrix; an empty one stands for its layer and head.
    static void draw_titles(PanelContext& context) {
        constexpr const char* kTitles = "titles of panels";
        constexpr float kTitleWidth = 240;
        widgets::same_line_if_fits("Titles");
        if (widgets::button(context, "Titles", "What stands above each panel, beside its letter"))
            ImGui::OpenPopup(kTitles);
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {14, 12});
        const bool is_open = ImGui::BeginPopup(kTitles, ImGuiWindowFlags_NoMove);
        ImGui::PopStyleVar();
        if (!is_open) return;
        context.regions.begin_popup();
        int number = 0;
        for (const std::string& path : panel_paths(context.scene)) {
            const std::string name = fmt::format("Title {}", ++number);
            auto& titles = context.selection.looks.panels.titles;
            const auto at = titles.find(path);
            std::string text = context.codes.encode(at == titles.end() ? "" : at->second);
            ImGui::SetNextItemWidth(kTitleWidth);
            if (ImGui::InputTextWithHint(("##" + name).c_str(), path.c_str(), &text))
                titles[path] = context.codes.decode(text);
            widgets::name_item(context, "text " + name);
        }
        context.regions.end_popup();
        if (compat::is_key_pressed(Key::Escape)) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }

    // ---- the figure ----

    static void draw_panels(PanelContext& context) {
        ShownPanels panels = list_panels(context.scene, FigureLook::Heading::Shown);
        if (!panels.problem.empty()) return widgets::hint(context, panels.problem);
        ImVec2 room = ImGui::GetContentRegionAvail();
        const bool asks = attention_of_questions(context.components) &&
                          context.selection.looks.panels.matrices.empty();
        if (asks) room.y -= kLegendLine;
        panels.input.width = std::max(1.0f, room.x - kPanelsMargin);
        panels.input.height = std::max(1.0f, room.y - kPanelsMargin);
        panels.input.largest = std::max(panels.input.width, panels.input.height);
        const PanelsFigure made =
            panels_figure(panels.input, context.theme, context.painter.measure());
        if (!made.problem.empty()) return widgets::hint(context, made.problem);
        draw_alive_on_card(context, made.figure);
        if (!asks) return;
        ImGui::SetCursorPosX(kPanelsMargin);
        widgets::hint(context,
                      "Each row is a word that asks; the coloured cell is the word that answers. A "
                      "word to which nothing answers reads itself.");
    }
};

}  // namespace

std::unique_ptr<Panel> make_panels_panel() {
    return std::make_unique<PanelsPanel>();
}

}  // namespace headlight
