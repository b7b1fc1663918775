// Where title, text, view and task of a page stand.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "lecture/page/page_text.h"
#include "paint/theme.h"

namespace headlight {

/// Sizes of a page, in its own points. It is this high; its width follows the screen's shape.
inline constexpr float kPageHeight = 480, kWidePage = kPageHeight * 16 / 9;
/// Between the edges of a page and what stands on it; of a task's card and what stands in it.
inline constexpr float kPageMargin = 28, kTaskPad = 12;
/// Of the line at the end; between text and view.
inline constexpr float kPageFoot = 22, kPageGap = 12;

/// Numbers in cells are at least so large where that is possible: 2.5 % of the window's height, of
/// which a slide has some for its buttons.
inline constexpr float kReadableNumber = 0.0268f * kPageHeight;

/// Where the text stands: over view and task, or beside the view, with the task below both or under
/// the text.
enum class PageArrangement { TextAbove, TextBeside, TaskUnderText };

/// What is laid out. `text` is filled in already.
struct PageContent {
    const std::string& title;
    const PageText& text;
    bool has_view = false;
    float aspect = 1.6f;  // width to height of what is shown, as it would like to be
    float below = 0;      // height kept free at the end for a task and sliders, of kPageHeight
    /// The same if they stand at the end of the text, `beside_width` wide, and the view has all of
    /// the height; 0: they cannot.
    float below_text = 0;
    /// The size of the numbers of a view in such a room; absent: it has none.
    std::function<float(Point room)> number_size = {};
    std::optional<PageArrangement> arrangement = {};  // that is kept if it is possible
};

struct PageLayout {
    Figure text;  // title and text, in their places
    Box view;     // empty: there is none, or no room
    Box below;    // for a task and sliders
    PageArrangement arrangement = PageArrangement::TextAbove;
    Box foot;               // one line: where the weights come from, and which page this is
    std::string note = {};  // what there was no room for; "": nothing
};
/// The width of a text that stands beside the view.
float beside_width(Point size);
/// In any size: everything is `size.y` / kPageHeight times as large.
PageLayout layout_page(const PageContent& content, Point size, const Theme& theme,
                       const MeasureText& measure);

}  // namespace headlight
