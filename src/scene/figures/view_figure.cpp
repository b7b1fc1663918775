#include "scene/figures/view_figure.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <string>
#include <utility>

#include "core/analyses/composition.h"
#include "core/error.h"
#include "paint/figure_parts.h"
#include "paint/figure_type.h"
#include "paint/figures/flow_figure.h"
#include "paint/figures/heatmap_figure.h"
#include "paint/figures/tensor_figure.h"
#include "paint/graphs/graph_figure.h"
#include "scene/figures/compared_sides.h"
#include "scene/figures/explanation_view.h"
#include "scene/figures/graph_view.h"
#include "scene/figures/image_view.h"
#include "scene/figures/listed_heads.h"
#include "scene/figures/log_curves.h"
#include "scene/figures/matrix_part.h"
#include "scene/figures/panels_view.h"
#include "scene/figures/plane_view.h"
#include "scene/figures/readout_view.h"
#include "scene/figures/row_bars.h"
#include "scene/figures/shown_origin.h"
#include "scene/figures/step_figure.h"
#include "scene/figures/sweep_figure.h"
#include "scene/figures/word_lines_view.h"
#include "scene/readout/done_sweep.h"
#include "scene/training/training_view.h"
#include "text/strings.h"

namespace headlight {
namespace {

// In points, where no room is given.
constexpr Point kPictureRoom{720, 680}, kGraphRoom{952, 680};
constexpr Point kFlowRoom{1200, 760}, kSlideRoom{960, 540};
constexpr Point kRowRoom{640, 400}, kPlaneRoom{520, 560};
constexpr float kComponentHeading = 34;
constexpr float kLeastForOneRow = 600, kLeastForBeside = 480, kLeastCompared = 240,
                kTallestCompared = 1.15f;

/// Heights of what is so wide on paper.
float in_proportion(Point standard, float width) {
    return width * standard.y / standard.x;
}
/// Three cards above each other, and below them one row, or two where it is narrow.
float flow_height(float width) {
    const float least = width < kLeastForOneRow ? std::min(620.0f, 1.6f * width) : 480.0f;
    return std::max(in_proportion(kFlowRoom, width), least);
}
float slide_height(float width) {
    return std::max(in_proportion(kSlideRoom, width), std::min(360.0f, width));
}

/// Draws one view of a scene in which nothing is pointed at.
class Views {
  public:
    Views(const Scene& scene, const FigureLook& look, const MeasureText& measure)
        : scene_(scene), look_(look), measure_(measure) {}

    Figure matrix() const {
        const Tensor& tensor = scene_.trace.at(scene_.selection.chosen);
        HeatmapInput input = matrix_input(tensor);
        if (look_.heading == FigureLook::Heading::Names) input.title = tensor_name(tensor);
        if (is_shown_in_part(scene_, tensor)) show_part(input, scene_.selection.looks.matrix);
        return tensor_picture(std::move(input), look_, measure_);
    }

    Figure row() const {
        const Tensor& tensor = scene_.trace.at(scene_.selection.chosen);
        const Point room = picture_room(look_, kRowRoom, [](float width) {
                               return in_proportion(kRowRoom, width);
                           }).size;
        return top_row_figure(scene_, tensor, {room, look_.heading}, measure_);
    }

    Figure plane() const {
        PlaneInput input = plane_input(scene_);
        if (look_.heading == FigureLook::Heading::Hidden) input.title.clear();
        const Point room = picture_room(look_, kPlaneRoom, [](float width) {
                               return in_proportion(kPlaneRoom, width);
                           }).size;
        input.width = room.x;
        input.height = room.y;
        return plane_figure(input, scene_.theme, measure_).figure;
    }

    Figure explanation() const { return explanation_figure(scene_, look_, measure_); }

