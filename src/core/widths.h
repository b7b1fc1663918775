// Widths of heads.
#pragma once

#include <cstddef>
#include <vector>

namespace headlight {

/// One width for all heads ({8}), or one for each ({8, 4}). {0} means d_model / n_heads, at
/// least 1.
struct Widths {
    std::vector<int> values = {0};

    bool follow_the_model() const { return values == std::vector{0}; }
    bool is_list() const { return values.size() > 1; }
    int of(int head) const {
        const auto h = static_cast<std::size_t>(head);
        return h < values.size() ? values[h] : values.back();
    }
    bool operator==(const Widths&) const = default;
};

}  // namespace headlight
