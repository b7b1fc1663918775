// The settings of an image study. Plain values; mechanisms/image_attention.h says what they mean.
#pragma once

#include "core/settings.h"

namespace headlight {

enum class ImageMechanism { Attention, Convolution };
/// Of a convolution: drawn from the seed, or one output channel for each cell of the kernel.
enum class Kernel { Random, Neighbours };
/// Where the nine heads look before training: at the cells of the kernel, or anywhere near.
enum class Centers { Grid, Random };

/// Of a token that stands for the whole picture: it reads the patches behind the last layer
/// [Touvron 2021, CaiT], or is an item as they are, from the first layer on [Dosovitskiy 2021,
/// ViT]: the last one, or the first one.
enum class ClassToken { Reader, Item, First };

/// Attention of an image's patches on each other.
struct ImageSettings {
    ImageMechanism mechanism = ImageMechanism::Attention;
    int patch = 1;                    // side of a patch, in pixels
    Switch normalized = Switch::Off;  // mean and deviation of the channels are taken out
    PatchStackSettings stack = {};
    int n_classes = 0;  // Attention: that the picture is one of; 0: it is not told
    ClassToken class_token = ClassToken::Reader;
    Kernel kernel = Kernel::Random;   // Convolution
    int kernel_out = 3;               // Convolution: output channels of a random kernel
    Centers centers = Centers::Grid;  // Convolution
    float alpha = 4;                  // Convolution: how narrow the nine heads look

    bool operator==(const ImageSettings&) const = default;
};

}  // namespace headlight
