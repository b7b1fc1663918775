// Expected pictures of the window, with a tolerance.
#pragma once

#include <string>

#include "app/script.h"
#include "io/pictures/png_image.h"

namespace headlight {

/// Expected pictures are stored with each pixel the mean of kShrink × kShrink ones. An incomplete
/// rest at the right and at the bottom is dropped.
inline constexpr int kShrink = 4;
Pixels shrunk(const Pixels& pixels, int by);

/// The distance of two pictures of one size, in steps of 0 … 255 of a colour.
struct PictureDifference {
    double mean = 0;   // over all pixels
    double worst = 0;  // mean of the worst block of 4 × 4 pixels
};
PictureDifference difference(const Pixels& a, const Pixels& b);

/// True if the difference is small enough to come from other versions of the same libraries, with
/// the same fonts.
bool is_slight(const PictureDifference& difference);

/// Compares the window with the stored picture `name`; or stores it, if pictures are accepted.
/// Throws Error if the difference is not slight; then the window's picture lies in the output
/// folder.
void expect_picture(ScriptStage& stage, const std::string& name);

}  // namespace headlight
