#include "scene/picture_views.h"

namespace headlight {

PictureView PictureViews::of(const Tensor& tensor) const {
    const auto found = views_.find(view_axes(tensor));
    return found == views_.end() ? PictureView{} : found->second;
}

void PictureViews::set(const Tensor& tensor, const PictureView& view) {
    if (view.is_whole())
        views_.erase(view_axes(tensor));
    else
        views_[view_axes(tensor)] = view;
}

PictureViews::Axes PictureViews::view_axes(const Tensor& tensor) {
    return {tensor.rows().kind, tensor.rows().list, tensor.columns().kind, tensor.columns().list};
}

}  // namespace headlight
