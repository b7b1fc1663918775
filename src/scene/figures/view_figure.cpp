#include "scene/figures/view_figure.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/analyses/composition.h"
#include "paint/figure_extent.h"
#include "paint/figure_parts.h"
#include "paint/figure_type.h"
#include "paint/figures/flow_figure.h"
#include "paint/figures/heatmap_figure.h"
#include "paint/figures/tensor_figure.h"
#include "paint/graphs/graph_figure.h"
#include "scene/figures/comparison_pictures.h"
#include "scene/figures/graph_view.h"
#include "scene/figures/image_view.h"
#include "scene/figures/listed_heads.h"
#include "scene/figures/matrix_part.h"
#include "scene/figures/panels_view.h"
#include "scene/figures/plane_view.h"
#include "scene/figures/plot_figure.h"
#include "scene/figures/readout_view.h"
#include "scene/figures/row_bars.h"
#include "scene/figures/shown_origin.h"
#include "scene/figures/step_figure.h"
#include "scene/figures/sweep_figure.h"
#include "scene/figures/word_lines_view.h"
#include "scene/readout/done_sweep.h"
#include "scene/training/training_pictures.h"

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
        if (is_shown_in_part(scene_, tensor)) show_part(input, scene_.selection.matrix);
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
        selection.panels = {composition_paths(scene_.trace)};
        selection.release();
        Scene alone = scene_.with(selection, scene_.theme);
        alone.comparison = nullptr;
        return panels_picture(alone, look_, measure_);
    }

    Figure words() const {
        const auto n_sides = static_cast<int>(sides_of(scene_, HasHeads::One).size());
        const Point standard{static_cast<float>(n_sides) * kPictureRoom.x, kPictureRoom.y};
        const PictureRoom room = picture_room(look_, standard, [&](float width) {
            const bool is_line = scene_.selection.words.layout == WordView::Layout::Line;
            const int across = word_lines_across(n_sides, width);
            const float each = width / static_cast<float>(across);
            const auto down = static_cast<float>((n_sides + across - 1) / across);
            return down * (is_line ? std::max(0.5f * each, std::min(320.0f, 1.5f * each))
                                   : in_proportion(kPictureRoom, each));
        });
        using Rows = WordLinesInput::Rows;
        const bool is_far = look_.seen_from == FigureLook::SeenFrom::Far;
        return word_lines_picture(scene_, room, is_far ? Rows::Close : Rows::Apart, measure_);
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
        return comparison_pictures(scene_, picture_room(look_, room, height_for), measure_).figure;
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
                group == component.label ? group : group + " · " + component.label;
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
/// has none, a slide says it itself.
Figure with_origin(const Scene& scene, FigureOf view, const FigureLook& look,
                   const MeasureText& measure) {
    const std::string origin = view_origin(scene, view);
    if (origin.empty() || view == FigureOf::Step || look.heading == FigureLook::Heading::Hidden ||
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
    if (is_hidden && !shows_logits(view)) selection.release();
    selection.hover({});
    selection.advance();
    return selection;
}

}  // namespace

std::string view_origin(const Scene& scene, FigureOf view) {
    if (view == FigureOf::Panels) return panels_origin(scene);
    if (view == FigureOf::Composition) return study_origin(scene.document, scene.trace);
    if (view == FigureOf::Sweep) return sweep_origin(scene);
    if (shows_logits(view) || view == FigureOf::Layer) return whole_origin(scene);
    if (view != FigureOf::Heads) return shown_origin(scene);
    std::string origin = whole_origin(scene);
    for (const std::string& note : {colors_of_heads(scene), unmeasured_sides_text(scene)})
        if (!note.empty()) origin += (origin.empty() ? "" : "; ") + note;
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
    return {std::move(laid_out.figure), has_cards ? theme.canvas : theme.card, laid_out.look,
            std::move(laid_out.note)};
}

}  // namespace headlight
