#include "paint/words/cut_texts.h"

#include "paint/labels.h"

namespace headlight {

void CutTexts::shorten(TextMark& mark, float max_width, const MeasureText& measure) {
    std::string whole = mark.text;
    headlight::shorten(mark, max_width, measure);
    count(mark.text != whole);
}

}  // namespace headlight
