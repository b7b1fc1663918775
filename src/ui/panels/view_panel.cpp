// A view in the middle of the window that has no controls of its own: the figure that is exported,
// alive.
#include <algorithm>
#include <imgui.h>

#include "core/error.h"
#include "scene/export/look_words.h"
#include "scene/figures/view_figure.h"
#include "ui/panels/component_strip.h"
#include "ui/panels/panels.h"
#include "ui/pictures/canvas.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kViewMargin = 16;

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
        look.origin = FigureLook::Origin::Hidden;
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

std::unique_ptr<Panel> make_view_panel(ViewId view) {
    return std::make_unique<ViewPanel>(view);
}

}  // namespace headlight
