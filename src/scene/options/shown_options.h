// What a view shows of a study, and how, as options.
#pragma once

#include "scene/options/shown.h"
#include "scene/options/text_option.h"

namespace headlight {

/// `options` must live as long as the result.
std::vector<TextOption> shown_options(ShownOptions& options);

}  // namespace headlight
