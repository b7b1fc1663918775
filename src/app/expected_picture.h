// Pictures of how the window must look, with a tolerance.
#pragma once

#include <string>

#include "app/script.h"
#include "io/pictures/png_image.h"

namespace headlight {

/// Each pixel is the mean of kShrink × kShrink ones: what expected pictures are stored as. What is
/// left over at the right and at the bottom is dropped.
inline constexpr int kShrink = 4;
Pixels shrunk(const Pixels& pixels, int by);

/// How far two pictures of one size are apart, in steps of 0 … 255 of a colour.
struct PictureDifference {
    double mean = 0;   // over all pixels
    double worst = 0;  // mean of the worst block of 4 × 4 pixels
};
PictureDifference difference(const Pixels& a, const Pixels& b);

/// Whether other versions of the same libraries, with the same fonts, would explain it.
bool is_slight(const PictureDifference& difference);

/// The window beside the stored picture `name`; or stores it, if pictures are accepted. Throws
/// Error if the difference is not slight; then the window's picture lies in the output folder.
void expect_picture(ScriptStage& stage, const std::string& name);

}  // namespace headlight
