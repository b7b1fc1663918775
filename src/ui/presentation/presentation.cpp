#include "ui/presentation/presentation.h"

namespace headlight {

void Presentation::begin(Selection& selection) {
    is_on_ = true;
    selection.view = MiddleView::Component;
    selection.paints_mask = false;  // its switch is not on a slide
}

}  // namespace headlight
