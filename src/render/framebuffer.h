// A picture that OpenGL draws into and that can be read back.
#pragma once

#include "figure/figure.h"
#include "render/gl_handles.h"

namespace headlight {

class Framebuffer {
  public:
    /// Throws Error if the sizes are not within 1 … the largest texture.
    Framebuffer(int width, int height);

    int width() const { return width_; }
    int height() const { return height_; }

    unsigned texture() const { return color_.id(); }  // its picture; the first row is the lowest

    /// Draws into it from now on; the whole of it is the viewport, nothing is scissored.
    void bind() const;
    Pixels read() const;
    void finish() const;  // returns when everything is drawn
    void show() const;    // copies it to the window's own framebuffer, which is as large

  private:
    int width_, height_;
    GlTexture color_;
    GlFramebuffer framebuffer_;
};

/// Shows the picture in the current window, stretched to its size in pixels.
void show_pixels(const Pixels& picture, int width, int height);

/// Fills the pixels of the bound framebuffer whose centres are in the box: in pixels, y down from
/// its top.
void clear_box(const Box& box, int target_height, Color color);

}  // namespace headlight
