// The words on a line, with arcs to what the chosen word reads.
#include <imgui.h>

#include "paint/arcs_figure.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace headlight {
namespace {

class ArcsPanel final : public Panel {
  public:
    const char* title() const override { return "Arcs"; }
    const char* help() const override {
        return "One row of the chosen head's pattern: an arc from the word that looks to each word "
               "that "
               "it reads, as wide as the weight.";
    }

    void draw(PanelContext& context) override {
        const Trace& trace = *context.trace;
        const ImVec2 size = ImGui::GetContentRegionAvail();
        ArcsInput input{.labels = *trace.items,
                        .rows = {},
                        .hovered = context.selection.hovered().focus.key,
                        .width = size.x,
                        .height = size.y};
        const Tensor& pattern = trace.at(
            head_path(trace, context.selection.layer, context.selection.head) + ".pattern");
        if (const auto query = context.selection.current().focus.query; query && pattern.value) {
            const auto row = pattern.value->row(*query);
            input.rows.push_back({*query, std::vector<Scalar>(row.begin(), row.end()),
                                  head_color(context.theme, context.selection.head)});
        }
        const ArcsFigure arcs = arcs_figure(input, context.theme, context.painter.measure());
        const Point origin = widgets::place_figure(context, arcs.figure);
        widgets::point_at_word(context, arcs.word_at(widgets::pointer_in(origin)));
    }
};

}  // namespace

std::unique_ptr<Panel> make_arcs_panel() {
    return std::make_unique<ArcsPanel>();
}

}  // namespace headlight
