// The words on a line, with arcs to what the chosen word reads; or on two, source and target.
#include <imgui.h>

#include "paint/alignment_figure.h"
#include "paint/arcs_figure.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace headlight {
namespace {

class ArcsPanel final : public Panel {
  public:
    const char* title() const override { return "Arcs"; }
    const char* help() const override {
        return "The chosen head's pattern between the words: an arc, or a curve from the target to "
               "the source, as wide as the weight.";
    }

    void draw(PanelContext& context) override {
        const Tensor* pattern = shown_pattern(*context.trace, context.parts, context.selection);
        if (!pattern) return;
        if (pattern->rows.list == pattern->columns.list)
            draw_arcs(context, *pattern);
        else
            draw_alignment(context, *pattern);
    }

  private:
    static void draw_arcs(PanelContext& context, const Tensor& pattern) {
        const ImVec2 size = ImGui::GetContentRegionAvail();
        const int list = pattern.rows.list;
        ArcsInput input{.labels = context.trace->items(list),
                        .rows = {},
                        .hovered = context.selection.hovered().focus.key,
                        .width = size.x,
                        .height = size.y};
        const Focus& focus = context.selection.current().focus;
        if (focus.query && focus.query_list == list && pattern.value &&
            *focus.query < pattern.value->rows()) {
            const auto row = pattern.value->row(*focus.query);
            input.rows.push_back({*focus.query, std::vector<Scalar>(row.begin(), row.end()),
                                  head_color(context.theme, context.selection.head)});
        }
        const ArcsFigure arcs = arcs_figure(input, context.theme, context.painter.measure());
        const Point origin = widgets::place_figure(context, arcs.figure);
        widgets::point_at_word(context, arcs.word_at(widgets::pointer_in(origin)), list);
    }

    static void draw_alignment(PanelContext& context, const Tensor& pattern) {
        const ImVec2 size = ImGui::GetContentRegionAvail();
        const Focus& focus = context.selection.current().focus;
        const int source = pattern.columns.list, target = pattern.rows.list;
        AlignmentInput input{.source = context.trace->items(source),
                             .target = context.trace->items(target),
                             .pattern = pattern.value,
                             .query = {},
                             .hovered = {},
                             .color = head_color(context.theme, context.selection.head),
                             .width = size.x,
                             .height = size.y};
        if (focus.query_list == target) input.query = focus.query;
        if (focus.key_list == source) input.hovered = focus.key;
        const AlignmentFigure lines =
            alignment_figure(input, context.theme, context.painter.measure());
        const Point origin = widgets::place_figure(context, lines.figure);
        const Point pointer = widgets::pointer_in(origin);
        widgets::point_at_word(context, lines.target_at(pointer), target);
        if (const auto word = lines.source_at(pointer)) {
            Pointed pointed;
            pointed.focus.key = *word;
            pointed.focus.key_list = source;
            context.selection.hover(pointed);
        }
    }
};

}  // namespace

std::unique_ptr<Panel> make_arcs_panel() {
    return std::make_unique<ArcsPanel>();
}

}  // namespace headlight
