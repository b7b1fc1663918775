#include "scene/figures/view_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "core/analyses/composition.h"
#include "core/analyses/head_metrics.h"
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
#include "scene/tables/view_table.h"
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

    template <ReadoutCard which>
    Figure card() const {
        return readout_picture(scene_, std::array{which}, look_, measure_);
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

template <Figure (Views::*draw)() const>
Figure drawn(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    return (Views(scene, look, measure).*draw)();
}

// ---- when there is something to see ----

bool has_attention(const Scene& scene) {
    return shown_pattern(scene.trace, scene.components, scene.selection) != nullptr;
}

bool always(const Scene&) {
    return true;
}

bool has_matrix(const Scene& scene) {
    return scene.trace.find(scene.selection.chosen) != nullptr;
}

bool has_numbers(const Scene& scene) {
    const Tensor* tensor = scene.trace.find(scene.selection.chosen);
    return tensor && tensor->value && tensor->value->size() > 0;
}

bool has_vectors(const Scene& scene) {
    return has_numbers(scene) && is_plane(scene.trace.at(scene.selection.chosen));
}

bool has_held_cell(const Scene& scene) {
    return explained_cell(scene.trace, scene.selection).has_value();
}

bool has_graph(const Scene& scene) {
    return scene.document.drawn_graph() && has_attention(scene);
}

bool has_picture(const Scene& scene) {
    return has_image(scene.trace) && has_attention(scene);
}

bool has_lines(const Scene& scene) {
    return has_word_lines(scene.trace) && has_attention(scene);
}

bool has_comparison(const Scene& scene) {
    return scene.comparison && scene.comparison->is_on();
}

bool has_panels(const Scene& scene) {
    return !panel_paths(scene).empty();
}

bool has_logits(const Scene& scene) {
    return has_readout(scene.trace);
}

bool has_sweep(const Scene& scene) {
    return scene.sweep != nullptr;
}

bool has_composition(const Scene& scene) {
    return scene.trace.find(composition_path(Composition::Value)) != nullptr;
}

bool has_heads(const Scene& scene) {
    return !all_attentions(scene.components).empty();
}

bool has_parts(const Scene& scene) {
    return !scene.components.empty();
}

bool has_training(const Scene& scene) {
    return scene.training != nullptr;
}

// ---- what must be computed ----

using Globs = std::vector<std::string>;

Globs needs_heads(const Scene& scene) {
    return head_globs(scene.trace);
}

Globs needs_composition(const Scene& scene) {
    return composition_paths(scene.trace);
}

Globs needs_panels(const Scene& scene) {
    return panel_paths(scene);
}

Globs needs_chosen(const Scene& scene) {
    return {scene.selection.chosen};
}

Globs needs_held_cell(const Scene& scene) {
    const std::optional<PointedCell>& cell = scene.selection.held().cell;
    return cell ? Globs{cell->path} : Globs{};
}

Globs needs_against(const Scene& scene) {
    const std::string& against = scene.selection.looks.matrix.against;
    return against.empty() ? Globs{} : Globs{against};
}

Globs needs_patterns(const Scene& scene) {
    const Component* attention = shown_attention(scene.components, scene.selection);
    return attention ? Globs{attention->path + ".heads.*.pattern"} : Globs{};
}

/// What is drawn of parts.
Globs tensors_in(const Scene& scene, const std::function<bool(const Component&)>& is_drawn) {
    Globs globs;
    for (const Component& component : scene.components)
        if (is_drawn(component))
            for (const TensorId id : shown_tensors(scene.trace, component, scene.selection.head))
                globs.push_back(scene.trace[id].path());
    return globs;
}

Globs needs_part(const Scene& scene) {
    const Component& open = open_component(scene.components, scene.selection);
    return tensors_in(scene, [&](const Component& component) { return &component == &open; });
}

Globs needs_layer(const Scene& scene) {
    const std::string& group = open_component(scene.components, scene.selection).group;
    return tensors_in(scene, [&](const Component& component) { return component.group == group; });
}

// ---- the list ----

using enum ViewEntry::Trait;
constexpr unsigned kLogitTraits = OfLogit | OfHeld | OfSides;

constexpr ViewEntry kViews[] = {
    {ViewId::Matrix, "matrix", "Matrix", 0, 0, has_matrix, drawn<&Views::matrix>},
    {ViewId::Graph, "graph", "Graph", 0, 1.5f, has_graph, drawn<&Views::graph>, needs_patterns},
    {ViewId::Image, "image", "Image", 0, 1.5f, has_picture, drawn<&Views::image>},
    {ViewId::Words, "words", "Lines between words", InMiddle | OfSides, 1.25f, has_lines,
     drawn<&Views::words>, needs_patterns},
    {ViewId::Compared, "compared", "A and B", OfSides, 2.2f, has_comparison,
     drawn<&Views::compared>, needs_chosen},
    {ViewId::Panels, "panels", "Panels", InMiddle | OfSides, 1.9f, has_panels,
     drawn<&Views::panels>, needs_panels},
    {ViewId::Heads, "heads", "All heads", InMiddle | OfSides, 1.9f, has_heads, drawn<&Views::heads>,
     needs_heads, heads_numbers},
    {ViewId::Readout, "logits", "Logits", InMiddle | kLogitTraits, 1.5f, has_logits,
     drawn<&Views::readout>},
    {ViewId::NextWords, "next", "Likeliest words", kLogitTraits, 1.5f, has_logits,
     drawn<&Views::card<ReadoutCard::Next>>, nullptr, logits_numbers<ViewId::NextWords>},
    {ViewId::Lens, "lens", "Logit lens", kLogitTraits, 1.5f, has_logits,
     drawn<&Views::card<ReadoutCard::Lens>>, nullptr, logits_numbers<ViewId::Lens>},
    {ViewId::Attribution, "attribution", "Where the logit comes from", kLogitTraits, 1.5f,
     has_logits, drawn<&Views::card<ReadoutCard::Parts>>, nullptr,
     logits_numbers<ViewId::Attribution>},
    {ViewId::Sweep, "sweep", "Sweep", 0, 1.5f, has_sweep, drawn<&Views::sweep>, nullptr,
     sweep_numbers,
     "no sweep has been done: the view of logits has a button Sweep, the command is headlight "
     "sweep"},
    {ViewId::Composition, "composition", "Composition of heads", 0, 1.5f, has_composition,
     drawn<&Views::composition>, needs_composition, composition_numbers,
     "the study has no heads of two layers that read one residual stream"},
    {ViewId::Flow, "flow", "Flow of the part", 0, 1.9f, has_parts, drawn<&Views::flow>, needs_part},
    {ViewId::Layer, "layer", "Flow of the layer", 0, 1.5f, has_parts, drawn<&Views::layer>,
     needs_layer},
    {ViewId::Step, "step", "Step as a slide", 0, 1.9f, has_matrix, drawn<&Views::step>},
    {ViewId::Row, "row", "Largest of the row", 0, 1.5f, has_numbers, drawn<&Views::row>},
    {ViewId::Plane, "plane", "Vectors in the plane", InMiddle, 1.1f, has_vectors,
     drawn<&Views::plane>, needs_against},
    {ViewId::Explanation, "explain", "Arithmetic of a cell", OfHeld, 1.9f, has_held_cell,
     drawn<&Views::explanation>, needs_held_cell, nullptr,
     "no cell is held: say by row and column whose arithmetic is meant"},
    {ViewId::Training, "training", "Loss and accuracy", 0, 1.5f, has_training,
     drawn<&Views::training>},
    {ViewId::Window, "window", "The window itself", OfSides, 1.5f, always, nullptr}};

/// The figure, as high as it needs to be if the height is free.
Figure trimmed_figure(const Scene& scene, ViewId view, const FigureLook& look,
                      const MeasureText& measure) {
    Figure figure = view_of(view).draw(scene, look, measure);
    const float width = figure.width;
    if (has_free_height(look)) trim(figure, kFigurePad, measure);
    figure.width = width;
    return figure;
}

/// The view with lines below it that say where its weights come from; a look without a heading
/// or with names alone has none, a slide says it itself.
Figure with_origin(const Scene& scene, ViewId view, const FigureLook& look,
                   const MeasureText& measure) {
    const std::string origin = view_origin(scene, view);
    if (origin.empty() || view == ViewId::Step || look.heading != FigureLook::Heading::Shown ||
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
std::string blank_text(const Scene& scene, ViewId view) {
    if (view == ViewId::Heads) return blank_heads_text(scene);
    const Tensor* chosen = scene.trace.find(scene.selection.chosen);
    if (view == ViewId::Matrix && chosen && !is_shown_in_part(scene, *chosen))
        return blank_matrices_text(scene, {chosen});
    if (view != ViewId::Panels) return "";
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
Selection selection_for(const Scene& scene, ViewId view, const FigureLook& look) {
    Selection selection = scene.selection;
    const bool is_hidden = look.selected == FigureLook::Selected::Hidden;
    if (is_hidden && !view_of(view).needs_held()) selection.release();
    if (look.seen_from != FigureLook::SeenFrom::Far) selection.changed = {};
    selection.hover({});
    selection.advance();
    return selection;
}

}  // namespace

std::string view_origin(const Scene& scene, ViewId view) {
    if (view == ViewId::Composition) return study_origin(scene.document, scene.trace);
    if (view == ViewId::Sweep) return sweep_origin(scene);
    if (view_of(view).shows_logits() || view == ViewId::Layer) return whole_origin(scene);
    std::string origin = view == ViewId::Panels  ? panels_origin(scene)
                         : view == ViewId::Heads ? whole_origin(scene)
                                                 : shown_origin(scene);
    std::vector<std::string> notes{blank_text(scene, view)};
    if (view == ViewId::Heads)
        notes.insert(notes.begin(), {colors_of_heads(scene), unmeasured_sides_text(scene)});
    for (const std::string& note : notes)
        if (!note.empty()) append_part(origin, "; ", note);
    return origin;
}

ViewFigure view_figure(const Scene& scene, ViewId view, const FigureLook& look,
                       const MeasureText& measure) {
    check_is_shown(scene, view);
    const Theme& theme = theme_named(look.theme);
    const Selection selection = selection_for(scene, view, look);
    const Scene drawn = scene.with(selection, theme);
    const bool has_cards = view == ViewId::Flow || view == ViewId::Layer || view == ViewId::Step;
    LaidOutFigure laid_out = lay_out_figure(
        look, [&](const FigureLook& typed) { return with_origin(drawn, view, typed, measure); });
    if (!blank_text(drawn, view).empty())
        append_part(
            laid_out.note, "; ",
            "the figure is nearly blank: the range fitted, or logarithmic steps, show more");
    return {std::move(laid_out.figure), has_cards ? theme.canvas : theme.card, laid_out.look,
            std::move(laid_out.note)};
}

std::span<const ViewEntry> all_views() {
    return kViews;
}

const ViewEntry& view_of(ViewId id) {
    return *std::ranges::find(kViews, id, &ViewEntry::id);
}

const ViewEntry* find_view(std::string_view word) {
    const auto found = std::ranges::find(kViews, word, &ViewEntry::word);
    return found == std::end(kViews) ? nullptr : found;
}

std::optional<ViewId> middle_named(std::string_view word) {
    const ViewEntry* found = find_view(word);
    return found && found->stands_in_middle() ? std::optional(found->id) : std::nullopt;
}

bool is_shown(const Scene& scene, ViewId view) {
    return view_of(view).has(scene);
}

std::vector<ViewEntry> list_views(const Scene& scene) {
    std::vector<ViewEntry> views;
    std::ranges::copy_if(kViews, std::back_inserter(views),
                         [&](const ViewEntry& view) { return view.has(scene); });
    return views;
}

void check_is_shown(const Scene& scene, ViewId id) {
    const ViewEntry& view = view_of(id);
    if (view.has(scene)) return;
    if (view.why_not) throw Error("export", "{}", view.why_not);
    const RecordedStudy* recorded = scene.document.recorded();
    throw Error("export", "there is nothing to show as '{}' in this study{}", view.word,
                !recorded          ? ""
                : recorded->joined ? ": words have patterns alone, their pieces have the rest"
                                   : ": a recording has patterns alone");
}

ViewId shown_view(const Scene& scene) {
    const Selection& selection = scene.selection;
    const bool explains = selection.explains && selection.held().cell;
    if (explains && is_shown(scene, ViewId::Explanation)) return ViewId::Explanation;
    if (selection.view == ViewId::Heads && is_shown(scene, ViewId::Training))
        return ViewId::Training;
    if (selection.view != ViewId::Matrix && is_shown(scene, selection.view)) return selection.view;
    if (is_shown(scene, ViewId::Compared)) return ViewId::Compared;
    if (is_shown(scene, ViewId::Graph) && shows_graph_alone(scene.trace, selection))
        return ViewId::Graph;
    if (is_shown(scene, ViewId::Image) && shows_image_alone(scene.trace, selection))
        return ViewId::Image;
    return ViewId::Matrix;
}

ViewId exported_view(const Scene& scene) {
    const ViewId view = shown_view(scene);
    if (view == ViewId::Readout && is_shown(scene, ViewId::Sweep)) return ViewId::Sweep;
    const bool has_heads = view == ViewId::Training && is_shown(scene, ViewId::Heads);
    return has_heads ? ViewId::Heads : view;
}

}  // namespace headlight
