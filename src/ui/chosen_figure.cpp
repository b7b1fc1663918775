#include "ui/chosen_figure.h"

#include <algorithm>

#include "paint/graph_figure.h"
#include "paint/heatmap_figure.h"
#include "paint/tensor_figure.h"
#include "ui/comparison_pictures.h"
#include "ui/graph_view.h"
#include "ui/image_view.h"
#include "ui/word_lines_view.h"

namespace headlight {
namespace {

constexpr float kWidth = 720, kHeight = 680;  // points

Figure graph_alone(const Scene& scene, const MeasureText& measure) {
    GraphInput input = graph_input(scene);
    input.hovered_node.reset();
    input.hovered_edge.reset();
    input.box = {0, 0, kHeight * 1.4f, kHeight};
    Figure figure = graph_figure(input, scene.theme, measure).figure;
    figure.width = input.box.width;
    figure.height = input.box.height;
    return figure;
}

Figure image_alone(const Scene& scene) {
    ImageInput input = image_input(scene);
    input.hovered.reset();
    input.width = kWidth;
    input.height = kHeight;
    return image_figure(input, scene.theme).figure;
}

Figure comparison_alone(const Scene& scene, const MeasureText& measure) {
    constexpr float kEach = 480;
    const Comparison::Show show = scene.comparison->show;
    const float n = show == Comparison::Show::Both ? 2 : show == Comparison::Show::All ? 3 : 1.5f;
    return comparison_pictures(
               scene, {n * kEach, show == Comparison::Show::Difference ? kHeight : kEach + 40},
               measure)
        .figure;
}

}  // namespace

Figure chosen_figure(const Scene& scene, const MeasureText& measure) {
    if (scene.selection.view == MiddleView::Words && has_word_lines(scene.trace))
        return word_lines_picture(scene, {kWidth, kHeight}, measure);
    if (scene.comparison && scene.comparison->is_on()) return comparison_alone(scene, measure);
    if (scene.document.graph() && shows_graph_alone(scene.selection))
        return graph_alone(scene, measure);
    if (scene.document.image() && shows_image_alone(scene.selection)) return image_alone(scene);
    const Tensor& tensor = scene.trace.at(scene.selection.chosen);
    HeatmapInput input = heatmap_input(scene.trace, tensor, scene.theme, scene.selection.scales);
    input.selected = pick_of(tensor, scene.selection.held().focus);
    input.view = scene.selection.views.of(tensor);
    input.width = kWidth;
    input.height = kHeight;
    return heatmap_figure(input, scene.theme, measure).figure;
}

}  // namespace headlight
