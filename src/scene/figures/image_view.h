// The input of the image's picture, from the study and the selection.
#pragma once

#include "paint/figure_look.h"
#include "paint/figures/image_figure.h"
#include "scene/held.h"
#include "scene/scene.h"

namespace headlight {

/// Where in the picture an item of the trace lies, row by row; nothing if it is a class token.
std::optional<Index> patch_of_item(const Trace& trace, Index item);

/// The row of an image's pattern that is looked at: of the item that is pointed at or held, else
/// of a class token that is the first one, else of the patch in the middle; that of a class token.
/// Nothing if its keys are no patches.
std::optional<Index> looking_row(const Trace& trace, const Tensor& pattern,
                                 const Selection& selection);

/// What is read of each patch: by the held ones, or by what looking_row says.
ReadWeights read_patches(const Trace& trace, const Tensor& pattern, const Selection& selection);

/// `end`, a half, a fifth, a tenth … of it: the last that is no less than the weights. Of many
/// patches each gets little; the picture says what its full colour stands for.
Scalar scale_end(ConstView weights, Scalar end);

/// Whether the items are the patches or pixels of an image, perhaps beside other items.
bool has_image(const Trace& trace);

/// The image is shaded by the chosen head's pattern; any other chosen tensor stands beside it.
bool shows_image_alone(const Trace& trace, const Selection& selection);

/// The size is the caller's. Plain: the title does not say what the image is taken for.
enum class ImageTitle { WithClass, Plain };
ImageInput image_input(const Scene& scene, ImageTitle title = ImageTitle::WithClass);

/// The view: the picture and what is read of it, beside each other where there is room.
Figure image_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
