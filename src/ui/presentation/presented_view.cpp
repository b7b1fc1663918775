#include "ui/presentation/presented_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <utility>

#include "core/error.h"
#include "figure/figure_parts.h"
#include "figure/number_format.h"
#include "figure/tensor_figure.h"
#include "ui/pictures/canvas.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/row_bars.h"

namespace headlight {

const char* guess_question(const Tensor& tensor) {
    return tensor.quantity() == Quantity::Probability
               ? "Which key is read most? One click per row, then reveal (R or →)."
               : "Which cell is the largest? One click per row, then reveal (R or →).";
}

std::string guess_verdict(const Prediction& prediction, const Tensor& tensor) {
    if (!prediction.is_on() || !tensor.value) return {};
    const auto guesses = prediction.guesses(tensor);
    if (guesses.empty()) return {};
    const std::string count = std::to_string(guesses.size());
    if (prediction.hides(tensor)) return count + (count == "1" ? " guess" : " guesses");
    const auto right =
        std::ranges::count(prediction.marks(tensor), GuessState::Right, &Prediction::Marked::state);
    return fmt::format("{} of {}{} right", right, count, count == "1" ? " guess" : " guesses");
}

std::vector<std::string> guess_texts(const Prediction& prediction, const Tensor& tensor) {
    const std::string verdict = guess_verdict(prediction, tensor);
    if (!verdict.empty() || !prediction.hides(tensor)) return {verdict};
    const std::string question = guess_question(tensor);
    const std::string asked = question.substr(0, question.find('?') + 1);
    return {question, asked + "  (R reveals)", asked};
}

namespace {

/// The cells of a picture, which stands at that place of the window.
struct PlacedGrid {
    const CellGrid& grid;
    Point at;
};

/// Draws the guesses on the matrix: right and wrong ones once it is revealed.
void draw_guesses(PanelContext& context, const Prediction& prediction, const Tensor& tensor,
                  const PlacedGrid& place) {
    if (!prediction.is_on()) return;
    const CellGrid& grid = place.grid;
    const bool is_hidden = prediction.hides(tensor);
    const float radius = std::clamp(
        (is_hidden ? 0.38f : 0.2f) * std::min(grid.cell_width(), grid.cell_height()), 2.0f, 11.0f);
    Figure figure;
    for (const auto& [cell, state] : prediction.marks(tensor)) {
        // In its cell's corner the number stays readable.
        const Box box = grid.cell_box(cell.row, cell.column);
        const Point corner{box.right() - 1.2f * radius, box.y + 1.2f * radius};
        const Point center = is_hidden ? box.center() : corner;
        add_guess_mark(figure, {center, radius, state}, context.theme);
    }
    context.painter.draw(figure, place.at);
}

/// Takes a click on a cell of the covered matrix as a guess.
void take_guess(PanelContext& context, Prediction& prediction, const Tensor& tensor,
                const PlacedGrid& place) {
    context.regions.add_grid(tensor.path(), place.grid.moved(place.at));
    const auto cell = place.grid.cell_at(widgets::pointer_in(place.at));
    if (!cell) return;
    context.selection.hover({axis_indices(*context.trace, tensor, cell->row, cell->column), {}});
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) prediction.guess(tensor, *cell);
}

/// Draws "it, cat: 0.98" beside the pointer.
void name_cell(PanelContext& context, const Tensor& tensor, std::optional<CellIndex> cell) {
    if (!cell || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
    const Plan& plan = context.trace->plan();
    widgets::draw_tooltip(fmt::format("{}, {}: {}", shown_label(plan, tensor.rows(), cell->row),
                                      shown_label(plan, tensor.columns(), cell->column),
                                      format_value((*tensor.value)(cell->row, cell->column))));
}

/// Covers the rows that have not appeared yet.
void draw_curtain(PanelContext& context, const CellGrid& grid, Point at, float appeared) {
    const Box& cells = grid.cells;
    const auto rows = static_cast<float>(grid.rows);
    const float seen = std::floor(appeared * rows) / rows * cells.height;
    Figure curtain;
    curtain.add(
        RectMark{{cells.x, cells.y + seen, cells.width, cells.height - seen}, context.theme.card});
    context.painter.draw(curtain, at);
}

/// Makes the drawn matrix alive; while it is hidden, it takes guesses.
void point_at_matrix(PanelContext& context, const Tensor& tensor, const HeatmapFigure& picture,
                     Point at, CellPointer& cells, const PresentedMatrix& matrix) {
    const PlacedGrid place{picture.grid, at};
    const Target* target = picture.figure.targets.empty() ? nullptr : &picture.figure.targets[0];
    const bool is_part = target && !target->rows.empty();  // its cells have other places
    if (!is_part) draw_guesses(context, matrix.prediction, tensor, place);
    if (matrix.prediction.hides(tensor)) {
        if (!is_part) take_guess(context, matrix.prediction, tensor, place);
        return;
    }
    if (is_part) {
        point_at_targets(context, picture.figure, at);
    } else {
        cells.point(context, tensor, picture.grid, at);
        point_at_labels(context, tensor, picture.grid, at);
    }
    if (matrix.names_cells && target)
        name_cell(context, tensor, target->cell_at(widgets::pointer_in(at)));
}

}  // namespace

std::string draw_presented_matrix(PanelContext& context, const Tensor& tensor, CellPointer& cells,
                                  PresentedMatrix matrix) {
    const MeasureText& measure = context.painter.measure();
    HeatmapInput& input = matrix.input;
    const Point room{input.width, input.height};
    const bool is_hidden = !matrix.is_sealed && matrix.prediction.hides(tensor);
    const bool is_covered = is_hidden || matrix.is_sealed;
    if (is_shown_as_bars(tensor) && !is_covered) {
        const Figure bars = row_bars_figure(context.scene, tensor, room, measure);
        context.painter.draw(bars, matrix.at);
        return missing_words(bars);
    }
    if (is_covered) {
        input.selected = {};
        if (matrix.is_sealed) input.hovered = {};
        cover(input, context.theme, measure);
    }
    const HeatmapFigure picture = heatmap_figure(input, context.theme, measure);
    const Point corner = far_corner(picture.figure, measure);
    Point at = matrix.at;
    at.x += std::max(0.0f, (room.x - kFigurePad - corner.x) / 2);
    if (matrix.is_in_middle) at.y += std::max(0.0f, (room.y - kFigurePad - corner.y) / 2);
    context.painter.draw(picture.figure, at);
    if (!matrix.is_sealed) {
        if (matrix.appeared < 1 && !is_hidden)
            draw_curtain(context, picture.grid, at, matrix.appeared);
        point_at_matrix(context, tensor, picture, at, cells, matrix);
    }
    return missing_words(picture.figure);
}

std::string draw_presented_view(PanelContext& context, ViewId view, const PageRoom& room,
                                Point at) {
    try {
        const Figure figure =
            page_view_figure(context.scene, view, room, context.painter.measure()).figure;
        const Point middle{at.x + std::max(0.0f, room.size.x - figure.width) / 2, at.y};
        if (room.cover == PageRoom::Cover::On)
            context.painter.draw(figure, middle);
        else
            draw_alive(context, figure, middle);
        return missing_words(figure);
    } catch (const Error& error) {
        draw_problem(context, error.what(), {at.x, at.y, room.size.x, room.size.y});
        return {};
    }
}

void draw_problem(PanelContext& context, const std::string& problem, Box box) {
    constexpr float kProblemSize = 14;
    ImGui::SetCursorScreenPos({box.x, box.y});
    context.painter.push_font(Font::Regular, kProblemSize);
    ImGui::TextColored(im_vec(context.theme.warning), "%s",
                       widgets::wrapped_as_read(problem, box.width).c_str());
    context.painter.pop_font();
}

}  // namespace headlight
