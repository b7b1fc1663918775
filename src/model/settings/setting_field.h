// The name of a setting and its possible values.
#pragma once

#include "core/settings.h"

namespace headlight {

struct Field {
    const char* key;      // in studies; with dashes an option of the command line
    const char* label;    // in the window
    const char* help;     // one sentence
    bool matters = true;  // has an effect with the other settings; if not, it is saved, not shown
};

template <typename Number>
struct Range {
    Number low, high;
};
template <typename Number>
Range(Number, Number) -> Range<Number>;  // clang 14 does not deduce it by itself

inline constexpr int kMaxSeed = 999999;  // the largest that the window offers
inline constexpr int kMaxLayers = 24, kMaxHeads = 16, kMaxWidth = 1024, kMaxDistance = 4096;
inline constexpr Range<int> kWidths{1, kMaxWidth};
inline constexpr Range<int> kHeadWidths{0, kMaxWidth};  // 0 alone, never in a list

}  // namespace headlight
