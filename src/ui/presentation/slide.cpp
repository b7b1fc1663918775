#include "ui/presentation/slide.h"

#include <algorithm>
#include <imgui.h>
#include <string>

#include "core/error.h"
#include "lecture/page/page_figure.h"
#include "paint/figure_extent.h"
#include "paint/figures/guess_marks.h"
#include "paint/figures/heatmap_figure.h"
#include "paint/figures/tensor_figure.h"
#include "scene/figures/graph_view.h"
#include "scene/figures/image_view.h"
#include "scene/figures/row_bars.h"
#include "scene/figures/step_figure.h"
#include "scene/held_steps.h"
#include "ui/pictures/image_canvas.h"
#include "ui/presentation/guesses.h"
#include "ui/widgets/problem_text.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kSlideHeight = 480, kLeastWidth = 640;  // points of a slide
constexpr float kArithmetic = 30;
constexpr float kProblemSize = 22;

Figure text(Point at, const std::string& words, float size, Color color, Font font) {
    Figure figure;
    figure.add(TextMark{at, words, size, color, font});
    return figure;
}

/// Which of the study's own pictures takes part: a graph's or an image's.
bool has_picture(const PanelContext& context) {
    return shown_pattern(*context.trace, context.components, context.selection) &&
           (context.document.drawn_graph() || has_image(*context.trace));
}

}  // namespace

std::optional<FigureOf> presented_view(const Scene& scene) {
    const FigureOf view = shown_view(scene);
    const bool has_steps = view == FigureOf::Matrix || view == FigureOf::Compared ||
                           view == FigureOf::Graph || view == FigureOf::Image;
    return has_steps ? std::nullopt : std::optional(view);
}

float slide_zoom(Point window) {
    return std::max(0.1f, std::min(window.y / kSlideHeight, window.x / kLeastWidth));
}

