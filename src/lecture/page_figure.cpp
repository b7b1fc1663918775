#include "lecture/page_figure.h"

#include <algorithm>

#include "core/error.h"
#include "lecture/page_scope.h"
#include "lecture/page_text_figure.h"
#include "paint/figure_extent.h"
#include "paint/figure_parts.h"
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
constexpr float kFootHeight = 22, kFootSize = 10.5f;
constexpr float kTitleSize = 28, kLeastTitle = 16, kTitleGap = 12;
constexpr float kTextSize = 17, kLeastText = 9, kGap = 12;
/// Where the text needs more of the page than this, it stands beside the view.
/// So it does where that makes the view so much larger.
constexpr float kMostAbove = 0.3f, kBeside = 0.4f, kMuchLarger = 1.25f;

/// Curves are arranged in this height, then made as large as the room.
constexpr float kCurvesHeight = 210;
/// How many times as large as usual the type of matrices is.
constexpr float kLeastTimes = 0.7f, kMostTimes = 1.7f;
constexpr float kAnswerLine = 30, kAnswerSize = 14, kAboveTask = 4;

/// A task on a page that nobody can press.
struct PrintedTask {
    TaskPicture picture;
    float height = 0;  // of its card with the gap above it
};

PrintedTask printed_task(const PageParts& parts, Point size, const Theme& theme,
                         const MeasureText& measure) {
    PrintedTask printed;
    if (!parts.task || !parts.task_text) return printed;
    const float unit = size.y / kPageHeight;
    const float width = size.x - 2 * (kPageMargin + kTaskPad) * unit;
    printed.picture = task_picture(
        *parts.task_text, {.width = width, .unit = unit, .theme = theme, .measure = measure});
    using Kind = PageTask::Kind;
    const bool has_line = parts.task->kind == Kind::Predict || parts.task->kind == Kind::Order;
    if (has_line) {
        Figure& figure = printed.picture.figure;
        figure.add(TextMark{{0, figure.height + 0.7f * kAnswerLine * unit},
                            "Answer: ______________________",
                            kAnswerSize * unit,
                            theme.text});
        figure.height += kAnswerLine * unit;
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

/// Lays out one page; `unit` is a point of the page where it is kPageHeight high.
class Layout {
  public:
    Layout(const PageContent& content, Point size, const Theme& theme, const MeasureText& measure)
        : content_(content), size_(size), theme_(theme), measure_(measure) {}

    PageLayout lay_out() {
        layout_.text = {size_.x, size_.y, {}, {}};
        layout_.foot = {margin_, size_.y - kFootHeight * unit_, width_, kFootHeight * unit_};
        float top = margin_;
        if (!content_.title.empty()) {
            add_title();
            top += (kTitleSize + kTitleGap) * unit_;
        }
        const float bottom = layout_.foot.y - content_.below * unit_;
        place_text(top, bottom);
        layout_.below = {margin_, bottom, width_, content_.below * unit_};
        return std::move(layout_);
    }

  private:
    /// In one line, smaller if it is long.
    void add_title() {
        const float full = kTitleSize * unit_;
        const float wanted = measure_(content_.title, full, Font::Bold);
        const float size = std::max(kLeastTitle * unit_, full * std::min(1.0f, width_ / wanted));
        TextMark mark{
            {margin_, margin_ + full - 4 * unit_}, content_.title, size, theme_.text, Font::Bold};
        shorten(mark, width_, measure_);
        layout_.text.add(std::move(mark));
    }

    void place_text(float top, float bottom) {
        const float height = bottom - top;
        if (!content_.has_view) return add_fitted({width_, height}, top);
        const Figure above =
            text_figure(content_.text, {width_, kTextSize * unit_, theme_, measure_});
        const float gap = kGap * unit_, beside = (1 - kBeside) * width_ - gap;
        const float below = top + (above.height > 0 ? above.height + gap : 0);
        const float height_above = std::min(width_ / content_.aspect, bottom - below);
        const float height_beside = std::min(beside / content_.aspect, height);
        const bool is_above =
            above.height <= kMostAbove * size_.y && height_beside < kMuchLarger * height_above;
        if (is_above) {
            add_part(layout_.text, above, {margin_, top});
            layout_.view = {margin_, below, width_, bottom - below};
            return;
        }
        add_fitted({kBeside * width_ - gap, height}, top);
        layout_.view = {margin_ + kBeside * width_ + gap, top, beside, height};
    }

    /// The text in that room, smaller if it is higher.
    void add_fitted(Point room, float top) {
        float size = kTextSize;
        Figure figure = text_figure(content_.text, {room.x, size * unit_, theme_, measure_});
        while (figure.height > room.y && size > kLeastText) {
            size -= 0.5f;
            figure = text_figure(content_.text, {room.x, size * unit_, theme_, measure_});
        }
        if (figure.height > room.y) cut(figure, {room.x, room.y}, size * unit_);
        add_part(layout_.text, figure, {margin_, top});
    }

    /// Lines that would run over what is below are left out, which is said in their place.
    void cut(Figure& figure, Point room, float size) {
        layout_.note =
            "the text is too long for the page, and its end is left out; a page of its own has "
            "room "
            "for it";
        const float last = room.y - 1.5f * size;
        std::erase_if(figure.marks, [&](const Mark& mark) {
            const auto* text = std::get_if<TextMark>(&mark);
            return text && text->at.y > last;
        });
        figure.add(TextMark{{0, room.y - 0.4f * size},
                            "… the rest has no room on this page",
                            size,
                            theme_.warning});
        figure.height = room.y;
    }

    const PageContent& content_;
    Point size_;
    const Theme& theme_;
    const MeasureText& measure_;
    float unit_ = size_.y / kPageHeight, margin_ = kPageMargin * unit_;
    float width_ = size_.x - 2 * margin_;
    PageLayout layout_;
};

}  // namespace

float view_aspect(const Scene& scene, FigureOf view) {
    if (view == FigureOf::Compared) return 2.2f;
    if (view == FigureOf::Heads || view == FigureOf::Panels || view == FigureOf::Flow ||
        view == FigureOf::Step)
        return 1.9f;
    if (view == FigureOf::Plane) return 1.1f;
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

PageLayout layout_page(const PageContent& content, Point size, const Theme& theme,
                       const MeasureText& measure) {
    return Layout(content, size, theme, measure).lay_out();
}

void add_page_foot(Figure& figure, const Box& foot, const std::string& origin, PageNumber number,
                   const Theme& theme, const MeasureText& measure) {
    const float unit = foot.height / kFootHeight, baseline = foot.bottom() - 8 * unit;
    const float size = kFootSize * unit;
    const std::string at = std::to_string(number.page + 1) + " / " + std::to_string(number.n_pages);
    figure.add(
        TextMark{{foot.right(), baseline}, at, size, theme.muted, Font::Regular, Align::End});
    TextMark from{{foot.x, baseline}, origin, size, theme.muted};
    fit(from, foot.width - measure(at, size, Font::Regular) - 20 * unit, measure);
    figure.add(std::move(from));
}

FarLook page_far_look(float unit) {
    return {.stretch = kPageStretch, .times = {kLeastTimes * unit, kMostTimes * unit}};
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

/// Widths as they are once everything is that many times as large: letters do not grow evenly.
MeasureText measure_enlarged(const MeasureText& measure, float times) {
    return [&measure, times](const std::string& text, float size, Font font) {
        return measure(text, size * times, font) / times;
    };
}

/// How many times as large as on a desk.
float times_of_view(const Scene& scene, FigureOf view) {
    constexpr float kColumnsTimes = 1.1f, kLineTimes = 1.5f, kOtherTimes = 1.2f;
    if (view == FigureOf::Row || view == FigureOf::Plane) return 1;  // they fill their room
    if (view != FigureOf::Words) return kOtherTimes;
    const bool is_line = scene.selection.words.layout == WordView::Layout::Line;
    return is_line ? kLineTimes : kColumnsTimes;
}

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

}  // namespace

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
    const float times = times_of_view(scene, view) * room.unit;
    look.room = {room.size.x / times, room.size.y / times};
    look.theme = theme_name(scene.theme);
    look.origin = FigureLook::Origin::Hidden;
    look.seen_from = FigureLook::SeenFrom::Far;
    if (is_covered) look.of_image = FigureLook::Class::Untold;
    const MeasureText enlarged = measure_enlarged(measure, times);
    const bool is_unheld = is_covered && view == FigureOf::Plane;
    const Selection other = is_unheld ? unheld(scene.selection) : Selection();
    Scene seen{
        scene.document, scene.trace,      scene.components, is_unheld ? other : scene.selection,
        scene.theme,    scene.comparison, scene.kept};
    seen.sweep = scene.sweep;
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
    const PrintedTask task = printed_task(parts, size, theme, measure);
    const PageContent content{.title = parts.title,
                              .text = parts.text,
                              .has_view = has_view || parts.curves,
                              .aspect = parts.curves ? kCurvesAspect
                                        : has_view   ? view_aspect(*parts.scene, *parts.view)
                                                     : 1,
                              .below = task.height / unit};
    PageLayout layout = layout_page(content, size, theme, measure);
    PageFigure page{std::move(layout.text), theme.card, layout.note};
    const Point room{layout.view.width, layout.view.height};
    if (parts.curves && !layout.view.is_empty())
        add_part(page.figure, page_curves_figure(*parts.curves, room, theme, measure),
                 {layout.view.x, layout.view.y});
    if (has_view && !layout.view.is_empty()) {
        const bool is_covered = parts.task && covers_matrix(*parts.task);
        const PageRoom place{room, unit, is_covered ? PageRoom::Cover::On : PageRoom::Cover::Off};
        ViewFigure shown = page_view_figure(*parts.scene, *parts.view, place, measure);
        page.note += (page.note.empty() || shown.note.empty() ? "" : "; ") + shown.note;
        const float left =
            layout.view.x + std::max(0.0f, layout.view.width - shown.figure.width) / 2;
        add_part(page.figure, shown.figure, {left, layout.view.y});
    }
    if (parts.task) add_task(page.figure, task, layout.below, unit, theme);
    add_page_foot(page.figure, layout.foot,
                  parts.scene ? shown_origin(*parts.scene) : std::string(), parts.number, theme,
                  measure);
    return page;
}

PageText filled_text(const PageSource& source, OpenPage& page) {
    const LecturePage& written = source.lecture.pages[page.index];
    const bool is_in_file = written.text_line > 0;
    const std::string where =
        source.name + (is_in_file ? "" : " page " + std::to_string(page.index + 1));
    const PageText text = read_page_text(written.text, where, std::max(1, written.text_line));
    std::vector<Expression> expressions = expressions_in(text);
    if (expressions.empty()) return text;
    const PageScope scope(source, page, std::move(expressions));
    return fill(text, scope.scope());
}

TaskText filled_task(const PageSource& source, OpenPage& page, const PageTask& task) {
    if (!page.space && task.kind != PageTask::Kind::Choice)
        throw Error(place_in(source.name, task.line),
                    "a task without choices needs a study, which the page has not");
    TaskText text = read_task_text(task, source.name);
    std::vector<Expression> expressions = expressions_in(text);
    if (expressions.empty()) return text;
    const PageScope scope(source, page, std::move(expressions));
    return fill(std::move(text), scope.scope());
}

}  // namespace headlight