    Figure graph() const {
        GraphInput input = graph_input(scene_);
        const PictureRoom room = picture_room(look_, kGraphRoom, [](float width) {
            return std::max(in_proportion(kGraphRoom, width), std::min(width, 480.0f));
        });
        input.box = {0, 0, room.size.x, room.size.y};
        input.label_size = room.label_size;
        Figure figure = graph_figure(input, scene_.theme, measure_).figure;
        figure.width = room.size.x;
        figure.height = room.size.y;
        return figure;
    }

    Figure image() const {
        const bool is_told = look_.of_image == FigureLook::Class::Told;
        ImageInput input = image_input(scene_, is_told ? ImageTitle::WithClass : ImageTitle::Plain);
        const auto height_for = [&](float width) {
            return width < kLeastForBeside ? height_above(input, width)
                                           : height_beside(input, width);
        };
        const Point room = picture_room(look_, kPictureRoom, height_for).size;
        input.width = room.x;
        input.height = room.y;
        return image_figure(input, scene_.theme, measure_).figure;
    }

    Figure readout() const { return readout_picture(scene_, kReadoutCards, look_, measure_); }

    Figure card(ReadoutCard card) const {
        return readout_picture(scene_, std::span(&card, 1), look_, measure_);
    }

    /// The marked head is one of the view of logits alone.
    Figure sweep() const {
        HeatmapInput input = *sweep_input(scene_);
        input.selected = {};
        return sweep_figure(std::move(input), scene_.theme, look_, measure_);
    }

    /// The scores by Q, K and V beside each other.
    Figure composition() const {
        Selection selection = scene_.selection;
        selection.looks.panels = {composition_paths(scene_.trace)};
        selection.release();
        Scene alone = scene_.with(selection, scene_.theme);
        alone.comparison = nullptr;
        return panels_picture(alone, look_, measure_);
    }

    Figure words() const {
        const auto n_sides = static_cast<int>(sides_of(scene_, HasHeads::One).size());
        const Point standard{static_cast<float>(n_sides) * kPictureRoom.x, kPictureRoom.y};
        const PictureRoom room = picture_room(look_, standard, [&](float width) {
            const bool is_line = scene_.selection.looks.words.layout == WordView::Layout::Line;
            const int across = word_lines_across(n_sides, width);
            const float each = width / static_cast<float>(across);
            const auto down = static_cast<float>((n_sides + across - 1) / across);
            return down * (is_line ? std::max(0.5f * each, std::min(320.0f, 1.5f * each))
                                   : in_proportion(kPictureRoom, each));
        });
        using Rows = WordLinesInput::Rows;
        const bool is_far = look_.seen_from == FigureLook::SeenFrom::Far;
        return word_lines_picture(
            scene_, {room, tallest_words(), is_far ? Rows::Close : Rows::Apart}, measure_);
    }

    /// A page; without a width as high as formats of files can hold.
    float tallest_words() const {
        constexpr float kTallestFile = 14000;
        return std::min(kTallestFile, tallest_on_page(look_));
    }

    Figure compared() const {
        constexpr float kEach = 480;
        using Show = Comparison::Show;
        const Show show = scene_.comparison->show;
        const float n = show == Show::Both ? 2 : show == Show::All ? 3 : 1.5f;
        const Point room{n * kEach, show == Show::Difference ? kPictureRoom.y : kEach + 40};
        const auto height_for = [&](float width) {
            const float columns = std::clamp(std::floor(width / kLeastCompared), 1.0f, n);
            return width / columns * std::ceil(n / columns) * kTallestCompared;
        };
        return comparison_pictures(scene_, picture_room(look_, room, height_for), measure_,
                                   {.heading = look_.heading})
            .figure;
    }

    Figure panels() const { return panels_picture(scene_, look_, measure_); }

    Figure heads() const { return all_heads_picture(scene_, look_, measure_); }

    Figure training() const {
        const std::span<const EarlierRun> earlier =
            scene_.earlier_runs ? *scene_.earlier_runs : std::span<const EarlierRun>();
        return plot_figure(
            training_curves(*scene_.training, scene_.training_step, scene_.theme, earlier),
            scene_.theme, look_, measure_);
    }

