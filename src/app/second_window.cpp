#include "app/second_window.h"

#include <utility>

#include "io/pictures/figure_png.h"
#include "io/pictures/figure_text.h"

namespace headlight {

void SecondWindow::follow(PictureWindow& window, const SecondPicture& picture) {
    const bool is_wanted = picture.content != 0;
    if (is_open_ && is_wanted && !window.size()) {
        is_open_ = false;
        was_closed_ = true;
        shown_ = {};
        return;
    }
    if (is_wanted != is_open_) {
        is_wanted ? window.open() : window.close();
        is_open_ = is_wanted;
        content_ = 0;
        if (!is_wanted) shown_ = {};
    }
    const auto size = is_open_ ? window.size() : std::nullopt;
    if (!size || size->width_px() <= 0 || size->height_px() <= 0) return;
    const bool is_same = content_ == picture.content && size_.width_px() == size->width_px() &&
                         size_.height_px() == size->height_px();
    if (is_same) return;
    content_ = picture.content;
    size_ = *size;
    const Figure figure = picture.draw({size_.width, size_.height}, pango_measure());
    shown_ = rasterize(figure, {.dpi = kPointsPerInch * size_.pixels_per_point});
    window.show(shown_);
}

}  // namespace headlight
