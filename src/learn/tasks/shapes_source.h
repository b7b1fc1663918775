// Shapes: one object on a cluttered ground, and which kind of object it is.
#pragma once

#include <vector>

#include "learn/image_task.h"

namespace headlight {

inline constexpr int kShapeSide = 24;  // of a picture, in pixels

/// A picture, and which of its pixels are the object's.
struct ShapePicture {
    ImageExample example;
    std::vector<bool> is_object;  // row by row
};

/// A disc, a square, a triangle or a cross of a bright colour, anywhere, on a dark and noisy ground
/// with bright lines and speckles that are no object.
ShapePicture draw_shape(Random& random);
/// The first so many of the pictures that are held out.
std::vector<ShapePicture> held_out_shapes(int count);

class ShapesSource : public ImageSource {
  public:
    const std::vector<std::string>& classes() const override;
    ImageExample draw(Random& random) const override { return draw_shape(random).example; }
    std::vector<ImageExample> held_out() const override;
};

/// The study that shows it, with the held-out picture of that number.
Document shapes_study(int picture);
Recipe shapes_recipe();

}  // namespace headlight
