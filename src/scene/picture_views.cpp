#include "scene/picture_views.h"

namespace headlight {

PictureView PictureViews::of(const Tensor& tensor) const {
    const auto found = views_.find(axes_of(tensor));
    return found == views_.end() ? PictureView{} : found->second;
}

void PictureViews::set(const Tensor& tensor, const PictureView& view) {
    if (view.is_whole())
        views_.erase(axes_of(tensor));
    else
        views_[axes_of(tensor)] = view;
}

PictureViews::Axes PictureViews::axes_of(const Tensor& tensor) {
    return {tensor.rows().kind, tensor.rows().list, tensor.columns().kind, tensor.columns().list};
}

}  // namespace headlight
