#include "ui/presentation/presentation.h"

namespace headlight {

void Presentation::begin(Of of, Selection& selection) {
    is_on_ = true;
    if (of != Of::Steps) return;
    selection.view = MiddleView::Component;
    selection.paints_mask = false;  // its switch is not on a slide
}

}  // namespace headlight
