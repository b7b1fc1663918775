// The text of a page as a figure: words wrapped into lines, lists, formulas; and the title of a
// page or a lecture, which is one line of words and formulas, "Why $\sqrt{d_k}$".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"
#include "figure/theme.h"
#include "present/page/page_text.h"

namespace headlight {

/// Returns the words, and the text between two $ as formulas. A $ without another one, or with a
/// blank inside it, is a dollar; so is one of a formula that cannot be read. Marks of bold,
/// emphasis and code are left out: a title has one style.
std::vector<TextSpan> title_spans(std::string_view title);

/// Returns "Why √d_k", for places where nothing can be raised or lowered.
std::string plain_title(const std::string& title);

/// Adds the title in the style of the mark, shortened to that width.
void add_title(Figure& figure, TextMark title, float width, const MeasureText& measure);
float title_width(const TextMark& title, const MeasureText& measure);

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
