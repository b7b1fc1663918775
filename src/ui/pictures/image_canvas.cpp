#include "ui/pictures/image_canvas.h"

#include <algorithm>
#include <imgui.h>

#include "figure/figure_parts.h"
#include "figure/image_figure.h"
#include "ui/widgets/widgets.h"
#include "views/image_view.h"

namespace headlight {
namespace {

Point patch_center(const ImageFigure& picture, Index patch) {
    const Box& grid = picture.attention;
    const auto row = static_cast<float>(patch / picture.patch_columns),
               column = static_cast<float>(patch % picture.patch_columns);
    return {grid.x + (column + 0.5f) * grid.width / static_cast<float>(picture.patch_columns),
            grid.y + (row + 0.5f) * grid.height / static_cast<float>(picture.patch_rows)};
}

/// Returns the item of the trace for the patch at a point.
std::optional<Index> item_at(const PanelContext& context, const ImageFigure& picture, Point p) {
    const auto patch = picture.patch_at(p);
    return patch ? std::optional(*patch + context.trace->grid_begin()) : std::nullopt;
}

/// Marks the guesses for the patch that is the query.
void mark_guesses(PanelContext& context, const Tensor& pattern, const ImageFigure& picture,
                  Point at, const Prediction& prediction) {
    const auto query = context.selection.current().indices.query;
    if (!query) return;
    const Index begin = context.trace->grid_begin();
    const float radius = std::clamp(
        0.3f * picture.attention.width / static_cast<float>(picture.patch_columns), 4.0f, 12.0f);
    Figure figure;
    for (const auto& [cell, state] : prediction.marks(pattern))
        if (cell.row == *query)
            add_guess_mark(figure, {patch_center(picture, cell.column - begin), radius, state},
                           context.theme);
    context.painter.draw(figure, at);
}

void point(PanelContext& context, const Tensor* pattern, const ImageFigure& picture, Point at,
           Prediction* prediction) {
    const Point pointer = widgets::pointer_in(at);
    const auto item = item_at(context, picture, pointer);
    const auto query = context.selection.held().indices.query;
    const bool guesses = prediction && pattern && prediction->hides(*pattern) && query &&
                         picture.attention.contains(pointer);
    if (!guesses) return widgets::point_at_word(context, item);
    if (item && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        prediction->guess(*pattern, {*query, *item});
}

}  // namespace

void draw_image_canvas(PanelContext& context, Box box, Point origin, Prediction* prediction,
                       ImageTitle title) {
    const bool is_alone = shows_picture_alone(*context.trace, context.selection);
    Figure card;
    card.add(RectMark{{0, 0, box.width, box.height},
                      context.theme.card,
                      is_alone ? context.theme.accent : context.theme.border,
                      is_alone ? 2.0f : 1.0f,
                      8});
    const Point at{origin.x + box.x, origin.y + box.y};
    context.painter.draw(card, at);
    const Tensor* pattern = shown_pattern(*context.trace, context.components, context.selection);
    ImageInput input = image_input(context.scene, title);
    input.width = box.width;
    input.height = box.height;
    if (prediction && pattern && prediction->hides(*pattern)) {
        input.weights.clear();
        input.weights_name = "Choose a patch at the left, and what it reads here";
    }
    const ImageFigure picture = image_figure(input, context.theme, context.painter.measure());
    context.painter.draw(picture.figure, at);
    for (const auto& [name, part] : {std::pair("canvas Image", picture.image),
                                     std::pair("canvas Attention", picture.attention)})
        context.regions.add(name, {at.x + part.x, at.y + part.y, part.width, part.height});
    if (prediction && pattern) mark_guesses(context, *pattern, picture, at, *prediction);
    point(context, pattern, picture, at, prediction);
}

void place_small_image(PanelContext& context) {
    constexpr float kTallest = 200;
    ImageInput input = image_input(context.scene);
    input.width = ImGui::GetContentRegionAvail().x;
    input.height = kTallest;
    const ImageFigure picture = image_alone(input, context.theme);
    const Point at = widgets::place_figure(context, picture.figure);
    context.regions.add("small Image", {at.x + picture.image.x, at.y + picture.image.y,
                                        picture.image.width, picture.image.height});
    widgets::point_at_word(context, item_at(context, picture, widgets::pointer_in(at)));
}

}  // namespace headlight
