// How matrices are coloured and which part of one is seen, as options.
#pragma once

#include "scene/options/shown.h"
#include "scene/options/text_option.h"

namespace headlight {

/// `options` must live as long as the result.
std::vector<TextOption> picture_options(ShownOptions& options);

}  // namespace headlight
