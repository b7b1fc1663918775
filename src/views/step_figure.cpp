#include "views/step_figure.h"

#include <algorithm>
#include <fmt/format.h>

#include "figure/figure_look.h"
#include "figure/figure_parts.h"
#include "figure/graphs/graph_figure.h"
#include "figure/heatmap_figure.h"
#include "figure/image_figure.h"
#include "figure/labels.h"
#include "figure/tensor_figure.h"
#include "figure/words/formula.h"
#include "figure/words/step_words.h"
#include "io/studies/ready_studies.h"
#include "views/graph_view.h"
#include "views/image_view.h"
#include "views/row_bars.h"
#include "views/view_figure.h"

namespace headlight {
namespace {

constexpr float kOriginSize = 11, kStepNameSize = 22, kFormulaSize = 15.9f, kSentenceSize = 13,
                kLeastFormulaSize = 10, kNarrowNameSize = 16, kSentenceLine = 17,
                kLeastWideSlide = 560;

std::string slide_place(const Scene& scene, const Tensor& tensor) {
    const Component& component = open_component(scene.components, scene.selection);
    std::string place = component.group == component.label
                            ? component.label
                            : fmt::format("{} · {}", component.group, component.label);
    const int head = tensor.identity().head;
    if (head >= 0 && component.n_heads > 1)
        place += component.head_names.empty()
                     ? fmt::format(" · head {} (of 0–{})", head, component.n_heads - 1)
                     : " · head " + head_word(component, head);
    return place;
}

/// The place of a picture on the slide.
struct SlidePlace {
    Box box;
    std::optional<float> label_size;
};

void add_matrix(Figure& figure, const Scene& scene, const Tensor& tensor, const SlidePlace& place,
                const MeasureText& measure) {
    const Box& box = place.box;
    figure.add(RectMark{box, scene.theme.card, scene.theme.accent, 2, 8});
    if (!tensor.value) return;
    if (is_shown_as_bars(tensor))
        return add_part(figure, row_bars_figure(scene, tensor, {box.width, box.height}, measure),
                        {box.x, box.y});
    HeatmapInput input = slide_matrix(scene, tensor, box);
    input.label_size = place.label_size;
    const Figure picture = heatmap_figure(input, scene.theme, measure).figure;
    const Point corner = far_corner(picture, measure);
    add_part(figure, picture,
             {box.x + std::max(0.0f, (box.width - kFigurePad - corner.x) / 2),
              box.y + std::max(0.0f, (box.height - kFigurePad - corner.y) / 2)});
}

/// Adds the graph or the image that the study is about.
void add_picture(Figure& figure, const Scene& scene, const SlidePlace& place,
                 const MeasureText& measure) {
    const Box& box = place.box;
    figure.add(RectMark{box, scene.theme.card, scene.theme.accent, 2, 8});
    if (scene.document.drawn_graph()) {
        GraphInput input = graph_input(scene);
        input.box = box;
        input.label_size = place.label_size;
        return add_part(figure, graph_figure(input, scene.theme, measure).figure, {0, 0});
    }
    ImageInput input = image_input(scene);
    input.width = box.width;
    input.height = box.height;
    add_part(figure, image_figure(input, scene.theme, measure).figure, {box.x, box.y});
}

/// Draws the text on as many lines as it needs; the figure becomes so much higher.
void add_lines(Figure& figure, const TextMark& text, const MeasureText& measure) {
    TextMark line = text;
    for (const std::string& words : wrapped_lines(text, figure.width, measure)) {
        line.text = words;
        figure.add(line);
        line.at.y += kSentenceLine;
    }
    figure.height += line.at.y - text.at.y - kSentenceLine;
}

/// Draws the origin at the right end of the line, whose y is that of its letters. It is a warning
/// where the network was not trained for what it is asked.
void add_origin_line(Figure& figure, const Scene& scene, const std::string& origin, const Box& line,
                     const MeasureText& measure) {
    const bool warns = !training_notes(scene.document).empty();
    TextMark mark{{line.right(), line.y},
                  origin_in_line(origin, kOriginSize, line.width, measure),
                  kOriginSize,
                  warns ? scene.theme.warning : scene.theme.muted,
                  warns ? Font::Bold : Font::Regular,
                  Align::End};
    shorten(mark, line.width, measure);
    figure.add(std::move(mark));
}

/// Says where the numbers come from: what is set by hand here, and the weights.
void add_origin(Figure& figure, const Scene& scene, const Tensor& tensor, Box box,
                const MeasureText& measure) {
    const Theme& theme = scene.theme;
    const TextMark held{{box.x, 15}, held_count(tensor), kOriginSize, theme.accent, Font::Bold};
    figure.add(held);
    const float left = held.text.empty() ? 0 : measure(held.text, held.size, held.font) + 16;
    add_origin_line(figure, scene, shown_origin(scene, tensor),
                    {box.x + left, 15, box.width - left}, measure);
}

}  // namespace

Figure slide_head(const Scene& scene, const Tensor& tensor, const SlideHead& head,
                  const MeasureText& measure) {
    const Theme& theme = scene.theme;
    const Box& box = head.box;
    const StepWords words = step_words(scene.trace, tensor);
    const bool is_narrow = head.is_narrow;
    Figure figure{box.width, kSlideHead};
    TextMark name{{box.x, 34}, words.name, kStepNameSize, theme.text, Font::Bold};
    TextMark place{{box.right(), 34}, slide_place(scene, tensor), kSentenceSize, theme.muted};
    if (is_narrow) name.size = kNarrowNameSize, place.size = kOriginSize;
    place.align = Align::End;
    shorten(place, box.width - measure(name.text, name.size, name.font) - 20, measure);
    figure.add(name);
    figure.add(place);
    add_origin(figure, scene, tensor, box, measure);

    const std::string shapes = step_shapes(scene.trace, tensor);
    const float shapes_width = measure(shapes, kSentenceSize, Font::Regular);
    FormulaStyle style{kFormulaSize, theme.accent, Font::Math};
    const auto formula_room = box.width - shapes_width - 24;
    while (style.size > kLeastFormulaSize &&
           formula_width(tensor.equation(), style, measure) > formula_room)
        style.size -= 0.5f;
    // The equation of a leaf is its shape or some words.
    add_formula(figure, {box.x, 59}, tensor.equation(), style, measure);
    const bool has_room = formula_width(tensor.equation(), style, measure) <= formula_room;
    if (tensor.equation() != shapes && has_room)
        figure.add(TextMark{
            {box.right(), 59}, shapes, kSentenceSize, theme.muted, Font::Regular, Align::End});

    TextMark sentence{{box.x, 80},
                      head.sentence.empty() ? words.sentence : head.sentence,
                      kSentenceSize,
                      theme.text};
    if (!head.verdict.empty())
        figure.add(TextMark{
            {box.right(), 80}, head.verdict, kSentenceSize, theme.accent, Font::Bold, Align::End});
    if (is_narrow) {
        add_lines(figure, sentence, measure);
        return figure;
    }
    shorten(sentence, box.width - measure(head.verdict, kSentenceSize, Font::Bold) - 16, measure);
    figure.add(sentence);
    return figure;
}

Figure view_head(const Scene& scene, ViewId view, const std::string& name, const Box& box,
                 const MeasureText& measure) {
    Figure figure{box.width, kViewHead};
    TextMark title{{box.x, box.y + 42}, name, kStepNameSize, scene.theme.text, Font::Bold};
    shorten(title, box.width, measure);
    figure.add(title);
    add_origin_line(figure, scene, view_origin(scene, view), {box.x, box.y + 15, box.width},
                    measure);
    return figure;
}

FlowInput flow_input(const Scene& scene, FlowArrangement arrangement, Point size) {
    const Selection& selection = scene.selection;
    const Component& component = open_component(scene.components, selection);
    FlowInput input{.trace = scene.trace,
                    .component = component,
                    .shown = shown_tensors(scene.trace, component, selection.head),
                    .chosen = scene.trace.id_at(selection.chosen),
                    .hovered = {},
                    .held = selection.held().indices,
                    .scales = selection.scales,
                    .arrangement = arrangement,
                    .width = size.x,
                    .height = size.y};
    if (arrangement == FlowArrangement::Walk)
        std::erase_if(input.shown, [&](TensorId id) { return id >= input.chosen; });
    return input;
}

HeatmapInput slide_matrix(const Scene& scene, const Tensor& tensor, const Box& place) {
    HeatmapInput input = heatmap_input(scene.trace, tensor, scene.theme, scene.selection.scales);
    input.title.clear();
    input.formula.clear();
    input.stretch = kSlideStretch;
    input.width = place.width;
    input.height = place.height;
    input.selected = cell_pick(tensor, scene.selection.held().indices);
    return input;
}

Figure step_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    constexpr Point kRoom{960, 540};
    const PictureRoom room = picture_room(look, kRoom, [&](float width) {
        return std::max(in_proportion(kRoom, width), std::min(360.0f, width));
    });
    const Point size = room.size;
    const Tensor& tensor = scene.trace.at(scene.selection.chosen);
    const float width = size.x - 2 * kSlidePad;
    const bool is_narrow = room.label_size && size.x < kLeastWideSlide;
    Figure figure = slide_head(scene, tensor,
                               {.box = {kSlidePad, 0, width, kSlideHead},
                                .sentence = {},
                                .verdict = {},
                                .is_narrow = is_narrow},
                               measure);
    const float head = figure.height, height = size.y - head - kSlidePad;
    figure.width = size.x;
    figure.height = size.y;
    const FlowFigure flow = flow_figure(flow_input(scene, FlowArrangement::Walk, {width, height}),
                                        scene.theme, measure);
    add_part(figure, flow.figure, {kSlidePad, head});
    Box main = flow.main;
    main.x += kSlidePad;
    main.y += head;
    const bool has_picture = (scene.document.drawn_graph() || has_image(scene.trace)) &&
                             shown_pattern(scene.trace, scene.components, scene.selection);
    if (!has_picture) {
        add_matrix(figure, scene, tensor, {main, room.label_size}, measure);
        return figure;
    }
    const bool is_alone =
        scene.document.drawn_graph() && shows_picture_alone(scene.trace, scene.selection);
    Box picture = main;
    if (!is_alone) {
        picture.width = 0.42f * main.width;
        main.x = picture.right() + 12;
        main.width -= picture.width + 12;
        add_matrix(figure, scene, tensor, {main, room.label_size}, measure);
    }
    add_picture(figure, scene, {picture, room.label_size}, measure);
    return figure;
}

}  // namespace headlight
