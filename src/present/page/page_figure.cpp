#include "present/page/page_figure.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/error.h"
#include "figure/figure_look.h"
#include "figure/figure_parts.h"
#include "figure/heatmap_figure.h"
#include "figure/labels.h"
#include "figure/tensor_figure.h"
#include "present/page/page_scope.h"
#include "present/page/page_text_figure.h"
#include "text/strings.h"
#include "views/compared_sides.h"
#include "views/export/look_names.h"
#include "views/matrix_view.h"
#include "views/panels_view.h"
#include "views/readout_view.h"
#include "views/row_bars.h"
#include "views/view_figure.h"

namespace headlight {
namespace {

// Sizes in points of a page that is kPageHeight high.
constexpr float kTaskQuestion = 16, kTaskChoice = 15, kTaskLine = 14;
constexpr float kBelowQuestion = 6, kNumberBox = 20, kNumberSize = 13, kNumberGap = 7;
constexpr float kBetweenChoices = 22, kBetweenRows = 6;
constexpr int kMostNumbered = 9;

/// Draws a small box with the number of a choice: a key on a slide, a place for a cross on paper.
void add_number(Figure& figure, int choice, Point at, const TaskLook& look) {
    const bool is_chosen = choice == look.chosen;
    const float side = kNumberBox * look.unit;
    const Theme& theme = look.theme;
    figure.add(RectMark{{at.x, at.y, side, side},
                        is_chosen ? theme.accent : theme.card,
                        is_chosen ? theme.accent : theme.muted,
                        look.unit,
                        4 * look.unit});
    if (choice >= kMostNumbered) return;
    const float size = kNumberSize * look.unit;
    figure.add(TextMark{{at.x + side / 2, at.y + side / 2 + size * kMiddleShift},
                        std::to_string(choice + 1),
                        size,
                        is_chosen ? theme.on_accent : theme.muted,
                        Font::Bold,
                        Align::Middle});
}

}  // namespace

TaskPicture task_picture(const TaskText& text, const TaskLook& look) {
    const float unit = look.unit, indent = (kNumberBox + kNumberGap) * unit;
    TaskPicture picture;
    picture.figure =
        text_figure(text.question, {look.width, kTaskQuestion * unit, look.theme, look.measure});
    if (text.choices.empty()) return picture;
    Point at{0, picture.figure.height + kBelowQuestion * unit};
    float row_height = 0;
    for (const PageText& choice : text.choices) {
        const Figure words = text_figure(
            choice, {look.width - indent, kTaskChoice * unit, look.theme, look.measure});
        const float width = indent + far_corner(words, look.measure).x;
        const float height = std::max(words.height, kNumberBox * unit);
        if (at.x > 0 && at.x + width > look.width)
            at = {0, at.y + std::exchange(row_height, 0.0f) + kBetweenRows * unit};
        add_number(picture.figure, static_cast<int>(picture.choices.size()), at, look);
        add_part(picture.figure, words, {at.x + indent, at.y});
        picture.choices.push_back({at.x, at.y, width, height});
        row_height = std::max(row_height, height);
        at.x += width + kBetweenChoices * unit;
    }
    picture.figure.height = at.y + row_height;
    return picture;
}

Figure task_line(const PageText& text, const TaskLook& look) {
    return text_figure(text, {look.width, kTaskLine * look.unit, look.theme, look.measure});
}

namespace {

// Sizes in points of a page that is kPageHeight high.
constexpr float kTitleSize = 28, kLeastTitle = 16, kTitleGap = 12;
constexpr float kTextSize = 17, kLeastText = 9, kLargestAlone = 24;
/// Where the text needs more than kMostAbove of the height, it stands beside the view, on kBeside
/// of the width. It also does where that makes the view kMuchLarger times as large.
constexpr float kMostAbove = 0.3f, kBeside = 0.4f, kMuchLarger = 1.25f;
/// A task stands under such a text if that makes the view kLargerBesideTask times as large.
/// kLeastBesideTask is the least type beside the view.
constexpr float kLargerBesideTask = 1.2f, kLeastBesideTask = 14;
/// Numbers that are too small to read move the text if that makes them kLargerNumbers times as
/// large.
constexpr float kLargerNumbers = 1.05f;

/// A text stands beside the view where it is at least so wide. On a narrower page it stands above
/// the view, on at most kMostOnNarrow of the height that both have.
constexpr float kLeastColumn = 180, kMostOnNarrow = 0.45f;

/// Lays out one page; `unit` is a point of the page.
class LayoutMaker {
  public:
    LayoutMaker(const PageContent& content, Point size, const Theme& theme,
                const MeasureText& measure)
        : content_(content), size_(size), theme_(theme), measure_(measure) {}

