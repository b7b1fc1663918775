// The list of panels, and the panel of a view that has no controls of its own: the figure that is
// exported, alive.
#include "ui/panels/panels.h"

#include <algorithm>
#include <imgui.h>
#include <span>

#include "core/error.h"
#include "ui/panels/component_strip.h"
#include "ui/pictures/canvas.h"
#include "ui/training/training_panels.h"
#include "ui/widgets/widgets.h"
#include "views/export/look_names.h"
#include "views/view_figure.h"

namespace headlight {
namespace {

constexpr float kViewMargin = 16;

/// A view in the middle of the window, as it is exported, alive.
class ViewPanel final : public Panel {
  public:
    explicit ViewPanel(ViewId view) : view_(view) {}

    const char* title() const override { return view_of(view_).title; }
    const char* help() const override { return view_of(view_).help; }

    void draw(PanelContext& context) override {
        draw_component_strip(context, ImGui::GetContentRegionAvail().x);
        ImGui::SetCursorPosX(kViewMargin);
        const ImVec2 room = ImGui::GetContentRegionAvail();
        FigureLook look;
        look.room =
            Point{std::max(1.0f, room.x - kViewMargin), std::max(1.0f, room.y - kViewMargin)};
        look.theme = theme_name(context.theme);
        look.has_origin = false;
        try {
            const ViewFigure shown =
                view_figure(context.scene, view_, look, context.painter.measure());
            draw_alive_on_card(context, shown.figure);
        } catch (const Error& error) {
            widgets::hint(context, text_for_user(error));
        }
    }

  private:
    ViewId view_;
};

}  // namespace

WindowPanels make_window_panels() {
    WindowPanels window;
    window.left[0].push_back(make_sentence_panel());
    window.left[0].push_back(make_words_panel());
    window.left[0].push_back(make_answer_panel());
    window.left[1].push_back(make_alignment_input_panel());
    window.left[2].push_back(make_graph_input_panel());
    window.left[3].push_back(make_image_input_panel());
    window.left[3].push_back(make_answer_panel());
    for (Panels& panels : std::span(window.left).first(4)) {
        panels.push_back(make_layer_panel());
        panels.push_back(make_steps_panel());
    }
    for (auto make : {make_task_panel, make_network_panel, make_recipe_panel, make_held_out_panel,
                      make_ablate_panel})
        window.left[4].push_back(make());
    for (auto make : {make_now_panel, make_answer_panel, make_heads_over_time_panel,
                      make_trained_weights_panel})
        window.training.push_back(make());
    window.middle = {make_flow_panel(), make_flow_panel(), make_graph_panel(), make_image_panel(),
                     make_training_panel()};
    for (auto make : {make_cell_panel, make_row_panel, make_edit_panel, make_head_panel,
                      make_edits_panel, make_matrix_panel})
        window.right.push_back(make());
    window.heads = make_heads_panel();
    window.views[ViewId::Heads] = make_all_heads_panel();
    window.views[ViewId::Readout] = make_readout_panel();
    window.views[ViewId::Panels] = make_panels_panel();
    window.views[ViewId::Plane] = make_plane_panel();
    window.views[ViewId::Words] = make_word_lines_panel();
    for (const ViewEntry& view : all_views())
        if (view.stands_in_middle() && !window.views.contains(view.id))
            window.views[view.id] = std::make_unique<ViewPanel>(view.id);
    window.arcs = make_arcs_panel();
    window.explanation = make_explanation_panel();
    return window;
}

}  // namespace headlight
