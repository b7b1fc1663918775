#include "lecture/page/page_layout.h"

#include <algorithm>
#include <utility>

#include "lecture/page/page_text_figure.h"
#include "lecture/page/page_title.h"
#include "paint/figure_parts.h"

namespace headlight {
namespace {

// Of a page that is kPageHeight high.
constexpr float kTitleSize = 28, kLeastTitle = 16, kTitleGap = 12;
constexpr float kTextSize = 17, kLeastText = 9;
/// Where the text needs more of the page than this, it stands beside the view.
/// So it does where that makes the view so much larger.
constexpr float kMostAbove = 0.3f, kBeside = 0.4f, kMuchLarger = 1.25f;
/// A task stands under such a text if that makes the view so much larger; the least type then.
constexpr float kLargerBesideTask = 1.2f, kLeastBesideTask = 14;
/// Numbers that cannot be read move the text if that makes them so much larger.
constexpr float kLargerNumbers = 1.05f;

/// Lays out one page; `unit` is a point of the page where it is kPageHeight high.
class Layout {
  public:
    Layout(const PageContent& content, Point size, const Theme& theme, const MeasureText& measure)
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
        if (content_.has_view)
            place(layout_.arrangement = chosen());
        else
            add_fitted({width_, bottom_ - top_});
        return std::move(layout_);
    }

  private:
    /// In one line, smaller if it is long.
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

    /// The usual one, or the one with the largest numbers where they could not be read.
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

    /// By the sizes of the view.
    PageArrangement usual() const {
        using enum PageArrangement;
        const float above = view_height(TextAbove), beside = view_height(TextBeside);
        const bool is_beside =
            text_height() > kMostAbove * size_.y || beside >= kMuchLarger * above;
        const float height = is_beside ? beside : above;
        if (is_possible(TaskUnderText) && view_height(TaskUnderText) >= kLargerBesideTask * height)
            return TaskUnderText;
        return is_beside ? TextBeside : TextAbove;
    }

    /// Whether the text has room so, not too small.
    bool is_possible(PageArrangement arrangement) const {
        if (arrangement == PageArrangement::TextAbove) return text_height() <= kMostAbove * size_.y;
        const bool is_task_under = arrangement == PageArrangement::TaskUnderText;
        if (is_task_under && content_.below_text <= 0) return false;
        const float least =
            text_figure(content_.text, {column_, kLeastBesideTask * unit_, theme_, measure_})
                .height;
        return least <= (is_task_under ? room_over_task() : bottom_ - top_);
    }

    /// Of the text above the view.
    float text_height() const {
        return text_figure(content_.text, {width_, kTextSize * unit_, theme_, measure_}).height;
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

    /// Of what the view would fill.
    float view_height(PageArrangement arrangement) const {
        const Box view = view_in(arrangement);
        return std::min(view.width / content_.aspect, view.height);
    }

    void place(PageArrangement arrangement) {
        using enum PageArrangement;
        layout_.view = view_in(arrangement);
        if (arrangement == TextAbove) return add_fitted({width_, bottom_ - top_});
        if (arrangement == TextBeside) return add_fitted({column_, bottom_ - top_});
        add_fitted({column_, room_over_task()});
        const float task = content_.below_text * unit_;
        layout_.below = {margin_, layout_.foot.y - task, column_, task};
    }

    /// The text in that room, smaller if it is higher.
    void add_fitted(Point room) {
        float size = kTextSize;
        Figure figure = text_figure(content_.text, {room.x, size * unit_, theme_, measure_});
        while (figure.height > room.y && size > kLeastText) {
            size -= 0.5f;
            figure = text_figure(content_.text, {room.x, size * unit_, theme_, measure_});
        }
        if (figure.height > room.y) cut(figure, {room.x, room.y}, size * unit_);
        add_part(layout_.text, figure, {margin_, top_});
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
    float column_ = beside_width(size_);  // of a text beside the view
    float top_ = 0, bottom_ = size_.y;    // of text and view, above the task
    PageLayout layout_;
};

}  // namespace

float beside_width(Point size) {
    const float unit = size.y / kPageHeight;
    return kBeside * (size.x - 2 * kPageMargin * unit) - kPageGap * unit;
}

PageLayout layout_page(const PageContent& content, Point size, const Theme& theme,
                       const MeasureText& measure) {
    return Layout(content, size, theme, measure).lay_out();
}

}  // namespace headlight