    Figure step() const {
        return step_figure(scene_, picture_room(look_, kSlideRoom, slide_height), measure_);
    }

    Figure flow() const {
        return make_flow(open_component(scene_.components, scene_.selection),
                         picture_room(look_, kFlowRoom, flow_height));
    }

    /// The parts of the open one's layer below each other, each under its name.
    Figure layer() const {
        const std::string& group = open_component(scene_.components, scene_.selection).group;
        const auto n =
            static_cast<float>(std::ranges::count(scene_.components, group, &Component::group));
        const PictureRoom whole =
            picture_room(look_, {kFlowRoom.x, n * (kFlowRoom.y + kComponentHeading)},
                         [&](float width) { return n * (flow_height(width) + kComponentHeading); });
        const Point room{whole.size.x, whole.size.y / n};
        Figure figure{whole.size.x, whole.size.y, {}, {}};
        float top = 0;
        for (const Component& component : scene_.components) {
            if (component.group != group) continue;
            const std::string name =
                group == component.label ? group : fmt::format("{} · {}", group, component.label);
            figure.add(TextMark{
                {16, top + kComponentHeading - 8}, name, 15, scene_.theme.text, Font::Bold});
            Selection selection = scene_.selection;
            selection.choose_component(scene_.trace, scene_.components, component.path);
            Scene of_component = scene_.with(selection, scene_.theme);
            of_component.comparison = nullptr;
            add_part(
                figure,
                Views(of_component, look_, measure_)
                    .make_flow(component, {{room.x, room.y - kComponentHeading}, whole.label_size}),
                {0, top + kComponentHeading});
            top += room.y;
        }
        return figure;
    }

  private:
    HeatmapInput matrix_input(const Tensor& tensor) const {
        const Selection& selection = scene_.selection;
        HeatmapInput input = heatmap_input(scene_.trace, tensor, scene_.theme, selection.scales);
        input.selected = cell_pick(tensor, selection.held().focus);
        input.view = selection.views.of(tensor);
        return input;
    }

    /// The cards, and the chosen matrix large, as they stand in the window.
    Figure make_flow(const Component& component, const PictureRoom& picture) const {
        const Point room = picture.size;
        const Selection& selection = scene_.selection;
        const Tensor& chosen = scene_.trace.at(selection.chosen);
        FlowFigure flow =
            flow_figure({.trace = scene_.trace,
                         .component = component,
                         .shown = shown_tensors(scene_.trace, component, selection.head),
                         .chosen = scene_.trace.id_at(selection.chosen),
                         .hovered = {},
                         .held = selection.held().focus,
                         .scales = selection.scales,
                         .width = room.x,
                         .height = room.y},
                        scene_.theme, measure_);
        const Box& main = flow.main;
        flow.figure.width = room.x;
        flow.figure.height = room.y;
        flow.figure.add(RectMark{main, scene_.theme.card, scene_.theme.accent, 2, 8});
        HeatmapInput input = matrix_input(chosen);
        input.width = main.width;
        input.height = main.height;
        input.label_size = picture.label_size;
        add_part(flow.figure, heatmap_figure(input, scene_.theme, measure_).figure,
                 {main.x, main.y});
        return std::move(flow.figure);
    }

