#include "figure/figure.h"

// Moving pictures: animated PNG and GIF.                    [APNG specification 1.0, GIF89a]
#pragma once

#include <functional>
#include <string>

namespace headlight {

/// Frames of one size, made one after the other; the film begins anew at its end.
struct Film {
    std::size_t n_frames = 0;
    float frame_secs = 1;
    std::function<Pixels(std::size_t)> frame;
};

/// Writes an animated PNG, which is lossless. Programs that do not know the format show its first
/// frame. Throws Error if there is no frame, or if one has another size.
std::string write_apng(const Film& film, float dpi);

/// Writes a GIF, where frames that look like the one before make that one longer. A frame has up to
/// 256 colours, which are exact if the frame has no more. A pixel that is mostly transparent
/// becomes fully transparent. Throws Error as write_apng does.
std::string write_gif(const Film& film);

}  // namespace headlight
