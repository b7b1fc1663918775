#include "views/view_figure.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "figure/figure_look.h"
#include "figure/figure_parts.h"
#include "figure/heatmap_layout.h"
#include "figure/labels.h"
#include "io/studies/ready_studies.h"
#include "model/weight_origin.h"
#include "text/strings.h"
#include "views/compared_sides.h"
#include "views/finished_sweep.h"
#include "views/graph_view.h"
#include "views/image_view.h"
#include "views/listed_heads.h"
#include "views/matrix_view.h"
#include "views/panels_view.h"
#include "views/readout_words.h"

namespace headlight {
namespace {

constexpr float kOriginType = 9, kOriginLine = 16;

}  // namespace

std::string study_origin(const Document& document, const Plan& plan, OriginParts parts) {
    std::string origin = weight_origin(document, plan);
    const std::vector<std::string> beyond = training_notes(document);
    const std::size_t n_set = matrices_set_by_hand(document, plan).size();
    // The accuracy was measured on another network, or on other questions.
    if (!beyond.empty() || n_set > 0) origin = without_accuracy(origin);
    for (const std::string& note : beyond) append_part(origin, "; ", note);
    if (n_set > 0 && parts.has_edits) append_part(origin, "; ", set_by_hand_text(n_set));
    return origin;
}

std::string shown_origin(const Scene& scene, const Tensor& tensor, OriginParts parts) {
    std::string origin = study_origin(scene.document, scene.trace, parts);
    const std::string note = asked_row_note(scene.trace, scene.components, tensor);
    if (!note.empty()) append_part(origin, "; ", note);
    return origin;
}

namespace {

/// Returns `a`, and the origin of B's weights where they are others.
std::string with_other_origin(const Scene& scene, const std::string& a) {
    const Comparison* compared = scene.comparison;
    if (!compared || !compared->is_on() || !compared->document || !compared->trace) return a;
    const std::string b = study_origin(*compared->document, *compared->trace);
    if (study_origin(scene.document, scene.trace) == b) return a;
    return fmt::format("{}: {}  ·  {}: {}", compared->name_a, a, compared->name_b, b);
}

}  // namespace

std::string shown_origin(const Scene& scene, OriginParts parts) {
    return with_other_origin(scene,
                             shown_origin(scene, scene.trace.at(scene.selection.chosen), parts));
}

std::string whole_origin(const Scene& scene) {
    return with_other_origin(scene, study_origin(scene.document, scene.trace));
}

std::string origin_in_line(std::string origin, float size, float width,
                           const MeasureText& measure) {
    while (measure(origin, size, Font::Regular) > width) {
        std::string shorter = without_accuracy(origin);
        if (shorter == origin) break;
        origin = std::move(shorter);
    }
    return origin;
}

std::vector<std::string> origin_lines(const std::string& origin, float width,
                                      const MeasureText& measure) {
    constexpr std::size_t kMostLines = 3;
    const float room = width - 2 * kFigurePad;
    if (measure(origin, kOriginType, Font::Regular) <= room) return {origin};
    std::vector<std::string> lines = wrapped_lines({{}, origin, kOriginType}, room, measure);
    while (lines.size() > kMostLines) {
        const std::string last = std::move(lines.back());
        lines.pop_back();
        if (lines.size() == kMostLines) lines.back() += " " + last;
    }
    return lines;
}

float origin_height(std::size_t n_lines) {
    return kOriginLine * static_cast<float>(n_lines);
}

void add_origin(Figure& figure, const std::string& origin, const Theme& theme,
                const MeasureText& measure) {
    constexpr float kBelow = 6;
    for (const std::string& text : origin_lines(origin, figure.width, measure)) {
        figure.height += kOriginLine;
        TextMark line{{kFigurePad, figure.height - kBelow}, text, kOriginType, theme.muted};
        shorten(line, figure.width - 2 * kFigurePad, measure);
        figure.add(line);
    }
}

namespace {

/// Draws the figure, as high as it needs to be if the height is free.
Figure trimmed_figure(const Scene& scene, ViewId view, const FigureLook& look,
                      const MeasureText& measure) {
    Figure figure = view_of(view).draw(scene, look, measure);
    const float width = figure.width;
    if (has_free_height(look)) trim(figure, kFigurePad, measure);
    figure.width = width;
    return figure;
}

/// Draws the view with lines below it that say where its weights come from. A look without a
/// heading, or with only names, has none; a slide says it itself.
Figure with_origin(const Scene& scene, ViewId view, const FigureLook& look,
                   const MeasureText& measure) {
    const std::string origin = view_origin(scene, view);
    if (origin.empty() || view_of(view).has(ViewEntry::SaysOrigin) ||
        look.heading != FigureLook::Heading::Shown || !look.has_origin)
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

/// Leaves nothing under the pointer. What is held stays if the look shows it, or if the view
/// depends on it.
Selection selection_for(const Scene& scene, ViewId view, const FigureLook& look) {
    Selection selection = scene.selection;
    const bool is_hidden = look.selected == FigureLook::Selected::Hidden;
    if (is_hidden && !view_of(view).needs_held()) selection.release();
    if (!look.is_far) selection.changed = {};
    selection.hover({});
    selection.advance();
    return selection;
}

}  // namespace

std::string view_origin(const Scene& scene, ViewId view) {
    const ViewEntry& entry = view_of(view);
    Scene shown = scene;
    if (!entry.shows_sides() && !entry.shows_logits()) shown.comparison = nullptr;  // B is not seen
    std::string origin = entry.origin ? entry.origin(shown) : shown_origin(shown);
    const std::string blank = entry.blank ? entry.blank(scene) : "";
    if (!blank.empty()) append_part(origin, "; ", blank);
    return origin;
}

ViewFigure view_figure(const Scene& scene, ViewId view, const FigureLook& look,
                       const MeasureText& measure) {
    check_is_shown(scene, view);
    const Theme& theme = theme_named(look.theme);
    const Selection selection = selection_for(scene, view, look);
    const Scene drawn = scene.with(selection, theme);
    const ViewEntry& entry = view_of(view);
    LaidOutFigure laid_out = lay_out_figure(
        look, [&](const FigureLook& typed) { return with_origin(drawn, view, typed, measure); });
    if (entry.blank && !entry.blank(drawn).empty())
        append_part(
            laid_out.note, "; ",
            "the figure is nearly blank: the range fitted, or logarithmic steps, show more");
    return {std::move(laid_out.figure), entry.has(ViewEntry::OfCards) ? theme.canvas : theme.card,
            laid_out.look, std::move(laid_out.note)};
}

ViewId shown_view(const Scene& scene) {
    const Selection& selection = scene.selection;
    const bool explains = selection.explains && selection.held().cell;
    if (explains && is_shown(scene, ViewId::Explanation)) return ViewId::Explanation;
    if (selection.view == ViewId::Heads && is_shown(scene, ViewId::Training))
        return ViewId::Training;
    if (selection.view != ViewId::Matrix && is_shown(scene, selection.view)) return selection.view;
    if (is_shown(scene, ViewId::Compared)) return ViewId::Compared;
    if (is_shown(scene, ViewId::Graph) && shows_picture_alone(scene.trace, selection))
        return ViewId::Graph;
    if (is_shown(scene, ViewId::Image) && shows_picture_alone(scene.trace, selection))
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