void Slide::draw(PanelContext& context, Panel& input, const SlideRoom& room) {
    const Point size = room.size;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({size.x, size.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("slide", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse |
                     ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar();
    const float width = size.x - 2 * kSlidePad, foot = size.y - kSlideFoot;
    const float arithmetic = foot - room.notice - text_.height() - kArithmetic;
    const Places places{{kSlidePad, 0, width, kSlideHead},
                        {kSlidePad, kSlideHead, width, arithmetic - kSlideHead},
                        {kSlidePad, arithmetic, width, kArithmetic},
                        {kSlidePad, foot, width, kSlideFoot}};
    const auto view = context.trace ? presented_view(context.scene) : std::nullopt;
    if (view)
        draw_view(context, *view, {kSlidePad, kSlidePad, width, arithmetic - kSlidePad});
    else if (context.trace)
        draw_step(context, places);
    else if (context.error)
        context.painter.draw(text({kSlidePad, 40}, text_for_user(*context.error), kProblemSize,
                                  context.theme.text, Font::Bold),
                             {0, 0});
    draw_foot(context, places.foot);
    ImGui::End();
    text_.draw(context, input, size, kSlideFoot + room.notice);
}

void Slide::draw_step(PanelContext& context, const Places& places) {
    const Tensor& tensor = context.trace->at(context.selection.chosen);
    // What is held may be the very answer.
    if (prediction_.hides(tensor) && context.selection.held().cell) context.selection.release();
    carry_held_cell(context.selection, *context.trace);
    draw_head(context, tensor, places.head);
    const Box& flow = places.flow;
    if (context.comparison.is_on() && !prediction_.hides(tensor)) {
        draw_compared(context, flow);
        return draw_arithmetic(context, places.arithmetic);
    }
    ImGui::SetCursorScreenPos({flow.x, flow.y});
    const auto drawn =
        cards_.draw_cards(context, FlowArrangement::Walk, {flow.width, flow.height}, &prediction_);
    draw_large(context, tensor, drawn.flow.main, drawn.origin);
    draw_arithmetic(context, places.arithmetic);
}

/// A and B as they are chosen in the window, of the step's matrix.
void Slide::draw_compared(PanelContext& context, Box box) {
    const Point origin{box.x, box.y};
    const Box room{0, 0, box.width, box.height};
    const float unit = ImGui::GetIO().DisplaySize.y / kPageHeight;
    const auto graph = compared_.draw(context, room, origin, page_far_look(unit));
    if (graph) graph_.point(context, *graph, origin);
    context.regions.add("slide compared", box);
}

/// As on a page of a lecture.
void Slide::draw_view(PanelContext& context, FigureOf view, Box box) {
    const PageRoom room{{box.width, box.height}, ImGui::GetIO().DisplaySize.y / kPageHeight};
    const auto named = std::ranges::find(named_views(), view, &NamedFigure::view);
    context.regions.add(std::string("slide ") + named->word, box);
    try {
        const Figure figure =
            page_view_figure(context.scene, view, room, context.painter.measure()).figure;
        const float left = std::max(0.0f, box.width - figure.width) / 2;
        context.painter.draw(figure, {box.x + left, box.y});
    } catch (const Error& error) {
        context.painter.draw(text({box.x, box.y + kProblemSize}, text_for_user(error), kProblemSize,
                                  context.theme.text, Font::Bold),
                             {0, 0});
    }
}

void Slide::draw_head(PanelContext& context, const Tensor& tensor, Box box) {
    SlideHead head{.box = box, .sentence = {}, .verdict = guess_verdict(prediction_, tensor)};
    if (prediction_.hides(tensor)) head.sentence = guess_question(tensor);
    context.painter.draw(slide_head(context.scene, tensor, head, context.painter.measure()),
                         {0, 0});
    context.regions.add("slide " + tensor.path(), box);
}

void Slide::draw_large(PanelContext& context, const Tensor& tensor, Box box, Point origin) {
    if (!has_picture(context)) return draw_matrix(context, tensor, box, origin);
    if (shows_graph_alone(*context.trace, context.selection))
        return draw_picture(context, box, origin);
    Box picture = box;
    picture.width = 0.42f * box.width;
    box.x = picture.right() + 12;
    box.width -= picture.width + 12;
    draw_matrix(context, tensor, box, origin);
    draw_picture(context, picture, origin);
}

void Slide::draw_picture(PanelContext& context, Box box, Point origin) {
    if (!context.document.drawn_graph())
        return draw_image_canvas(context, box, origin, &prediction_);
    graph_.draw(context, box, origin, &prediction_);
    if (!shows_graph_alone(*context.trace, context.selection)) return;
    Figure frame;
    frame.add(RectMark{box, {0, 0, 0, 0}, context.theme.accent, 2, 8});
    context.painter.draw(frame, origin);
}

void Slide::draw_matrix(PanelContext& context, const Tensor& tensor, Box box, Point origin) {
    const Theme& theme = context.theme;
    Figure card;
    card.add(RectMark{{0, 0, box.width, box.height}, theme.card, theme.accent, 2, 8});
    const Point at{origin.x + box.x, origin.y + box.y};
    context.painter.draw(card, at);
    if (!tensor.value) return;
    if (is_shown_as_bars(tensor) && !prediction_.hides(tensor))
        return context.painter.draw(row_bars_figure(context.scene, tensor, {box.width, box.height},
                                                    context.painter.measure()),
                                    at);
    HeatmapInput input = heatmap_input(*context.trace, tensor, theme, context.selection.scales);
    input.title.clear();
    input.formula.clear();
    input.stretch = kSlideStretch;
    input.width = box.width;
    input.height = box.height;
    input.hovered = cell_pick(tensor, context.selection.hovered().focus);
    const bool is_hidden = prediction_.hides(tensor);
    if (is_hidden)
        cover(input, theme, context.painter.measure());
    else
        input.selected = cell_pick(tensor, context.selection.held().focus);
    const HeatmapFigure picture = heatmap_figure(input, theme, context.painter.measure());
    // In the middle of its card.
    const Point corner = far_corner(picture.figure, context.painter.measure());
    const Point middle{at.x + std::max(0.0f, (input.width - kFigurePad - corner.x) / 2),
                       at.y + std::max(0.0f, (box.height - kFigurePad - corner.y) / 2)};
    context.painter.draw(picture.figure, middle);
    const PlacedGrid place{picture.grid, middle};
    draw_guesses(context, prediction_, tensor, place);
    if (!is_hidden) return large_.point(context, tensor, picture.grid, middle);
    take_guess(context, prediction_, tensor, place);
}

}  // namespace headlight
