#include "lecture/page/page_figure.h"

#include <algorithm>

#include "core/error.h"
#include "lecture/page/page_scope.h"
#include "lecture/page/page_text_figure.h"
#include "paint/figure_extent.h"
#include "paint/figure_parts.h"
#include "paint/figure_type.h"
#include "paint/figures/guess_marks.h"
#include "paint/figures/heatmap_figure.h"
#include "paint/figures/tensor_figure.h"
#include "paint/labels.h"
#include "paint/words/fitted_text.h"
#include "scene/export/look_words.h"
#include "scene/figures/comparison_pictures.h"
#include "scene/figures/matrix_part.h"
#include "scene/figures/panels_view.h"
#include "scene/figures/row_bars.h"
#include "scene/figures/shown_origin.h"

namespace headlight {
namespace {

// Of a page that is kPageHeight high.
constexpr float kFootSize = 10.5f;

/// Curves are arranged in this height, then made as large as the room.
constexpr float kCurvesHeight = 210;
/// How many times as large as usual the type of matrices is.
constexpr float kLeastTimes = 0.7f, kMostTimes = 1.7f;
/// The same of nodes, arrows and names of a graph.
constexpr float kGraphTimes = 1.4f;
constexpr float kTwoLines = 40;  // at least what a question of two lines takes
constexpr float kAnswerLine = 30, kAnswerSize = 14, kAboveTask = 4;

/// A task on a page that nobody can press.
struct PrintedTask {
    TaskPicture picture;
    float height = 0;  // of its card with the gap above it
};

PrintedTask printed_task(const PageParts& parts, const TaskLook& look) {
    PrintedTask printed;
    if (!parts.task || !parts.task_text) return printed;
    const float unit = look.unit;
    printed.picture = task_picture(*parts.task_text, look);
    using Kind = PageTask::Kind;
    const bool has_line = parts.task->kind == Kind::Predict || parts.task->kind == Kind::Order;
    if (has_line) {
        Figure& figure = printed.picture.figure;
        TextMark line{{}, "Answer: ______________________", kAnswerSize * unit, look.theme.text};
        const float left = look.width - look.measure(line.text, line.size, line.font);
        const bool has_room = figure.height < kTwoLines * unit &&
                              far_corner(figure, look.measure).x + 2 * kPageGap * unit < left;
        line.at = has_room ? Point{left, 0.7f * figure.height}
                           : Point{0, figure.height + 0.7f * kAnswerLine * unit};
        figure.add(std::move(line));
        if (!has_room) figure.height += kAnswerLine * unit;
    }
    printed.height = printed.picture.figure.height + (2 * kTaskPad + kAboveTask) * unit;
    return printed;
}

void add_task(Figure& figure, const PrintedTask& task, const Box& box, float unit,
              const Theme& theme) {
    figure.add(
        RectMark{{box.x, box.y + kAboveTask * unit, box.width, task.height - kAboveTask * unit},
                 theme.accent_soft,
                 {0, 0, 0, 0},
                 0,
                 6 * unit});
    add_part(figure, task.picture.figure,
             {box.x + kTaskPad * unit, box.y + (kAboveTask + kTaskPad) * unit});
}

}  // namespace

/// Words below each other need little width.
constexpr float kWordsAspect = 1.25f;

float view_aspect(const Scene& scene, FigureOf view) {
    if (view == FigureOf::Compared) return 2.2f;
    if (view == FigureOf::Heads || view == FigureOf::Panels || view == FigureOf::Flow ||
        view == FigureOf::Step)
        return 1.9f;
    if (view == FigureOf::Plane) return 1.1f;
    if (view == FigureOf::Words) return kWordsAspect;
    if (view != FigureOf::Matrix) return 1.5f;
    const Tensor& tensor = scene.trace.at(scene.selection.chosen);
    const MatrixLook& look = scene.selection.matrix;
    const bool is_part = is_shown_in_part(scene, tensor);
    const auto count = [&](const std::vector<Index>& part, Index all) {
        constexpr Index kNamesAndHeading = 2;
        const Index n = is_part && !part.empty() ? std::ssize(part) : all;
        return static_cast<float>(n + kNamesAndHeading);
    };
    const float rows = count(look.rows, tensor.rows().size);
    const float columns = count(look.columns, tensor.columns().size);
    return std::clamp(1.8f * columns / rows, 0.7f, 4.0f);
}

std::string missing_words(const Figure& view) {
    // A slide does without the bar of its colours, where names need the room, and "…" is seen.
    Figure missed;
    for (const LeftOut& missing : view.left_out)
        if (missing.what != "legends" && !missing.is_cut) missed.leave_out(missing);
    return missed.left_out.empty() ? "" : "no room for " + left_out_text(missed);
}

void add_page_foot(Figure& figure, const Box& foot, const std::string& origin, PageNumber number,
                   const Theme& theme, const MeasureText& measure) {
    const float unit = foot.height / kPageFoot, baseline = foot.bottom() - 8 * unit;
    const float size = kFootSize * unit;
    const std::string at = std::to_string(number.page + 1) + " / " + std::to_string(number.n_pages);
    figure.add(
        TextMark{{foot.right(), baseline}, at, size, theme.muted, Font::Regular, Align::End});
    TextMark from{{foot.x, baseline}, origin, size, theme.muted};
    fit(from, foot.width - measure(at, size, Font::Regular) - 20 * unit, measure);
    figure.add(std::move(from));
}

FarLook page_far_look(float unit) {
    return {.stretch = kPageStretch,
            .times = {kLeastTimes * unit, kMostTimes * unit, kReadableNumber * unit},
            .graph_times = kGraphTimes * unit};
}

HeatmapInput page_matrix(const Scene& scene, const Tensor& tensor, Point room, float unit) {
    HeatmapInput input = heatmap_input(scene.trace, tensor, scene.theme, scene.selection.scales);
    input.width = room.x;
    input.height = room.y;
    input.stretch = kPageStretch;
    input.times = page_far_look(unit).times;
    // The path is for those who type it.
    const std::string path = " · " + tensor.path();
    if (const std::size_t at = input.title.find(path); at != std::string::npos)
        input.title.erase(at, path.size());
    input.view = scene.selection.views.of(tensor);
    input.selected = cell_pick(tensor, scene.selection.held().focus);
    input.hovered = cell_pick(tensor, scene.selection.hovered().focus);
    if (is_shown_in_part(scene, tensor)) show_part(input, scene.selection.matrix);
    return input;
}

namespace {

ViewFigure matrix_figure(const Scene& scene, const PageRoom& place, const MeasureText& measure) {
    const Point room = place.size;
    const Tensor& tensor = scene.trace.at(scene.selection.chosen);
    const bool is_covered = place.cover == PageRoom::Cover::On;
    ViewFigure shown;
    if (is_shown_as_bars(tensor) && !is_covered) {
        shown.figure = row_bars_figure(scene, tensor, room, measure);
    } else {
        HeatmapInput input = page_matrix(scene, tensor, room, place.unit);
        if (is_covered) cover(input, scene.theme, measure);
        shown.figure = heatmap_figure(input, scene.theme, measure).figure;
    }
    shown.figure.width = std::min(room.x, far_corner(shown.figure, measure).x);
    return shown;
}

/// Why there are no panels, on the page: their values are being computed, or were changed.
ViewFigure reason_figure(const std::string& why, Point size, const Theme& theme,
                         const MeasureText& measure) {
    constexpr float kReason = 14;
    ViewFigure shown{.figure = {size.x, size.y, {}}};
    TextMark mark{{0, kReason}, why, kReason, theme.muted};
    shorten(mark, size.x, measure);
    shown.figure.add(std::move(mark));
    return shown;
}

/// The projection of held rows is the answer.
Selection unheld(Selection selection) {
    selection.release();
    return selection;
}

/// None where there is no answer: who judges it says why.
std::vector<PageText> names_in_task(const PageSource& source, OpenPage& page,
                                    const PageTask& task) {
    try {
        const PageScope scope(source, page, {task.expression});
        return names_to_order(task, scope.scope());
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

float page_times(const Scene& scene, FigureOf view, float unit) {
    constexpr float kColumnsTimes = 1.1f, kLineTimes = 1.5f, kOtherTimes = 1.2f;
    if (view == FigureOf::Row || view == FigureOf::Plane) return unit;  // they fill their room
    if (view == FigureOf::Graph) return kGraphTimes * unit;
    if (view != FigureOf::Words) return kOtherTimes * unit;
    const bool is_line = scene.selection.words.layout == WordView::Layout::Line;
    return (is_line ? kLineTimes : kColumnsTimes) * unit;
}

std::function<float(Point room)> page_number_size(const Scene& scene, FigureOf view, float unit,
                                                  const MeasureText& measure) {
    constexpr Index kMostColumns = 16;  // more have no numbers on any page
    const Tensor& tensor = scene.trace.at(scene.selection.chosen);
    const bool compares = scene.comparison && scene.comparison->is_on();
    const Index columns = std::ssize(scene.selection.matrix.columns);
    const bool are_many = (columns > 0 ? columns : tensor.columns().size) > kMostColumns;
    if (!tensor.value || are_many ||
        scene.selection.scales.of(tensor.quantity()).numbers == PictureSettings::Numbers::Never)
        return {};
    if (view == FigureOf::Compared && compares)
        return [&scene, unit, &measure](Point room) {
            float least = room.y;
            for (const ComparedPicture& picture :
                 comparison_pictures(scene, {room}, measure, page_far_look(unit)).pictures)
                least = std::min(least, picture.number_size);
            return least;
        };
    if (view != FigureOf::Matrix || is_shown_as_bars(tensor)) return {};
    return [&scene, &tensor, unit, &measure](Point room) {
        return heatmap_figure(page_matrix(scene, tensor, room, unit), scene.theme, measure)
            .number_size;
    };
}

ViewFigure page_view_figure(const Scene& scene, FigureOf view, const PageRoom& room,
                            const MeasureText& measure) {
    const bool compares = scene.comparison && scene.comparison->is_on();
    const bool is_covered = room.cover == PageRoom::Cover::On;
    if (view == FigureOf::Matrix || (view == FigureOf::Compared && !compares) ||
        (view == FigureOf::Row && is_covered))
        return matrix_figure(scene, room, measure);
    if (view == FigureOf::Compared) {
        ViewFigure shown;
        shown.figure =
            comparison_pictures(scene, {room.size}, measure, page_far_look(room.unit)).figure;
        return shown;
    }
    FigureLook look;
    const float times = page_times(scene, view, room.unit);
    look.room = {room.size.x / times, room.size.y / times};
    look.theme = theme_name(scene.theme);
    look.origin = FigureLook::Origin::Hidden;
    look.seen_from = FigureLook::SeenFrom::Far;
    if (is_covered) look.of_image = FigureLook::Class::Untold;
    const MeasureText enlarged = measure_enlarged(measure, times);
    const bool is_unheld = is_covered && view == FigureOf::Plane;
    const Selection other = is_unheld ? unheld(scene.selection) : Selection();
    const Scene seen = scene.with(is_unheld ? other : scene.selection, scene.theme);
    if (view == FigureOf::Panels)
        if (const std::string why = list_panels(seen, look.heading).problem; !why.empty())
            return reason_figure(why, room.size, scene.theme, measure);
    ViewFigure shown = view_figure(seen, view, look, enlarged);
    // What needs more room than it is given becomes smaller.
    const Point needed = far_corner(shown.figure, enlarged);
    enlarge(shown.figure, std::min({times, room.size.x / std::max(needed.x, 1.0f),
                                    room.size.y / std::max(needed.y, 1.0f)}));
    return shown;
}

Figure page_curves_figure(const PageCurves& curves, Point room, const Theme& theme,
                          const MeasureText& measure) {
    CurvesInput input = log_curves(curves.logs, curves.columns, theme, "curve");
    const float times = std::max(0.5f, room.y / kCurvesHeight);
    input.width = room.x / times;
    input.height = room.y / times;
    Figure figure = curves_figure(input, theme, measure_enlarged(measure, times)).figure;
    enlarge(figure, times);
    figure.width = room.x;
    return figure;
}

PageFigure page_figure(const PageParts& parts, Point size, const Theme& theme,
                       const MeasureText& measure) {
    const bool has_view = parts.scene && parts.view;
    const float unit = size.y / kPageHeight;
    const auto task_in = [&](float width) {
        return printed_task(parts, {.width = width - 2 * kTaskPad * unit,
                                    .unit = unit,
                                    .theme = theme,
                                    .measure = measure});
    };
    PrintedTask task = task_in(size.x - 2 * kPageMargin * unit);
    PrintedTask under_text = task_in(beside_width(size));
    const PageContent content{
        .title = parts.title,
        .text = parts.text,
        .has_view = has_view || parts.curves,
        .aspect = parts.curves ? kCurvesAspect
                  : has_view   ? view_aspect(*parts.scene, *parts.view)
                               : 1,
        .below = task.height / unit,
        .below_text = under_text.height / unit,
        .number_size =
            has_view ? page_number_size(*parts.scene, *parts.view, unit, measure) : nullptr};
    PageLayout layout = layout_page(content, size, theme, measure);
    if (layout.arrangement == PageArrangement::TaskUnderText) task = std::move(under_text);
    PageFigure page{std::move(layout.text), theme.card, layout.note};
    const Point room{layout.view.width, layout.view.height};
    std::string origin = parts.scene ? shown_origin(*parts.scene) : std::string();
    if (parts.curves && !layout.view.is_empty())
        add_part(page.figure, page_curves_figure(*parts.curves, room, theme, measure),
                 {layout.view.x, layout.view.y});
    if (has_view && !layout.view.is_empty()) {
        const bool is_covered = parts.task && covers_matrix(*parts.task);
        const PageRoom place{room, unit, is_covered ? PageRoom::Cover::On : PageRoom::Cover::Off};
        ViewFigure shown = page_view_figure(*parts.scene, *parts.view, place, measure);
        const std::string missing = missing_words(shown.figure);
        if (shown.note.empty()) shown.note = missing;
        page.note += (page.note.empty() || shown.note.empty() ? "" : "; ") + shown.note;
        origin = missing + (origin.empty() || missing.empty() ? "" : " · ") + origin;
        const float left =
            layout.view.x + std::max(0.0f, layout.view.width - shown.figure.width) / 2;
        add_part(page.figure, shown.figure, {left, layout.view.y});
    }
    if (parts.task) add_task(page.figure, task, layout.below, unit, theme);
    add_page_foot(page.figure, layout.foot, origin, parts.number, theme, measure);
    return page;
}

PageText filled_text(const PageSource& source, OpenPage& page, Faults* faults) {
    const LecturePage& written = source.lecture.pages[page.index];
    const bool is_in_file = !written.text_lines.empty();
    const std::string where =
        source.name + (is_in_file ? "" : " page " + std::to_string(page.index + 1));
    const PageText text = read_page_text(written.text, where, written.text_lines);
    std::vector<Expression> expressions = expressions_in(text);
    if (expressions.empty()) return text;
    std::optional<PageScope> scope;
    attempt(faults, [&] { scope.emplace(source, page, std::move(expressions)); });
    return scope ? fill(text, scope->scope(), faults) : without_values(text);
}

TaskText filled_task(const PageSource& source, OpenPage& page, const PageTask& task,
                     Faults* faults) {
    if (!page.space && task.kind != PageTask::Kind::Choice)
        throw Error({source.name, task.line},
                    "a task without choices needs a study, which the page has not");
    TaskText text = read_task_text(task, source.name);
    if (task.kind == PageTask::Kind::Order) text.choices = names_in_task(source, page, task);
    std::vector<Expression> expressions = expressions_in(text);
    if (expressions.empty()) return text;
    std::optional<PageScope> scope;
    attempt(faults, [&] { scope.emplace(source, page, std::move(expressions)); });
    return scope ? fill(std::move(text), scope->scope(), faults) : without_values(std::move(text));
}

}  // namespace headlight
