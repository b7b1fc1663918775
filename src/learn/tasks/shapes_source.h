// Shapes: one object on a cluttered ground; the task is to name its kind.
#pragma once

#include <vector>

#include "learn/image_task.h"

namespace headlight {

inline constexpr int kShapeSide = 24;  // of a picture, in pixels

/// A picture, and for each pixel whether it is the object's.
struct ShapePicture {
    ImageExample example;
    std::vector<bool> is_object;  // row by row
};

/// Draws a disc, a square, a triangle or a cross of a bright colour, anywhere, on a dark and noisy
/// ground with bright lines and speckles that are no object.
ShapePicture draw_shape(Random& random);
/// Returns the first so many of the pictures that are held out.
std::vector<ShapePicture> held_out_shapes(int count);

class ShapesSource : public ImageSource {
  public:
    const std::vector<std::string>& classes() const override;
    ImageExample draw(Random& random) const override { return draw_shape(random).example; }
    std::vector<ImageExample> held_out() const override;
};

/// Returns the study that shows the task, with the held-out picture of that number.
Document shapes_study(int picture);
Recipe shapes_recipe();

}  // namespace headlight