    PageLayout lay_out() {
        layout_.text = {size_.x, size_.y, {}, {}};
        layout_.foot = {margin_, size_.y - kPageFoot * unit_, width_, kPageFoot * unit_};
        float top = margin_;
        if (!content_.title.empty()) {
            place_title();
            top += (kTitleSize + kTitleGap) * unit_;
        }
        top_ = top;
        bottom_ = layout_.foot.y - content_.below * unit_;
        layout_.below = {margin_, bottom_, width_, content_.below * unit_};
        if (content_.has_view) {
            place(layout_.arrangement = chosen());
        } else {  // the text is as large as it has room for, and the task follows it
            const float height =
                add_fitted({width_, bottom_ - top_ - kPageGap * unit_}, kLargestAlone);
            if (height > 0) layout_.below.y = std::min(bottom_, top_ + height + kPageGap * unit_);
        }
        return std::move(layout_);
    }

  private:
    /// Places the title in one line, smaller if it is long.
    void place_title() {
        const float full = kTitleSize * unit_;
        const float wanted =
            title_width({{}, content_.title, full, theme_.text, Font::Bold}, measure_);
        const float size = std::max(kLeastTitle * unit_, full * std::min(1.0f, width_ / wanted));
        add_title(
            layout_.text,
            {{margin_, margin_ + full - 4 * unit_}, content_.title, size, theme_.text, Font::Bold},
            width_, measure_);
    }

    /// Returns the usual arrangement, or the one with the largest numbers where they could not be
    /// read.
    PageArrangement chosen() const {
        if (content_.arrangement && is_possible(*content_.arrangement))
            return *content_.arrangement;
        PageArrangement best = usual();
        if (!content_.number_size) return best;
        float size = number_size(best);
        if (size >= kReadableNumber * unit_) return best;
        using enum PageArrangement;
        for (const PageArrangement other : {TextAbove, TextBeside, TaskUnderText}) {
            if (!is_possible(other)) continue;
            const float larger = number_size(other);
            if (larger > kLargerNumbers * size) best = other, size = larger;
        }
        return best;
    }

    float number_size(PageArrangement arrangement) const {
        const Box view = view_in(arrangement);
        return view.is_empty() ? 0 : content_.number_size({view.width, view.height});
    }

    /// Returns the arrangement that the sizes of the view suggest.
    PageArrangement usual() const {
        using enum PageArrangement;
        const float above = view_height(TextAbove), beside = view_height(TextBeside);
        const bool is_beside =
            !is_narrow() && (text_height() > kMostAbove * size_.y || beside >= kMuchLarger * above);
        const float height = is_beside ? beside : above;
        if (is_possible(TaskUnderText) && view_height(TaskUnderText) >= kLargerBesideTask * height)
            return TaskUnderText;
        return is_beside ? TextBeside : TextAbove;
    }

    /// True if the text has room in that arrangement and is not too small.
    bool is_possible(PageArrangement arrangement) const {
        if (arrangement == PageArrangement::TextAbove)
            return is_narrow() || text_height() <= kMostAbove * size_.y;
        if (is_narrow()) return false;
        const bool is_task_under = arrangement == PageArrangement::TaskUnderText;
        if (is_task_under && content_.below_text <= 0) return false;
        const float least =
            text_figure(content_.text, {column_, kLeastBesideTask * unit_, theme_, measure_})
                .height;
        return least <= (is_task_under ? room_over_task() : bottom_ - top_);
    }

