#include "ui/pictures/comparison_canvas.h"

#include <cmath>
#include <fmt/format.h>
#include <imgui.h>

#include "figure/number_format.h"
#include "ui/pictures/canvas.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kComparedEdgeTolerance = 5;

void point_at_graph(PanelContext& context, const ComparedPicture& picture, Point pointer) {
    const ComparedTensor& chosen = context.comparison.chosen;
    if (!chosen.difference) return;  // its nodes and edges may be others
    if (const auto node = picture.graph->node_at(pointer))
        hover_or_hold(context, pick_item(*node));
    else if (const auto edge = picture.graph->edge_at(pointer, kComparedEdgeTolerance))
        hover_or_hold(context, pick_at(*context.trace, *chosen.a, *edge, 0));
}

}  // namespace

bool ComparisonCanvas::Kept::operator==(const Kept& other) const {
    return trace == other.trace && a == other.a && b == other.b && show == other.show &&
           look == other.look && choice == other.choice && theme == other.theme &&
           size.x == other.size.x && size.y == other.size.y && names == other.names;
}

/// Keeps the pictures without the hovered things.
void ComparisonCanvas::keep(PanelContext& context, Point size) {
    const Scene& now = context.scene;
    const ComparedTensor& chosen = context.comparison.chosen;
    Kept of{now.kept,
            chosen.a ? chosen.a->value : nullptr,
            chosen.b ? chosen.b->value : nullptr,
            context.comparison.show,
            now.selection.looks.graph,
            graph_choice(now.selection),
            &now.theme,
            size,
            fmt::format("{}|{}", context.comparison.name_a, context.comparison.name_b)};
    of.choice.hovered_node.reset();
    of.choice.hovered_edge.reset();
    if (kept_marks_ && of == kept_of_) return;
    kept_of_ = std::move(of);
    Selection selection = now.selection;
    selection.hover({});
    selection.advance();
    const Scene scene = now.with(selection, now.theme);
    kept_ = comparison_pictures(scene, {size}, context.painter.measure());
    Figure marks{size.x, size.y};
    kept_texts_ = {size.x, size.y};
    for (Mark& mark : kept_.figure.marks) {
        const bool is_text = std::holds_alternative<TextMark>(mark);
        (is_text ? kept_texts_ : marks).marks.push_back(std::move(mark));
    }
    kept_marks_ = std::make_shared<const Figure>(std::move(marks));
}

void ComparisonCanvas::draw(PanelContext& context, Box box, Point origin,
                            const ProjectorStyle& look) {
    const Point at{origin.x + box.x, origin.y + box.y};
    const bool is_large =
        LargeGraph::is_needed(context) && shows_picture_alone(*context.trace, context.selection);
    ComparisonPictures made;
    if (is_large) {
        keep(context, {box.width, box.height});
        context.painter.draw_kept(
            {kept_marks_, {0, 0, box.width, box.height}, context.theme.canvas},
            {at.x, at.y, box.width, box.height});
        context.painter.draw(kept_texts_, at);
    } else {
        made = comparison_pictures(context.scene, {{box.width, box.height}},
                                   context.painter.measure(), look);
        context.painter.draw(made.figure, at);
    }
    const ComparisonPictures& drawn = is_large ? kept_ : made;
    for (const ComparedPicture& picture : drawn.pictures) {
        const Box& place = picture.box;
        context.regions.add(std::string("picture ") + side_text(picture.side),
                            {at.x + place.x, at.y + place.y, place.width, place.height});
        if (picture.side == ComparedSide::A && picture.graph)
            graph_of_a_.point(context, *picture.graph, at);
        else
            point(context, picture, at);
    }
    // All but the cells of A, which can be changed.
    Figure copies;
    for (const Target& target : drawn.figure.targets)
        if (!target.side.empty() || !target.rows.empty()) copies.targets.push_back(target);
    point_at_targets(context, copies, at);
}

void ComparisonCanvas::point(PanelContext& context, const ComparedPicture& picture, Point origin) {
    const Tensor* tensor = context.comparison.chosen.a;
    const Point pointer = widgets::pointer_in(origin);
    if (picture.graph) return point_at_graph(context, picture, pointer);
    if (picture.image) return widgets::point_at_word(context, picture.image->patch_at(pointer));
    const bool is_of_a = picture.side == ComparedSide::A && picture.grid.rows > 0;
    if (tensor && is_of_a) cells_of_a_.point(context, *tensor, picture.grid, origin);
}

MatrixPtr subtracted_in_b(const PanelContext& context, const std::string& path) {
    if (!context.comparison.is_on()) return nullptr;
    const Tensor* a = context.trace->find(path);
    const Tensor* b = context.comparison.find(path);
    if (!a || !b) return nullptr;
    const ComparedTensor& chosen = context.comparison.chosen;
    if (chosen.a == a && chosen.b == b) return chosen.matched.values;
    const TensorIn in_a{*context.trace, *a}, in_b{*context.comparison.trace, *b};
    return why_not_subtracted(in_a, in_b).empty() ? match_by_name(in_a, in_b).values : nullptr;
}

void draw_compared_cell(PanelContext& context, const CellPlace& cell) {
    const MatrixPtr values_b = subtracted_in_b(context, cell.path);
    if (!values_b) return;
    const Scalar b = (*values_b)(cell.row, cell.column);
    const Scalar a = (*context.trace->at(cell.path).value)(cell.row, cell.column);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const auto part = [&](const char* name, const std::string& value, Color color) {
        ImGui::TextDisabled("%s", name);
        ImGui::SameLine(0, 3);
        context.painter.push_font(Font::Bold, 12);
        ImGui::TextColored(im_vec(color), "%s", value.c_str());
        context.painter.pop_font();
    };
    const Scalar d = a - b;
    const Theme& theme = context.theme;
    context.painter.push_font(Font::Regular, 12);
    part("A", format_value(a), theme.accent);
    ImGui::SameLine(0, 9);
    part("B", std::isnan(b) ? "–" : format_value(b), theme.text);
    ImGui::SameLine(0, 9);
    part("A − B", std::isfinite(d) ? format_value(d) : "–",
         d < 0 ? theme.negative : theme.positive);
    context.painter.pop_font();
    context.regions.add("compared cell",
                        {at.x, at.y, ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight()});
}

}  // namespace headlight
