// The settings of an image. See settings.h.
#pragma once

#include "model/settings/setting_field.h"
#include "model/settings/setting_words.h"

namespace headlight {

void visit_fields(ImageSettings& s, auto& visit) {
    const bool is_convolution = s.mechanism == ImageMechanism::Convolution;
    visit.section("Image");
    visit.choice({"mechanism", "Mechanism",
                  "Self-attention over patches, or nine heads that together form a convolution."},
                 s.mechanism, kImageMechanismWords);
    visit.number({"patch", "Patch", "Side of a patch, in pixels.", !is_convolution}, s.patch,
                 Range{1, kMaxImageSide});
    visit.flag({"normalized", "Normalised",
                "Of each channel image_mean is subtracted, and it is divided by image_std; a "
                "pretrained model brings both.",
                !is_convolution},
               s.normalized);
    visit.number({"n_classes", "Classes",
                  "Classes that the picture is one of: a class token reads its patches; 0: none.",
                  !is_convolution},
                 s.n_classes, Range{0, kMaxWidth});
    visit.choice({"class_token", "Class token",
                  "What tells the class: a token that reads the patches after the last layer, or "
                  "one that is an item like them, the last or the first one.",
                  !is_convolution},
                 s.class_token, kClassTokenWords);
    visit.choice({"kernel", "Kernel",
                  "Drawn from the seed; or each of nine output channels is one neighbour, the mean "
                  "of its channels.",
                  is_convolution},
                 s.kernel, kKernelWords);
    visit.number({"kernel_out", "Channels out", "Output channels of a random kernel.",
                  is_convolution && s.kernel == Kernel::Random},
                 s.kernel_out, Range{1, kMaxChannels});
    visit.choice({"centers", "Centers",
                  "Where the nine heads look: at the cells of the kernel, or anywhere near, drawn "
                  "from the seed.",
                  is_convolution},
                 s.centers, kCentersWords);
    visit.number(
        {"alpha", "Alpha",
         "How sharply each of the nine heads reads one pixel; trained weights bring their own.",
         is_convolution},
        s.alpha, Range{0.0f, 1000.0f});
    visit.group({"stack", "Stack", "The attention layers.", !is_convolution, "documents"}, s.stack);
}

}  // namespace headlight
