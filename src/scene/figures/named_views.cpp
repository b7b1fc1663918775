#include <algorithm>
#include <string>

#include "core/analyses/composition.h"
#include "core/error.h"
#include "scene/figures/graph_view.h"
#include "scene/figures/image_view.h"
#include "scene/figures/panels_view.h"
#include "scene/figures/plane_view.h"
#include "scene/figures/readout_view.h"
#include "scene/figures/view_figure.h"
#include "scene/figures/word_lines_view.h"

namespace headlight {
namespace {

bool has_attention(const Scene& scene) {
    return shown_pattern(scene.trace, scene.components, scene.selection) != nullptr;
}

}  // namespace

bool is_shown(const Scene& scene, FigureOf view) {
    switch (view) {
        case FigureOf::Matrix:
        case FigureOf::Step:
            return scene.trace.find(scene.selection.chosen) != nullptr;
        case FigureOf::Row:
        case FigureOf::Plane: {
            const Tensor* tensor = scene.trace.find(scene.selection.chosen);
            if (!tensor || !tensor->value || tensor->value->size() == 0) return false;
            return view == FigureOf::Row || is_plane(*tensor);
        }
        case FigureOf::Graph:
            return scene.document.drawn_graph() && has_attention(scene);
        case FigureOf::Image:
            return has_image(scene.trace) && has_attention(scene);
        case FigureOf::Words:
            return has_word_lines(scene.trace) && has_attention(scene);
        case FigureOf::Compared:
            return scene.comparison && scene.comparison->is_on();
        case FigureOf::Panels:
            return !panel_paths(scene).empty();
        case FigureOf::Readout:
        case FigureOf::NextWords:
        case FigureOf::Lens:
        case FigureOf::Attribution:
            return has_readout(scene.trace);
        case FigureOf::Sweep:
            return scene.sweep != nullptr;
        case FigureOf::Composition:
            return scene.trace.find(composition_path(Composition::Value)) != nullptr;
        case FigureOf::Heads:
            return !all_attentions(scene.components).empty();
        case FigureOf::Flow:
        case FigureOf::Layer:
            return !scene.components.empty();
        case FigureOf::Training:
            return scene.training != nullptr;
        case FigureOf::Window:
            return true;
    }
    return false;
}

std::span<const NamedFigure> named_views() {
    static constexpr NamedFigure kViews[] = {
        {FigureOf::Matrix, "matrix", "Matrix"},
        {FigureOf::Graph, "graph", "Graph"},
        {FigureOf::Image, "image", "Image"},
        {FigureOf::Words, "words", "Lines between words"},
        {FigureOf::Compared, "compared", "A and B"},
        {FigureOf::Panels, "panels", "Panels"},
        {FigureOf::Heads, "heads", "All heads"},
        {FigureOf::Readout, "logits", "Logits"},
        {FigureOf::NextWords, "next", "Likeliest words"},
        {FigureOf::Lens, "lens", "Logit lens"},
        {FigureOf::Attribution, "attribution", "Where the logit comes from"},
        {FigureOf::Sweep, "sweep", "Sweep"},
        {FigureOf::Composition, "composition", "Composition of heads"},
        {FigureOf::Flow, "flow", "Flow of the part"},
        {FigureOf::Layer, "layer", "Flow of the layer"},
        {FigureOf::Step, "step", "Step as a slide"},
        {FigureOf::Row, "row", "Largest of the row"},
        {FigureOf::Plane, "plane", "Vectors in the plane"},
        {FigureOf::Training, "training", "Loss and accuracy"},
        {FigureOf::Window, "window", "The window itself"}};
    return kViews;
}

std::vector<NamedFigure> list_views(const Scene& scene) {
    std::vector<NamedFigure> views;
    for (const NamedFigure& named : named_views())
        if (is_shown(scene, named.view)) views.push_back(named);
    return views;
}

void check_is_shown(const Scene& scene, FigureOf view) {
    if (is_shown(scene, view)) return;
    if (view == FigureOf::Sweep)
        throw Error("export",
                    "no sweep has been done: the view of logits has a button Sweep, the command "
                    "is headlight sweep");
    if (view == FigureOf::Composition)
        throw Error("export", "the study has no heads of two layers that read one residual stream");
    const auto named = std::ranges::find(named_views(), view, &NamedFigure::view);
    throw Error("export",
                std::string("there is nothing to show as '") + named->word + "' in this study");
}

bool shows_logits(FigureOf view) {
    return view == FigureOf::Readout || view == FigureOf::NextWords || view == FigureOf::Lens ||
           view == FigureOf::Attribution;
}

bool shows_sides(FigureOf view) {
    return view == FigureOf::Compared || view == FigureOf::Panels || view == FigureOf::Heads ||
           view == FigureOf::Words || shows_logits(view) || view == FigureOf::Window;
}

FigureOf shown_view(const Scene& scene) {
    const Selection& selection = scene.selection;
    if (selection.view == MiddleView::AllHeads && is_shown(scene, FigureOf::Heads))
        return FigureOf::Heads;
    if (selection.view == MiddleView::Readout && is_shown(scene, FigureOf::Readout))
        return FigureOf::Readout;
    if (selection.view == MiddleView::Words && is_shown(scene, FigureOf::Words))
        return FigureOf::Words;
    if (selection.view == MiddleView::Panels && is_shown(scene, FigureOf::Panels))
        return FigureOf::Panels;
    if (selection.view == MiddleView::Plane && is_shown(scene, FigureOf::Plane))
        return FigureOf::Plane;
    if (is_shown(scene, FigureOf::Compared)) return FigureOf::Compared;
    if (is_shown(scene, FigureOf::Graph) && shows_graph_alone(scene.trace, selection))
        return FigureOf::Graph;
    if (is_shown(scene, FigureOf::Image) && shows_image_alone(scene.trace, selection))
        return FigureOf::Image;
    return FigureOf::Matrix;
}

FigureOf exported_view(const Scene& scene) {
    const FigureOf view = shown_view(scene);
    return view == FigureOf::Readout && is_shown(scene, FigureOf::Sweep) ? FigureOf::Sweep : view;
}

}  // namespace headlight
