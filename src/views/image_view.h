// Makes the input of the image's picture, from the study and the selection.
#pragma once

#include "figure/figure_look.h"
#include "figure/image_figure.h"
#include "views/held.h"
#include "views/scene.h"

namespace headlight {

/// Returns the place of an item in the picture, row by row; nothing if it is a class token.
std::optional<Index> patch_of_item(const Trace& trace, Index item);

/// Returns the row of an image's pattern that is looked at: that of the item that is pointed at or
/// held, or else of a class token that is the first one, or else of the patch in the middle. A
/// pattern with fewer rows has only that of a class token. Returns nothing if its keys are no
/// patches.
std::optional<Index> looking_row(const Trace& trace, const Tensor& pattern,
                                 const Selection& selection);

/// Returns the weight that each patch gets from the held patches, or from the row that looking_row
/// returns.
ReadWeights read_patches(const Trace& trace, const Tensor& pattern, const Selection& selection);

/// Returns `end`, a half, a fifth, a tenth … of it: the last that is no less than the weights. Each
/// of many patches gets little; the picture says what its full colour stands for.
Scalar scale_end(ConstView weights, Scalar end);

/// True if the items are the patches or pixels of an image, perhaps beside other items.
bool has_image(const Trace& trace);

/// The caller sets the size. Plain: the title does not say what the image is taken for.
enum class ImageTitle { WithClass, Plain };
ImageInput image_input(const Scene& scene, ImageTitle title = ImageTitle::WithClass);

/// Draws the view: the picture and what is read of it, beside each other where there is room.
Figure image_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
