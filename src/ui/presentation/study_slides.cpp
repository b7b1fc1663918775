#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <imgui.h>
#include <string>
#include <utility>
#include <vector>

#include "app_state/training_view.h"
#include "core/error.h"
#include "core/explain.h"
#include "figure/heatmap_figure.h"
#include "figure/tensor_figure.h"
#include "figure/words/arithmetic.h"
#include "figure/words/formula.h"
#include "present/page/page_figure.h"
#include "present/page_from_view.h"
#include "text/strings.h"
#include "ui/compat.h"
#include "ui/pictures/image_canvas.h"
#include "ui/presentation/presentation.h"
#include "ui/presentation/presented_view.h"
#include "ui/training/training_panels.h"
#include "ui/widgets/widgets.h"
#include "views/graph_view.h"
#include "views/held.h"
#include "views/image_view.h"
#include "views/step_figure.h"

namespace headlight {

namespace {

constexpr float kArithmetic = 30;

/// Returns how large a point of a page is that fills the window.
float slide_unit() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    return page_unit({size.x, size.y});
}

/// True if one of the study's own pictures takes part: a graph's or an image's.
bool has_picture(const PanelContext& context) {
    return shown_pattern(*context.trace, context.components, context.selection) &&
           (context.document.drawn_graph() || has_image(*context.trace));
}

}  // namespace

std::optional<ViewId> presented_view(const Scene& scene) {
    const ViewId view = shown_view(scene);
    const bool has_steps = view == ViewId::Matrix || view == ViewId::Compared ||
                           view == ViewId::Graph || view == ViewId::Image ||
                           view == ViewId::Explanation;  // which lies over a step
    return has_steps ? std::nullopt : std::optional(view);
}

float slide_zoom(Point window) {
    return std::max(0.1f, page_unit(window));
}

std::string StudySlides::draw(PanelContext& context, Panel& training, Box room, float covered) {
    Box box{kSlidePad, 0, room.width - 2 * kSlidePad, room.height - covered};
    if (!context.trace) {
        constexpr float kAbove = 20;
        if (context.error)
            draw_problem(context, text_for_user(*context.error),
                         {box.x, kAbove, box.width, box.height - kAbove});
        return {};
    }
    const std::optional<ViewId> view = presented_view(context.scene);
    if (!view) return draw_step(context, box);
    if (view == ViewId::Training) {
        draw_training(context, training, box);
        return {};
    }
    // The line of the arithmetic is free: a notice there makes nothing smaller.
    box.height = room.height - std::max(covered, kArithmetic);
    return draw_view(context, *view, box);
}

std::string StudySlides::draw_step(PanelContext& context, Box room) {
    const Tensor& tensor = context.trace->at(context.selection.chosen);
    // The held cell is released, as it may be the very answer.
    if (prediction_.hides(tensor) && context.selection.held().cell) context.selection.release();
    carry_held_cell(context.selection, *context.trace);
    draw_head(context, tensor, {room.x, 0, room.width, kSlideHead});
    Box flow{room.x, kSlideHead, room.width, room.height - kArithmetic - kSlideHead};
    const Box arithmetic{room.x, flow.bottom(), room.width, kArithmetic};
    if (context.trains) {
        constexpr float kAbove = 6;
        flow.height -= kTrainingTransport + kAbove;
        draw_training_transport(context,
                                {flow.x, flow.bottom() + kAbove, flow.width, kTrainingTransport});
    }
    std::string missing;
    if (context.comparison.is_on() && !prediction_.hides(tensor)) {
        const float unit = slide_unit();
        compared_.draw(context, {0, 0, flow.width, flow.height}, {flow.x, flow.y},
                       projector_style(unit));
        context.regions.add("slide compared", flow);
    } else {
        ImGui::SetCursorScreenPos({flow.x, flow.y});
        const auto drawn = cards_.draw_cards(context, FlowArrangement::Walk,
                                             {flow.width, flow.height}, &prediction_);
        missing = draw_large(context, tensor, drawn.flow.main, drawn.origin);
    }
    draw_arithmetic(context, arithmetic);
    return missing;
}

/// Draws the view as on a page of a lecture, with the title that it gets there.
std::string StudySlides::draw_view(PanelContext& context, ViewId view, Box box) {
    context.painter.draw(view_head(context.scene, view, title_from_view(context.scene, view), box,
                                   context.painter.measure()),
                         {0, 0});
    box.y += kViewHead;
    box.height -= kViewHead;
    context.regions.add(std::string("slide ") + view_of(view).word, box);
    const PageRoom room{{box.width, box.height}, slide_unit()};
    return draw_presented_view(context, view, room, {box.x, box.y});
}