    bool is_narrow() const { return column_ < kLeastColumn * unit_; }

    /// Returns the height of the text above the view.
    float text_height() const {
        const float all =
            text_figure(content_.text, {width_, kTextSize * unit_, theme_, measure_}).height;
        return is_narrow() ? std::min(all, kMostOnNarrow * (bottom_ - top_)) : all;
    }
    float room_over_task() const {
        return layout_.foot.y - top_ - content_.below_text * unit_ - kPageGap * unit_;
    }

    Box view_in(PageArrangement arrangement) const {
        if (arrangement == PageArrangement::TextAbove) {
            const float text = text_height();
            const float top = top_ + (text > 0 ? text + kPageGap * unit_ : 0);
            return {margin_, top, width_, bottom_ - top};
        }
        const float left = kBeside * width_ + kPageGap * unit_;
        const bool is_task_under = arrangement == PageArrangement::TaskUnderText;
        const float bottom = is_task_under ? layout_.foot.y : bottom_;
        return {margin_ + left, top_, width_ - left, bottom - top_};
    }

    /// Returns the height that the view would fill.
    float view_height(PageArrangement arrangement) const {
        const Box view = view_in(arrangement);
        return std::min(view.width / content_.aspect, view.height);
    }

    void place(PageArrangement arrangement) {
        using enum PageArrangement;
        layout_.view = view_in(arrangement);
        if (arrangement != TaskUnderText) {
            const bool is_over_view = arrangement == TextAbove && is_narrow();
            const float height = is_over_view ? text_height() : bottom_ - top_;
            add_fitted({arrangement == TextAbove ? width_ : column_, height});
            return;
        }
        add_fitted({column_, room_over_task()});
        const float task = content_.below_text * unit_;
        layout_.below = {margin_, layout_.foot.y - task, column_, task};
    }

    /// Adds the text in that room, smaller if it is higher. Returns its height.
    float add_fitted(Point room, float size = kTextSize) {
        Figure figure = text_figure(content_.text, {room.x, size * unit_, theme_, measure_});
        while (figure.height > room.y && size > kLeastText) {
            size -= 0.5f;
            figure = text_figure(content_.text, {room.x, size * unit_, theme_, measure_});
        }
        if (figure.height > room.y) cut(figure, {room.x, room.y}, size * unit_);
        add_part(layout_.text, figure, {margin_, top_});
        return figure.height;
    }

