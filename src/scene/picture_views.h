// Which part of each matrix the large picture shows. View state: never undone, never saved.
#pragma once

#include <map>
#include <tuple>
#include <utility>

#include "core/trace.h"
#include "paint/picture_view.h"

namespace headlight {

class PictureViews {
  public:
    /// Matrices with the same two axes share their view: the patterns of all heads, their scores.
    PictureView of(const Tensor& tensor) const;
    void set(const Tensor& tensor, const PictureView& view);

  private:
    using Axes = std::tuple<AxisKind, int, AxisKind, int>;
    static Axes view_axes(const Tensor& tensor);

    std::map<Axes, PictureView> views_;  // only of matrices that are zoomed
};

}  // namespace headlight
