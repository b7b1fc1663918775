// The name of a setting and its possible values.
#pragma once

#include <algorithm>
#include <string_view>

#include "core/settings.h"

namespace headlight {

struct Field {
    const char* key;      // in studies; with dashes an option of the command line
    const char* label;    // in the window
    const char* help;     // one sentence
    bool matters = true;  // has an effect with the other settings; if not, it is saved, not shown
    std::string_view idle = {};  // of a group: the keys inside that have no effect there
    const char* each = "head";   // of widths: the part that a list has one for
};

/// Says if a setting has an effect where it stands; told of every group that a visitor enters.
class Mattering {
  public:
    bool of(const Field& field) const { return matters_ && field.matters && !is_idle(field.key); }

    /// Visits the settings inside the group.
    void inside(const Field& group, auto visit) {
        const Mattering outer = *this;
        matters_ = of(group);
        if (!group.idle.empty()) idle_ = group.idle;
        visit();
        *this = outer;
    }

  private:
    bool is_idle(std::string_view key) const {
        for (std::size_t at = 0; at < idle_.size();) {
            const std::size_t end = std::min(idle_.find(' ', at), idle_.size());
            if (idle_.substr(at, end - at) == key) return true;
            at = end + 1;
        }
        return false;
    }

    bool matters_ = true;
    std::string_view idle_;
};

template <typename Number>
struct Range {
    Number low, high;
};
template <typename Number>
Range(Number, Number) -> Range<Number>;  // clang 14 does not deduce it by itself

inline constexpr int kMaxSeed = 999999;  // the largest that the window offers
/// Limits beyond any network that was published: only the memory limits a study.
inline constexpr int kMaxLayers = 256, kMaxHeads = 256, kMaxWidth = 100'000;
inline constexpr int kMaxDistance = 4096;
inline constexpr Range<int> kWidths{1, kMaxWidth};
inline constexpr Range<int> kHeadWidths{0, kMaxWidth};  // only 0, never in a list

}  // namespace headlight