/// Draws the training as in the window: it plays, and its steps are dragged, on the slide as well.
void StudySlides::draw_training(PanelContext& context, Panel& panel, Box box) {
    const Figure head = view_head(context.scene, ViewId::Training, training_title(context.training),
                                  {box.x, box.y, box.width, kViewHead}, context.painter.measure());
    context.painter.draw(head, {0, 0});
    box.y += kViewHead;
    box.height -= kViewHead;
    context.regions.add("slide training", box);
    ImGui::SetCursorScreenPos({0, box.y});
    compat::begin_child("training", {box.right() + box.x, box.height}, compat::Border::No);
    panel.draw(context);
    ImGui::EndChild();
}

void StudySlides::draw_head(PanelContext& context, const Tensor& tensor, Box box) {
    SlideHead head{.box = box, .sentence = {}, .verdict = guess_verdict(prediction_, tensor)};
    if (prediction_.hides(tensor)) head.sentence = guess_question(tensor);
    context.painter.draw(slide_head(context.scene, tensor, head, context.painter.measure()),
                         {0, 0});
    context.regions.add("slide " + tensor.path(), box);
}

std::string StudySlides::draw_large(PanelContext& context, const Tensor& tensor, Box box,
                                    Point origin) {
    if (!has_picture(context)) return draw_matrix(context, tensor, box, origin);
    if (shows_picture_alone(*context.trace, context.selection))
        return draw_picture(context, box, origin);
    Box picture = box;
    picture.width = 0.42f * box.width;
    box.x = picture.right() + 12;
    box.width -= picture.width + 12;
    const std::string missing = draw_matrix(context, tensor, box, origin);
    const std::string missing_beside = draw_picture(context, picture, origin);
    return missing.empty() ? missing_beside : missing;
}

std::string StudySlides::draw_picture(PanelContext& context, Box box, Point origin) {
    if (!context.document.drawn_graph()) {
        draw_image_canvas(context, box, origin, &prediction_);
        return {};
    }
    Figure frame;
    frame.left_out = graph_.draw(context, box, origin, &prediction_);
    if (shows_picture_alone(*context.trace, context.selection)) {
        frame.add(RectMark{box, {0, 0, 0, 0}, context.theme.accent, 2, 8});
        context.painter.draw(frame, origin);
    }
    return missing_words(frame);
}

std::string StudySlides::draw_matrix(PanelContext& context, const Tensor& tensor, Box box,
                                     Point origin) {
    const Theme& theme = context.theme;
    const Point at{origin.x + box.x, origin.y + box.y};
    Figure card;
    card.add(RectMark{{0, 0, box.width, box.height}, theme.card, theme.accent, 2, 8});
    context.painter.draw(card, at);
    if (!tensor.value) return {};
    HeatmapInput input = slide_matrix(context.scene, tensor, box);
    input.hovered = cell_pick(tensor, context.selection.hovered().indices);
    return draw_presented_matrix(
        context, tensor, large_,
        {.input = std::move(input), .at = at, .prediction = prediction_, .is_in_middle = true});
}

namespace {

constexpr float kLabelSize = 13, kLineSize = 15, kLeastLineSize = 10;
constexpr std::size_t kMostTerms = 4;

/// Joins the parts of a line of arithmetic: those that do not go on with a sign are apart.
std::string joined_from(const std::vector<std::string>& parts, std::size_t first) {
    std::string line = parts[first];
    for (std::size_t k = first + 1; k < parts.size(); ++k) {
        const bool goes_on =
            std::ranges::any_of(std::array{"=", "÷", "·", "+", "−", "×"},
                                [&](const char* sign) { return parts[k].starts_with(sign); });
        line += (goes_on ? "  " : ";   ") + parts[k];
    }
    return line;
}

/// Returns the last step of the arithmetic, in one line with as many terms as fit, and without its
/// first parts where even one is too many.
std::string fitting_line(const PanelContext& context, const CellPlace& cell, float width) {
    const Trace& trace = *context.trace;
    const auto steps = arithmetic_steps(trace, trace.id_at(cell.path), cell.row, cell.column);
    const FormulaStyle least{kLeastLineSize, context.theme.text, Font::Math};
    const auto fits = [&](const std::string& line) {
        return formula_width(line, least, context.painter.measure()) <= width;
    };
    std::vector<std::string> parts;
    for (std::size_t terms = kMostTerms; terms > 0; --terms) {
        parts = arithmetic_lines(trace, steps.back(), terms);
        if (fits(joined_from(parts, 0))) break;
    }
    std::size_t first = 0;
    while (first + 1 < parts.size() && !fits(joined_from(parts, first))) ++first;
    return joined_from(parts, first);
}

/// Returns the cell whose arithmetic belongs on the slide: the one under the pointer, which is in a
/// picture there, or the held one if it is of the slide's own matrix.
std::optional<CellPlace> cell_on_slide(const Selection& selection) {
    if (selection.hovered().cell) return selection.hovered().cell;
    const std::optional<CellPlace>& held = selection.held().cell;
    return held && held->path == selection.chosen ? held : std::nullopt;
}

/// Returns the place of the walk, in more and in fewer words.
std::vector<std::string> progress_texts(const Walk& walk) {
    const std::string at = std::to_string(walk.at + 1), n = std::to_string(walk.steps.size());
    return {fmt::format("Step {} of {}  ·  part {} of {}", at, n, walk.place, walk.n_components),
            fmt::format("Step {} of {}", at, n), fmt::format("{} of {}", at, n),
            fmt::format("{}/{}", at, n)};
}

}  // namespace

