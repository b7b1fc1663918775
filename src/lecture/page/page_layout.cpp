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
        const float bottom = layout_.foot.y - content_.below * unit_;
        if (place_below_text(top, bottom)) return std::move(layout_);
        place_text(top, bottom);
        layout_.below = {margin_, bottom, width_, content_.below * unit_};
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

    /// A high task under the text, if text and view are larger then.
    bool place_below_text(float top, float bottom) {
        if (!content_.has_view || content_.below_text <= 0) return false;
        const float foot = layout_.foot.y, task = content_.below_text * unit_;
        const float gap = kPageGap * unit_, beside = (1 - kBeside) * width_ - gap;
        const float room = foot - top - task - gap, column = beside_width(size_);
        const Figure text =
            text_figure(content_.text, {column, kLeastBesideTask * unit_, theme_, measure_});
        if (text.height > room) return false;
        const float height = std::min(beside / content_.aspect, foot - top);
        if (height < kLargerBesideTask * view_height(top, bottom)) return false;
        add_fitted({column, room}, top);
        layout_.view = {margin_ + kBeside * width_ + gap, top, beside, foot - top};
        layout_.below = {margin_, foot - task, column, task};
        return layout_.is_below_text = true;
    }

    /// Of what the view would fill with its task below it.
    float view_height(float top, float bottom) const {
        const Figure above =
            text_figure(content_.text, {width_, kTextSize * unit_, theme_, measure_});
        const float gap = kPageGap * unit_, beside = (1 - kBeside) * width_ - gap;
        const float below = top + (above.height > 0 ? above.height + gap : 0);
        const float height_beside = std::min(beside / content_.aspect, bottom - top);
        if (above.height > kMostAbove * size_.y) return height_beside;
        return std::max(height_beside, std::min(width_ / content_.aspect, bottom - below));
    }

    void place_text(float top, float bottom) {
        const float height = bottom - top;
        if (!content_.has_view) return add_fitted({width_, height}, top);
        const Figure above =
            text_figure(content_.text, {width_, kTextSize * unit_, theme_, measure_});
        const float gap = kPageGap * unit_, beside = (1 - kBeside) * width_ - gap;
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

float beside_width(Point size) {
    const float unit = size.y / kPageHeight;
    return kBeside * (size.x - 2 * kPageMargin * unit) - kPageGap * unit;
}

PageLayout layout_page(const PageContent& content, Point size, const Theme& theme,
                       const MeasureText& measure) {
    return Layout(content, size, theme, measure).lay_out();
}

}  // namespace headlight
