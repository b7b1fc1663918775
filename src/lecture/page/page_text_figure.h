// The text of a page as a figure: words wrapped into lines, lists, formulas.
#pragma once

#include "lecture/page/page_text.h"
#include "paint/theme.h"

namespace headlight {

struct TextLook {
    float width = 400;
    float size = 16;  // of the words
    const Theme& theme;
    const MeasureText& measure;
};

/// Draws the text as wide as the look says, and as high as it needs. Words, values and formulas are
/// not broken: a line that consists of one that is too wide is drawn smaller. Values that are not
/// filled in stand in braces.
Figure text_figure(const PageText& text, const TextLook& look);

}  // namespace headlight