void StudySlides::draw_arithmetic(PanelContext& context, Box box) {
    const auto cell = cell_on_slide(context.selection);
    const Tensor* tensor = cell ? context.trace->find(cell->path) : nullptr;
    if (!tensor || !tensor->value || prediction_.hides(*tensor)) return;
    const Trace& trace = *context.trace;
    const TensorId id = trace.id_at(cell->path);
    if (id > trace.id_at(context.selection.chosen)) return;  // it is still to come
    const MeasureText& measure = context.painter.measure();
    const Theme& theme = context.theme;
    Figure figure;
    const float baseline = box.y + 20;
    const std::string name = shown_cell_name(trace, id, cell->row, cell->column);
    figure.add(TextMark{{box.x, baseline}, name, kLabelSize, theme.text, Font::Bold});
    const float left = box.x + measure(name, kLabelSize, Font::Bold) + 14;
    const std::string line = fitting_line(context, *cell, box.right() - left);
    FormulaStyle style{kLineSize, theme.text, Font::Math};
    while (style.size > kLeastLineSize && formula_width(line, style, measure) > box.right() - left)
        style.size -= 0.5f;
    add_formula(figure, {left, baseline}, line, style, measure);
    context.painter.draw(figure, {0, 0});
    context.regions.add("slide arithmetic", box);
}

Slide StudySlides::slide(PanelContext& context, Panel& training) {
    Slide slide{.window = "slide", .background = context.theme.canvas};
    slide.draw = [this, &context, &training](Box room, float covered) {
        return draw(context, training, room, covered);
    };
    slide.said_color = context.theme.muted;
    const bool has_steps = !context.trace || !presented_view(context.scene);
    const bool can_lead_on = has_steps || !context.scene.training;
    slide.press_keys = [&context, can_lead_on] {
        const bool is_asked = compat::is_key_pressed(Key::Space, compat::Repeat::No);
        if (!can_lead_on && is_asked) context.requests.run("train-play");
    };
    if (can_lead_on) slide.go = [this, &context](WalkMove how) { walk(context, how); };
    if (!has_steps && can_lead_on) {
        slide.said = {"The steps of the computation follow  (→)"};
        slide.buttons.push_back({"Options", "All options of the view  (V)",
                                 [&context] { context.requests.run("view-options"); }, true});
    }
    if (!has_steps) return slide;
    slide.can_be_covered = true;
    if (!context.trace) return slide;
    slide.matrix = &context.trace->at(context.selection.chosen);
    const Walk walk = make_walk(*context.trace, context.components, context.selection);
    slide.said = progress_texts(walk);
    slide.progress = static_cast<float>(walk.at + 1) / static_cast<float>(walk.steps.size());
    return slide;
}

/// Goes on with the walk. A view comes before the steps.
void StudySlides::walk(PanelContext& context, WalkMove how) {
    if (!context.trace) return;
    Selection& selection = context.selection;
    if (const std::optional<ViewId> view = presented_view(context.scene)) {
        if (how != WalkMove::Next && how != WalkMove::NextComponent) return;
        view_before_ = {*view, selection.chosen};
        selection.view = ViewId::Matrix;
        return;
    }
    if (how == WalkMove::Back && view_before_ && view_before_->chosen == selection.chosen) {
        selection.view = std::exchange(view_before_, {})->view;
        return;
    }
    move(*context.trace, context.components, selection, how);
}

}  // namespace headlight
