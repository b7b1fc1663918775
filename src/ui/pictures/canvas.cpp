#include "ui/pictures/canvas.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <limits>

#include "ui/pictures/cell_pointer.h"
#include "ui/pictures/comparison_canvas.h"
#include "ui/widgets/widgets.h"
#include "views/held.h"

namespace headlight {
namespace {

/// Returns "B blocks.0.attn.heads.1.pattern".
std::string with_side(const Target& target, const std::string& name) {
    return target.side.empty() ? name : fmt::format("{} {}", target.side, name);
}

void name_target(PanelContext& context, const Target& target, Point origin) {
    const CellGrid placed = target.grid.moved(origin);
    const bool is_whole = target.rows.empty() && target.columns.empty();
    if (target.of == Target::Of::Cells && is_whole)
        context.regions.add_grid(with_side(target, target.path), placed);
    if (!target.name.empty() && ImGui::IsRectVisible({placed.cells.x, placed.cells.y},
                                                     {placed.cells.right(), placed.cells.bottom()}))
        context.regions.add(target.name, placed.cells);
    if (target.of == Target::Of::Head)
        context.regions.add(
            with_side(target, fmt::format("head {}.heads.{}", target.path, target.index)),
            placed.cells);
}

/// Points at A's cell in the same place for a cell of B or of A − B, if A has one. Where words of B
/// stand elsewhere than in A, a cell of B is none of A's.
void point_at_cell(PanelContext& context, const Target& target, const Tensor& tensor,
                   Point pointer) {
    const auto cell = target.cell_at(pointer);
    if (!cell || cell->row >= tensor.rows().size || cell->column >= tensor.columns().size) return;
    if (target.side == side_text(ComparedSide::B)) {
        const Tensor* b = context.comparison.find(target.path);
        const MatrixPtr in_place = subtracted_in_b(context, target.path);
        if (in_place && b && in_place != b->value) return;
    }
    hover_or_hold(context, pick_at(*context.trace, tensor, cell->row, cell->column));
}

void point_at_row(PanelContext& context, const Tensor& tensor, Index row) {
    const int list = tensor.rows().list;
    if (has_item_rows(tensor, list)) return widgets::point_at_word(context, row, list);
    hover_or_hold(context, pick_at(*context.trace, tensor, row, 0));
}

/// Points at a row where the rows of two matrices stand beside each other: one of the first matrix
/// asks, one of the second answers, and the other one stays held.
void point_at_one_of_two(PanelContext& context, const Tensor& tensor, Index row, bool asks) {
    const int list = tensor.rows().list;
    const bool answers = !asks && tensor.rows().kind == AxisKind::Key;
    if (!has_item_rows(tensor, list) && !answers) return point_at_row(context, tensor, row);
    const AxisIndices& held = context.selection.held().indices;
    Pick pick;
    pick.indices.query = asks ? std::optional(row) : held.query;
    pick.indices.query_list = asks ? list : held.query_list;
    pick.indices.key = asks ? held.key : std::optional(row);
    pick.indices.key_list = asks ? held.key_list : list;
    hover_or_hold(context, pick);
}

/// Points at a word that is read; where the words read each other, at the word itself.
void point_at_column(PanelContext& context, const Tensor& tensor, Index column) {
    const int list = tensor.columns().list;
    if (list == tensor.rows().list) return widgets::point_at_word(context, column, list);
    Pick pick;
    pick.indices.key = column;
    pick.indices.key_list = list;
    hover_or_hold(context, pick);
}

/// Names the head, and opens it with a click, unless only B has it.
void point_at_head(PanelContext& context, const Target& target) {
    const Component* part = find_component(context.components, target.path);
    if (!part) return;
    widgets::draw_tooltip(attention_name(*part) + " · " +
                          head_title(*part, static_cast<int>(target.index)));
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
    Selection& selection = context.selection;
    selection.choose_component(*context.trace, context.components, target.path);
    selection.choose_head(*context.trace, context.components, static_cast<int>(target.index));
}

void answer(PanelContext& context, const Figure& figure, const Target& target, Point pointer) {
    if (target.of == Target::Of::Head) return point_at_head(context, target);
    const Tensor* tensor = context.trace->find(target.path);
    if (!tensor) return;
    if (target.of == Target::Of::Cells) return point_at_cell(context, target, *tensor, pointer);
    const bool is_row = target.of == Target::Of::Row;
    if (target.index >= (is_row ? tensor->rows() : tensor->columns()).size) return;
    if (!is_row) return point_at_column(context, *tensor, target.index);
    const std::string& first = figure.targets.front().path;
    const bool are_two = std::ranges::any_of(
        figure.targets, [&](const Target& other) { return other.path != first; });
    are_two ? point_at_one_of_two(context, *tensor, target.index, target.path == first)
            : point_at_row(context, *tensor, target.index);
}

/// Returns the target under the pointer whose middle is nearest.
const Target* target_under(const Figure& figure, Point pointer) {
    const Target* nearest = nullptr;
    float least = std::numeric_limits<float>::infinity();
    for (const Target& target : figure.targets) {
        if (!target.grid.seen().contains(pointer)) continue;
        const Point middle = target.grid.seen().center();
        const float distance = std::hypot(middle.x - pointer.x, middle.y - pointer.y);
        if (distance < least) least = distance, nearest = &target;
    }
    return nearest;
}

}  // namespace

void draw_alive(PanelContext& context, const Figure& figure, Point origin) {
    context.painter.draw(figure, origin);
    point_at_targets(context, figure, origin);
}

void hover_or_hold(PanelContext& context, const Pick& pick) {
    context.selection.hover(pick);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) widgets::hold_clicked(context, pick);
}

void draw_alive_on_card(PanelContext& context, const Figure& figure) {
    Figure card{figure.width, figure.height, {}};
    card.add(RectMark{{0.5f, 0.5f, card.width - 1, card.height - 1},
                      context.theme.card,
                      context.theme.border,
                      1,
                      8});
    draw_alive(context, figure, widgets::place_figure(context, card));
}

void point_at_targets(PanelContext& context, const Figure& figure, Point origin) {
    for (const Target& target : figure.targets) name_target(context, target, origin);
    const Point pointer = widgets::pointer_in(origin);
    if (const Target* target = target_under(figure, pointer))
        return answer(context, figure, *target, pointer);
    const auto is_matrix = [](const Target& target) {
        return target.of == Target::Of::Cells && target.rows.empty() && target.columns.empty();
    };
    if (figure.targets.size() != 1 || !is_matrix(figure.targets.front())) return;
    const Target& only = figure.targets.front();
    if (const Tensor* tensor = context.trace->find(only.path))
        point_at_labels(context, *tensor, only.grid, origin);
}

}  // namespace headlight
