// Where title, text, view and task of a page stand.
#pragma once

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
};

struct PageLayout {
    Figure text;                 // title and text, in their places
    Box view;                    // empty: there is none, or no room
    Box below;                   // for a task and sliders
    bool is_below_text = false;  // that is under the text, and the view beside both
    Box foot;                    // one line: where the weights come from, and which page this is
    std::string note = {};       // what there was no room for; "": nothing
};
/// The width of a text that stands beside the view.
float beside_width(Point size);
/// In any size: everything is `size.y` / kPageHeight times as large.
PageLayout layout_page(const PageContent& content, Point size, const Theme& theme,
                       const MeasureText& measure);

}  // namespace headlight
