// Widths, or counts, of which there is one for all or one for each.
#pragma once

#include <cstddef>
#include <vector>

namespace headlight {

/// One width for all heads or layers ({8}), or one for each ({8, 4}). Of heads {0} means
/// d_model / n_heads, at least 1.
struct Widths {
    std::vector<int> values = {0};

    bool follow_the_model() const { return values == std::vector{0}; }
    bool is_list() const { return values.size() > 1; }
    int of(int number) const {
        const auto n = static_cast<std::size_t>(number);
        return n < values.size() ? values[n] : values.back();
    }
    bool operator==(const Widths&) const = default;
};

}  // namespace headlight
