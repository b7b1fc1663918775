#include "ui/lecture/page_canvas.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <utility>

#include "core/error.h"
#include "lecture/page_scope.h"
#include "paint/figure_extent.h"
#include "paint/figures/guess_marks.h"
#include "paint/figures/heatmap_figure.h"
#include "paint/figures/tensor_figure.h"
#include "paint/number_format.h"
#include "scene/figures/image_view.h"
#include "scene/figures/matrix_part.h"
#include "scene/figures/row_bars.h"
#include "scene/figures/shown_origin.h"
#include "ui/pictures/image_canvas.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

// Of a page that is kPageHeight high.
constexpr float kControlRow = 34;
constexpr float kPageProblemSize = 13;

void draw_problem(PanelContext& context, const std::string& problem, Box box) {
    ImGui::SetCursorScreenPos({box.x, box.y});
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + box.width);
    context.painter.push_font(Font::Regular, kPageProblemSize);
    ImGui::TextColored(im_vec(context.theme.warning), "%s", problem.c_str());
    context.painter.pop_font();
    ImGui::PopTextWrapPos();
}

/// The cell of the matrix under a cell of its part.
CellIndex whole_cell(const MatrixLook& look, CellIndex cell) {
    const auto at = [](const std::vector<Index>& part, Index k) {
        return part.empty() ? k : part[static_cast<std::size_t>(k)];
    };
    return {at(look.rows, cell.row), at(look.columns, cell.column)};
}

/// "it, cat: 0.98" beside the pointer.
void name_cell(PanelContext& context, const Tensor& tensor, std::optional<CellIndex> cell) {
    if (!cell || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
    const Plan& plan = context.trace->plan();
    widgets::draw_tooltip(shown_label(plan, tensor.rows(), cell->row) + ", " +
                          shown_label(plan, tensor.columns(), cell->column) + ": " +
                          format_value((*tensor.value)(cell->row, cell->column)));
}

}  // namespace

void PageCanvas::draw(PanelContext& context, const LectureBook& book, Box box) {
    const LectureBook::Shown& shown = book.shown();
    const Lecture& lecture = book.lecture();
    at_ = book.at();
    if (at_ >= lecture.pages.size()) return;
    begin_anew(shown.opening);
    const bool has_study = shown.page.space && context.trace;
    const MeasureText& measure = context.painter.measure();
    const bool has_view = has_study && shown.page.view;
    const float unit = box.height / kPageHeight;
    const bool has_task = shown.task && (has_study || !shown.page.space);
    const TaskPlace task =
        has_task ? lay_out_task(context, shown, box.width - 2 * kPageMargin * unit, unit)
                 : TaskPlace{};
    const float controls = shown.page.controls.empty() ? 0 : kControlRow;
    const PageContent content{.title = lecture.pages[at_].title,
                              .text = shown.text,
                              .has_view = has_view || shown.page.curves || !shown.problem.empty(),
                              .aspect = has_view ? view_aspect(context.scene, *shown.page.view)
                                        : shown.page.curves ? kCurvesAspect
                                                            : 1,
                              .below = controls + task.height / unit};
    PageLayout layout = layout_page(content, {box.width, box.height}, context.theme, measure);
    add_page_foot(layout.text, layout.foot,
                  has_study && shown.text_problem.empty() ? shown_origin(context.scene) : "",
                  {at_, lecture.pages.size()}, context.theme, measure);
    context.painter.draw(layout.text, {box.x, box.y});
    context.regions.add("page", box);
    const auto placed = [&](Box part) {
        part.x += box.x;
        part.y += box.y;
        return part;
    };
    if (!shown.text_problem.empty()) draw_problem(context, shown.text_problem, placed(layout.foot));
    if (!shown.problem.empty())
        draw_problem(context, shown.problem, placed(layout.view));
    else if (shown.page.curves && !layout.view.is_empty())
        context.painter.draw(
            page_curves_figure(*shown.page.curves, {layout.view.width, layout.view.height},
                               context.theme, measure),
            {placed(layout.view).x, placed(layout.view).y});
    else if (has_study && shown.page.view)
        draw_view(context, shown, placed(layout.view), unit);
    if (has_study || has_task) draw_below(context, shown, task, placed(layout.below), unit);
}

/// A page that was opened again gives its help again.
void PageCanvas::begin_anew(std::uint64_t opening) {
    const auto at = answers_.find(at_);
    if (at == answers_.end() || at->second.opening == opening) return;
    const bool is_new = std::exchange(at->second.opening, opening) == 0;
    if (!is_new) at->second.n_hints = 0;
}