    const Scene& scene_;
    const FigureLook& look_;
    const MeasureText& measure_;
};

Figure make_view(const Views& views, FigureOf view) {
    switch (view) {
        case FigureOf::Matrix:
            return views.matrix();
        case FigureOf::Graph:
            return views.graph();
        case FigureOf::Image:
            return views.image();
        case FigureOf::Words:
            return views.words();
        case FigureOf::Compared:
            return views.compared();
        case FigureOf::Panels:
            return views.panels();
        case FigureOf::Heads:
            return views.heads();
        case FigureOf::Readout:
            return views.readout();
        case FigureOf::NextWords:
            return views.card(ReadoutCard::Next);
        case FigureOf::Lens:
            return views.card(ReadoutCard::Lens);
        case FigureOf::Attribution:
            return views.card(ReadoutCard::Parts);
        case FigureOf::Sweep:
            return views.sweep();
        case FigureOf::Composition:
            return views.composition();
        case FigureOf::Flow:
            return views.flow();
        case FigureOf::Layer:
            return views.layer();
        case FigureOf::Step:
            return views.step();
        case FigureOf::Row:
            return views.row();
        case FigureOf::Plane:
            return views.plane();
        case FigureOf::Explanation:
            return views.explanation();
        case FigureOf::Training:
            return views.training();
        case FigureOf::Window:
            break;
    }
    return {};
}

/// The figure, as high as it needs to be if the height is free.
Figure trimmed_figure(const Scene& scene, FigureOf view, const FigureLook& look,
                      const MeasureText& measure) {
    Figure figure = make_view(Views(scene, look, measure), view);
    const float width = figure.width;
    if (has_free_height(look)) trim(figure, kFigurePad, measure);
    figure.width = width;
    return figure;
}

/// The view with lines below it that say where its weights come from; a look without a heading
/// or with names alone has none, a slide says it itself.
Figure with_origin(const Scene& scene, FigureOf view, const FigureLook& look,
                   const MeasureText& measure) {
    const std::string origin = view_origin(scene, view);
    if (origin.empty() || view == FigureOf::Step || look.heading != FigureLook::Heading::Shown ||
        look.origin == FigureLook::Origin::Hidden)
        return trimmed_figure(scene, view, look, measure);
    const auto figure_above = [&](std::size_t n_lines) {
        FigureLook above = look;
        if (above.room)
            above.room->y =
                std::max(1.0f, above.room->y - height_in_room(look, origin_height(n_lines)));
        return trimmed_figure(scene, view, above, measure);
    };
    Figure figure = figure_above(1);
    const std::size_t n_lines = origin_lines(origin, figure.width, measure).size();
    if (n_lines > 1 && look.room) figure = figure_above(n_lines);
    add_origin(figure, origin, scene.theme, measure);
    return figure;
}

/// Which heads are drawn as NaN.
std::string unmeasured_sides_text(const Scene& scene) {
    std::string text = unmeasured_heads_text(scene);
    const std::vector<ComparedSide> sides = sides_of(scene, HasHeads::All);
    if (sides == std::vector{ComparedSide::A}) return text;
    const SceneOfB b(scene);
    const std::string of_b = unmeasured_heads_text(b.scene());
    if (!text.empty()) text = "A: " + text;
    if (!of_b.empty()) text += (text.empty() ? "B: " : "; B: ") + of_b;
    return text;
}

/// Where a long text leaves nearly nothing to be seen on a scale of 0 to 1; else "".
std::string blank_text(const Scene& scene, FigureOf view) {
    if (view == FigureOf::Heads) return blank_heads_text(scene);
    const Tensor* chosen = scene.trace.find(scene.selection.chosen);
    if (view == FigureOf::Matrix && chosen && !is_shown_in_part(scene, *chosen))
        return blank_matrices_text(scene, {chosen});
    if (view != FigureOf::Panels) return "";
    std::vector<const Tensor*> matrices;
    for (const std::string& path : panel_paths(scene)) matrices.push_back(&scene.trace.at(path));
    return blank_matrices_text(scene, matrices);
}

/// Of the study as it was swept.
std::string sweep_origin(const Scene& scene) {
    const SweepOrder& order = scene.sweep->order;
    return study_origin(order.document ? *order.document : scene.document,
                        order.base ? *order.base : scene.trace);
}

/// Nothing is under the pointer; what is held stays if the look shows it, or if it says what the
/// view is of.
Selection selection_for(const Scene& scene, FigureOf view, const FigureLook& look) {
    Selection selection = scene.selection;
    const bool is_hidden = look.selected == FigureLook::Selected::Hidden;
    if (is_hidden && !needs_held(view)) selection.release();
    if (look.seen_from != FigureLook::SeenFrom::Far) selection.changed = {};
    selection.hover({});
    selection.advance();
    return selection;
}

}  // namespace

std::string view_origin(const Scene& scene, FigureOf view) {
    if (view == FigureOf::Composition) return study_origin(scene.document, scene.trace);
    if (view == FigureOf::Sweep) return sweep_origin(scene);
    if (shows_logits(view) || view == FigureOf::Layer) return whole_origin(scene);
    std::string origin = view == FigureOf::Panels  ? panels_origin(scene)
                         : view == FigureOf::Heads ? whole_origin(scene)
                                                   : shown_origin(scene);
    std::vector<std::string> notes{blank_text(scene, view)};
    if (view == FigureOf::Heads)
        notes.insert(notes.begin(), {colors_of_heads(scene), unmeasured_sides_text(scene)});
    for (const std::string& note : notes)
        if (!note.empty()) append_part(origin, "; ", note);
    return origin;
}

ViewFigure view_figure(const Scene& scene, FigureOf view, const FigureLook& look,
                       const MeasureText& measure) {
    check_is_shown(scene, view);
    const Theme& theme = theme_named(look.theme);
    const Selection selection = selection_for(scene, view, look);
    const Scene drawn = scene.with(selection, theme);
    const bool has_cards =
        view == FigureOf::Flow || view == FigureOf::Layer || view == FigureOf::Step;
    LaidOutFigure laid_out = lay_out_figure(
        look, [&](const FigureLook& typed) { return with_origin(drawn, view, typed, measure); });
    if (!blank_text(drawn, view).empty())
        append_part(
            laid_out.note, "; ",
            "the figure is nearly blank: the range fitted, or logarithmic steps, show more");
    return {std::move(laid_out.figure), has_cards ? theme.canvas : theme.card, laid_out.look,
            std::move(laid_out.note)};
}

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
        case FigureOf::Explanation:
            return explained_cell(scene.trace, scene.selection).has_value();
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
        {FigureOf::Explanation, "explain", "Arithmetic of a cell"},
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
    if (view == FigureOf::Explanation)
        throw Error("export", "no cell is held: say by row and column whose arithmetic is meant");
    const auto named = std::ranges::find(named_views(), view, &NamedFigure::view);
    const RecordedStudy* recorded = scene.document.recorded();
    throw Error("export", "there is nothing to show as '{}' in this study{}", named->word,
                !recorded          ? ""
                : recorded->joined ? ": words have patterns alone, their pieces have the rest"
                                   : ": a recording has patterns alone");
}

bool shows_logits(FigureOf view) {
    return view == FigureOf::Readout || view == FigureOf::NextWords || view == FigureOf::Lens ||
           view == FigureOf::Attribution;
}

bool needs_held(FigureOf view) {
    return shows_logits(view) || view == FigureOf::Explanation;
}

bool shows_sides(FigureOf view) {
    return view == FigureOf::Compared || view == FigureOf::Panels || view == FigureOf::Heads ||
           view == FigureOf::Words || shows_logits(view) || view == FigureOf::Window;
}

FigureOf shown_view(const Scene& scene) {
    const Selection& selection = scene.selection;
    const bool explains = selection.explains && selection.held().cell;
    if (explains && is_shown(scene, FigureOf::Explanation)) return FigureOf::Explanation;
    if (selection.view == MiddleView::AllHeads && is_shown(scene, FigureOf::Training))
        return FigureOf::Training;
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
    if (view == FigureOf::Readout && is_shown(scene, FigureOf::Sweep)) return FigureOf::Sweep;
    const bool has_heads = view == FigureOf::Training && is_shown(scene, FigureOf::Heads);
    return has_heads ? FigureOf::Heads : view;
}

}  // namespace headlight
