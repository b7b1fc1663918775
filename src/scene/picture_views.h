// Which part of each matrix the large picture shows. View state: never undone, never saved.
#pragma once

#include <map>
#include <tuple>
#include <utility>

#include "core/trace.h"
#include "paint/picture_view.h"

namespace headlight {

/// What a command asks of the large picture, which alone knows its size.
enum class PictureWish { None, Whole, Larger, Smaller, SeeHeld, Form };

class PictureViews {
  public:
    /// Matrices with the same two axes share their view: the patterns of all heads, their scores.
    PictureView of(const Tensor& tensor) const;
    void set(const Tensor& tensor, const PictureView& view);

    void wish_for(PictureWish wish) { wish_ = wish; }
    bool take_wish(PictureWish wish) {
        if (wish_ != wish) return false;
        wish_ = PictureWish::None;
        return true;
    }
    PictureWish take_wish() { return std::exchange(wish_, PictureWish::None); }

  private:
    using Axes = std::tuple<AxisKind, int, AxisKind, int>;
    static Axes axes_of(const Tensor& tensor);

    std::map<Axes, PictureView> views_;  // of those that are zoomed
    PictureWish wish_ = PictureWish::None;
};

}  // namespace headlight
