#include "paint/words/fitted_text.h"

#include <algorithm>

#include "paint/labels.h"

namespace headlight {

void fit(TextMark& mark, float max_width, const MeasureText& measure) {
    constexpr float kSmallest = 0.75f;
    const float width = measure(mark.text, mark.size, mark.font);
    if (width > max_width) mark.size *= std::max(kSmallest, max_width / width);
    shorten(mark, max_width, measure);
}

}  // namespace headlight