    /// Leaves out lines that would run over what is below, and says so in their place.
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
    float unit_ = page_unit(size_), margin_ = kPageMargin * unit_;
    float width_ = size_.x - 2 * margin_;
    float column_ = beside_width(size_);  // of a text beside the view
    float top_ = 0, bottom_ = size_.y;    // of text and view, above the task
    PageLayout layout_;
};

}  // namespace

float page_unit(Point size) {
    return std::min(size.y / kPageHeight, size.x / kNarrowPage);
}

float beside_width(Point size) {
    const float unit = page_unit(size);
    return kBeside * (size.x - 2 * kPageMargin * unit) - kPageGap * unit;
}

PageLayout layout_page(const PageContent& content, Point size, const Theme& theme,
                       const MeasureText& measure) {
    return LayoutMaker(content, size, theme, measure).lay_out();
}

namespace {

// A size in points of a page that is kPageHeight high.
constexpr float kFootSize = 10.5f;

/// Curves are arranged in this height, then made as large as the room.
constexpr float kCurvesHeight = 210;
/// The type of matrices is this many times as large as usual.
constexpr float kLeastTimes = 0.7f, kMostTimes = 1.7f;
/// Nodes, arrows and names of a graph are this many times as large as usual.
constexpr float kGraphTimes = 1.4f;
constexpr float kTwoLines = 40;  // at least what a question of two lines takes
constexpr float kAnswerLine = 30, kAnswerSize = 14, kAboveTask = 4;

/// A task on a page that nobody can press.
struct PrintedTask {
    TaskPicture picture;
    float height = 0;  // of its card with the gap above it
};

PrintedTask printed_task(const PrintedPage& page, const TaskLook& look) {
    PrintedTask printed;
    if (!page.task) return printed;
    const float unit = look.unit;
    printed.picture = task_picture(page.task_text, look);
    using Kind = PageTask::Kind;
    const bool has_line = page.task->kind == Kind::Predict || page.task->kind == Kind::Order;
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

float view_aspect(const Scene& scene, ViewId view) {
    if (const float aspect = view_of(view).aspect; aspect > 0) return aspect;
    const Tensor& tensor = scene.trace.at(scene.selection.chosen);
    const MatrixPart part = shown_part(scene, tensor).value_or(MatrixPart());
    const auto count = [&](const std::vector<Index>& shown, Index all) {
        constexpr Index kNamesAndHeading = 2;
        const Index n = shown.empty() ? all : std::ssize(shown);
        return static_cast<float>(n + kNamesAndHeading);
    };
    const float rows = count(part.rows, tensor.rows().size);
    const float columns = count(part.columns, tensor.columns().size);
    return std::clamp(1.8f * columns / rows, 0.7f, 4.0f);
}

std::string missing_words(const Figure& view) {
    // The bar of colours gives way to names on a slide, and a cut name shows its “…”, so neither is
    // missed.
    Figure missed;
    for (const LeftOut& missing : view.left_out)
        if (missing.what != "legends" && !missing.is_cut) missed.leave_out(missing);
    return missed.left_out.empty() ? "" : "no room for " + left_out_text(missed);
}

std::string page_origin(const Scene& scene, const std::optional<ViewId>& view,
                        const PageText& text) {
    const auto has_value = [](const TextBlock& block) {
        return std::ranges::any_of(
            block.spans, [](const TextSpan& span) { return span.kind == TextSpan::Kind::Value; });
    };
    const bool is_of_study = view || std::ranges::any_of(text.blocks, has_value);
    return is_of_study ? shown_origin(scene) : "";
}

namespace {

std::string page_number_text(PageNumber number) {
    return fmt::format("{} / {}", number.page + 1, number.n_pages);
}

}  // namespace

Box room_before_number(const Box& foot, PageNumber number, const MeasureText& measure) {
    const float unit = foot.height / kPageFoot;
    const float taken =
        measure(page_number_text(number), kFootSize * unit, Font::Regular) + 20 * unit;
    return {foot.right() - taken - number.room_before, foot.y, number.room_before, foot.height};
}

void add_page_foot(Figure& figure, const Box& foot, std::string missing, const std::string& origin,
                   PageNumber number, const Theme& theme, const MeasureText& measure) {
    if (!origin.empty()) append_part(missing, " · ", origin);
    const float unit = foot.height / kPageFoot, baseline = foot.bottom() - 8 * unit;
    const float size = kFootSize * unit;
    const std::string at = page_number_text(number);
    figure.add(
        TextMark{{foot.right(), baseline}, at, size, theme.muted, Font::Regular, Align::End});
    const float room =
        foot.width - measure(at, size, Font::Regular) - 20 * unit - number.room_before;
    TextMark from{
        {foot.x, baseline}, origin_in_line(missing, size, room, measure), size, theme.muted};
    fit(from, room, measure);
    figure.add(std::move(from));
}

ProjectorStyle projector_style(float unit) {
    return {.stretch = kPageStretch,
            .times = {kLeastTimes * unit, kMostTimes * unit, kReadableNumber * unit},
            .graph_times = kGraphTimes * unit};
}

HeatmapInput page_matrix(const Scene& scene, const Tensor& tensor, Point room, float unit) {
    HeatmapInput input = heatmap_input(scene.trace, tensor, scene.theme, scene.selection.scales);
    input.width = room.x;
    input.height = room.y;
    input.stretch = kPageStretch;
    input.times = projector_style(unit).times;
    // The path is only for people who type it.
    const std::string path = " · " + tensor.path();
    if (const std::size_t at = input.title.find(path); at != std::string::npos)
        input.title.erase(at, path.size());
    input.view = scene.selection.views.of(tensor);
    input.selected = cell_pick(tensor, scene.selection.held().indices);
    input.hovered = cell_pick(tensor, scene.selection.hovered().indices);
    if (const auto part = shown_part(scene, tensor)) show_part(input, *part);
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

/// Writes on the page why there are no panels: their values are being computed, or were changed.
ViewFigure reason_figure(const std::string& why, Point size, const Theme& theme,
                         const MeasureText& measure) {
    constexpr float kReason = 14;
    ViewFigure shown{.figure = {size.x, size.y, {}}};
    TextMark mark{{0, kReason}, why, kReason, theme.muted};
    shorten(mark, size.x, measure);
    shown.figure.add(std::move(mark));
    return shown;
}

/// Returns no names where there is no answer: whoever judges it says why.
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

float page_times(const Scene& scene, ViewId view, float unit) {
    constexpr float kColumnsTimes = 1.1f, kLineTimes = 1.5f, kOtherTimes = 1.2f;
    if (view == ViewId::Row || view == ViewId::Plane) return unit;  // they fill their room
    if (view == ViewId::Graph) return kGraphTimes * unit;
    if (view != ViewId::Words) return kOtherTimes * unit;
    const bool is_line = scene.selection.looks.words.layout == WordView::Layout::Line;
    return (is_line ? kLineTimes : kColumnsTimes) * unit;
}

namespace {

/// The cards of logits are small enough to stand beside each other with all words of the lens,
/// where a page is wide enough for that.
float view_times(const Scene& scene, ViewId view, const PageRoom& room) {
    constexpr float kAllWords = 800, kLeast = 0.8f;
    const float times = page_times(scene, view, room.unit), least = kLeast * room.unit;
    if (view != ViewId::Readout || room.size.x < least * kLeastCardsBeside) return times;
    return std::clamp(room.size.x / kAllWords, least, times);
}

}  // namespace

std::function<float(Point room)> page_number_size(const Scene& scene, ViewId view, float unit,
                                                  const MeasureText& measure) {
    constexpr Index kMostColumns = 16;  // more have no numbers on any page
    const Tensor& tensor = scene.trace.at(scene.selection.chosen);
    const bool compares = scene.comparison && scene.comparison->is_on();
    const Index columns = std::ssize(scene.selection.looks.matrix.columns);
    const bool are_many = (columns > 0 ? columns : tensor.columns().size) > kMostColumns;
    if (!tensor.value || are_many ||
        scene.selection.scales.of(tensor.quantity()).numbers == PictureSettings::Numbers::Never)
        return {};
    if (view == ViewId::Compared && compares)
        return [&scene, unit, &measure](Point room) {
            float least = room.y;
            for (const ComparedPicture& picture :
                 comparison_pictures(scene, {room}, measure, projector_style(unit)).pictures)
                least = std::min(least, picture.number_size);
            return least;
        };
    if (view != ViewId::Matrix || is_shown_as_bars(tensor)) return {};
    return [&scene, &tensor, unit, &measure](Point room) {
        return heatmap_figure(page_matrix(scene, tensor, room, unit), scene.theme, measure)
            .number_size;
    };
}

bool tells_numbers(ViewId view) {
    return view == ViewId::Row || view == ViewId::Explanation;
}

ViewFigure page_view_figure(const Scene& scene, ViewId view, const PageRoom& room,
                            const MeasureText& measure) {
    const bool compares = scene.comparison && scene.comparison->is_on();
    const bool is_covered = room.cover == PageRoom::Cover::On;
    if (view == ViewId::Matrix || (view == ViewId::Compared && !compares) ||
        (tells_numbers(view) && is_covered))
        return matrix_figure(scene, room, measure);
    if (view == ViewId::Compared) {
        ViewFigure shown;
        shown.figure =
            comparison_pictures(scene, {room.size}, measure, projector_style(room.unit)).figure;
        return shown;
    }
    FigureLook look;
    const float times = view_times(scene, view, room);
    look.room = {room.size.x / times, room.size.y / times};
    look.theme = theme_name(scene.theme);
    look.has_origin = false;
    look.is_far = true;
    look.tells_class = !is_covered;
    const MeasureText enlarged = measure_enlarged(measure, times);
    // The projection of held rows would give the answer away.
    const bool is_unheld = is_covered && view == ViewId::Plane;
    Selection unheld;
    if (is_unheld) {
        unheld = scene.selection;
        unheld.release();
    }
    const Scene seen = scene.with(is_unheld ? unheld : scene.selection, scene.theme);
    if (view == ViewId::Panels)
        if (const std::string why = list_panels(seen, look.heading).problem; !why.empty())
            return reason_figure(why, room.size, scene.theme, measure);
    ViewFigure shown = view_figure(seen, view, look, enlarged);
    // A figure that needs more room than it is given becomes smaller.
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

PageContent page_content(const std::string& title, const PageText& text, const OpenPage& page,
                         const Scene* scene, float unit, const MeasureText& measure) {
    const bool has_view = scene && page.view;
    return {
        .title = title,
        .text = text,
        .has_view = has_view || page.curves,
        .aspect = has_view      ? view_aspect(*scene, *page.view)
                  : page.curves ? kCurvesAspect
                                : 1,
        .number_size = has_view ? page_number_size(*scene, *page.view, unit, measure) : nullptr};
}

PageFigure page_figure(const PageSource& source, const PrintedPage& page, Point size,
                       const Theme& theme, const MeasureText& measure) {
    const OpenPage& open = page.open;
    const PageCurves* curves = open.curves ? &*open.curves : nullptr;
    std::optional<Scene> scene;
    if (open.space && open.space->trace) scene.emplace(make_scene(*open.space, theme));
    const float unit = page_unit(size);
    const auto task_in = [&](float width) {
        return printed_task(page, {.width = width - 2 * kTaskPad * unit,
                                   .unit = unit,
                                   .theme = theme,
                                   .measure = measure});
    };
    PrintedTask task = task_in(size.x - 2 * kPageMargin * unit);
    PrintedTask under_text = task_in(beside_width(size));
    PageContent content =
        page_content(page.written.title, page.text, open, scene ? &*scene : nullptr, unit, measure);
    content.below = task.height / unit;
    content.below_text = under_text.height / unit;
    PageLayout layout = layout_page(content, size, theme, measure);
    if (layout.arrangement == PageArrangement::TaskUnderText) task = std::move(under_text);
    PageFigure drawn{std::move(layout.text), theme.card, layout.note};
    const Point room{layout.view.width, layout.view.height};
    std::string missing;
    if (curves && !layout.view.is_empty())
        add_part(drawn.figure, page_curves_figure(*curves, room, theme, measure),
                 {layout.view.x, layout.view.y});
    if (scene && open.view && !layout.view.is_empty()) {
        const bool is_covered = page.task && covers_matrix(*page.task);
        const PageRoom place{room, unit, is_covered ? PageRoom::Cover::On : PageRoom::Cover::Off};
        const ViewFigure shown = page_view_figure(*scene, *open.view, place, measure);
        missing = missing_words(shown.figure);
        if (const std::string& note = shown.note.empty() ? missing : shown.note; !note.empty())
            append_part(drawn.note, "; ", note);
        const float left =
            layout.view.x + std::max(0.0f, layout.view.width - shown.figure.width) / 2;
        add_part(drawn.figure, shown.figure, {left, layout.view.y});
    }
    if (page.task) add_task(drawn.figure, task, layout.below, unit, theme);
    const std::string origin = scene ? page_origin(*scene, open.view, page.text) : "";
    add_page_foot(drawn.figure, layout.foot, missing, origin,
                  {open.index, source.lecture.pages.size()}, theme, measure);
    return drawn;
}

PageText filled_text(const PageSource& source, OpenPage& page, Faults* faults) {
    const LecturePage& written = source.lecture.pages[page.index];
    const bool is_in_file = !written.text_lines.empty();
    const std::string where =
        source.name + (is_in_file ? "" : fmt::format(" page {}", page.index + 1));
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

void fill_words(const PageSource& source, PrintedPage& page) {
    page.text = filled_text(source, page.open);
    page.task = read_task(page.written, source.name);
    if (page.task) page.task_text = filled_task(source, page.open, *page.task);
}

}  // namespace headlight
