#include "ui/presentation/guesses.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>

#include "figure/guess_marks.h"
#include "ui/widgets/widgets.h"

namespace headlight {

const char* guess_question(const Tensor& tensor) {
    return tensor.quantity() == Quantity::Probability
               ? "Which key is read most? One click per row, then reveal (R or →)."
               : "Which cell is the largest? One click per row, then reveal (R or →).";
}

std::string guess_verdict(const Prediction& prediction, const Tensor& tensor) {
    if (prediction.covers == Prediction::Covers::Nothing || !tensor.value) return {};
    const auto guesses = prediction.guesses(tensor);
    if (guesses.empty()) return {};
    const std::string count = std::to_string(guesses.size());
    if (prediction.hides(tensor)) return count + (count == "1" ? " guess" : " guesses");
    const auto right = std::count_if(guesses.begin(), guesses.end(), [&](const CellIndex& guess) {
        return is_right(tensor, guess);
    });
    return fmt::format("{} of {}{} right", right, count, count == "1" ? " guess" : " guesses");
}

void draw_guesses(PanelContext& context, const Prediction& prediction, const Tensor& tensor,
                  const PlacedGrid& place) {
    if (prediction.covers == Prediction::Covers::Nothing) return;
    const CellGrid& grid = place.grid;
    const bool is_hidden = prediction.hides(tensor);
    const float radius = std::clamp(
        (is_hidden ? 0.38f : 0.2f) * std::min(grid.cell_width(), grid.cell_height()), 2.0f, 11.0f);
    Figure figure;
    const auto mark = [&](CellIndex cell, GuessState state) {
        // In its cell's corner the number stays readable.
        const Box box = grid.cell_box(cell.row, cell.column);
        const Point corner{box.right() - 1.2f * radius, box.y + 1.2f * radius};
        const Point center = is_hidden ? box.center() : corner;
        add_guess_mark(figure, {center, radius, state}, context.theme);
    };
    for (const CellIndex& guess : prediction.guesses(tensor)) {
        if (is_hidden) {
            mark(guess, GuessState::Open);
            continue;
        }
        const bool right = is_right(tensor, guess);
        if (!right) mark(best_of_row(tensor, guess), GuessState::Answer);
        mark(guess, right ? GuessState::Right : GuessState::Wrong);
    }
    context.painter.draw(figure, place.at);
}

void take_guess(PanelContext& context, Prediction& prediction, const Tensor& tensor,
                const PlacedGrid& place) {
    CellGrid placed = place.grid;
    placed.cells.x += place.at.x;
    placed.cells.y += place.at.y;
    context.regions.add_grid(tensor.path(), placed);
    const auto cell = place.grid.cell_at(widgets::pointer_in(place.at));
    if (!cell) return;
    context.selection.hover({cell_focus(*context.trace, tensor, cell->row, cell->column), {}});
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) prediction.guess(tensor, *cell);
}

}  // namespace headlight