bool PageCanvas::is_covered(const LectureBook::Shown& shown) const {
    if (!shown.task || !covers_matrix(*shown.task)) return false;
    const auto answer = answers_.find(at_);
    if (answer == answers_.end()) return true;
    const bool is_right =
        answer->second.verdict && answer->second.verdict->is == Verdict::Is::Right;
    return !is_right && !answer->second.is_shown;
}

void PageCanvas::draw_view(PanelContext& context, const LectureBook::Shown& shown, Box box,
                           float unit) {
    const FigureOf view = *shown.page.view;
    const Point origin{box.x, box.y};
    const Box room{0, 0, box.width, box.height};
    if (box.is_empty()) return;
    const bool is_guessed = is_covered(shown);
    if (view == FigureOf::Matrix || (view == FigureOf::Row && is_guessed))
        return draw_matrix(context, box, unit, is_guessed);
    if (view == FigureOf::Graph && context.document.drawn_graph())
        return graph_.draw(context, room, origin);
    if (view == FigureOf::Image && has_image(*context.trace))
        return draw_image_canvas(context, room, origin, nullptr,
                                 is_guessed ? ImageTitle::Plain : ImageTitle::WithClass);
    if (view == FigureOf::Compared && context.comparison.is_on()) {
        const auto graph = compared_.draw(context, room, origin, page_far_look(unit));
        if (graph) graph_.point(context, *graph, origin);
        return;
    }
    const PageRoom place{
        {box.width, box.height}, unit, is_guessed ? PageRoom::Cover::On : PageRoom::Cover::Off};
    try {
        const ViewFigure figure =
            page_view_figure(context.scene, view, place, context.painter.measure());
        const float left = std::max(0.0f, box.width - figure.figure.width) / 2;
        context.painter.draw(figure.figure, {box.x + left, box.y});
    } catch (const Error& error) {
        draw_problem(context, error.what(), box);
    }
}

void PageCanvas::draw_matrix(PanelContext& context, Box box, float unit, bool is_covered) {
    const Tensor& tensor = context.trace->at(context.selection.chosen);
    if (!tensor.value) return;
    const MeasureText& measure = context.painter.measure();
    const Point at{box.x, box.y};
    if (is_shown_as_bars(tensor) && !is_covered)
        return context.painter.draw(
            row_bars_figure(context.scene, tensor, {box.width, box.height}, measure), at);
    HeatmapInput input = page_matrix(context.scene, tensor, {box.width, box.height}, unit);
    if (is_covered) {
        input.selected = {};
        input.hovered = {};
        cover(input, context.theme, measure);
    }
    const HeatmapFigure picture = heatmap_figure(input, context.theme, measure);
    const Point corner = far_corner(picture.figure, measure);
    const Point middle{at.x + std::max(0.0f, (box.width - corner.x) / 2), at.y};
    context.painter.draw(picture.figure, middle);
    if (appeared_ < 1 && !is_covered) {
        const Box& cells = picture.grid.cells;
        const auto rows = static_cast<float>(picture.grid.rows);
        const float seen = std::floor(appeared_ * rows) / rows * cells.height;
        Figure curtain;
        curtain.add(RectMark{{cells.x, cells.y + seen, cells.width, cells.height - seen},
                             context.theme.card});
        context.painter.draw(curtain, middle);
    }
    if (is_covered) return;
    if (is_shown_in_part(context.scene, tensor)) {
        const auto cell = picture.grid.cell_at(widgets::pointer_in(middle));
        return name_cell(
            context, tensor,
            cell ? std::optional(whole_cell(context.selection.matrix, *cell)) : std::nullopt);
    }
    cells_.point(context, tensor, picture.grid, middle);
    point_at_labels(context, tensor, picture.grid, middle);
    name_cell(context, tensor, picture.grid.cell_at(widgets::pointer_in(middle)));
}

void PageCanvas::draw_below(PanelContext& context, const LectureBook::Shown& shown,
                            const TaskPlace& task, Box box, float unit) {
    if (!shown.page.controls.empty()) {
        const Box row{box.x, box.y, box.width, kControlRow * unit};
        draw_controls(context, shown.page.controls, row, unit);
        box.y += row.height;
        box.height -= row.height;
    }
    if (task.height > 0) draw_task(context, shown, task, box, unit);
}

}  // namespace headlight
