// Studies that are ready, one or more for each mechanism. A line in presets.cpp each.
#pragma once

#include <span>
#include <string_view>

#include "model/document.h"

namespace headlight {

struct Preset {
    std::string_view name;  // "gqa": `headlight new gqa`
    std::string_view what;  // one sentence: what to look at
    Document (*make)();
};

std::span<const Preset> presets();
const Preset* find_preset(std::string_view name);  // null if there is none

}  // namespace headlight
