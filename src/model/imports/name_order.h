// Names in the order of the numbers in them: layer10 after layer2.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// "layers.2.q" is "layers.#.q" with 2. Names compare by their texts, then by their numbers.
struct NumberedName {
    std::string text;
    std::vector<long> numbers;

    auto operator<=>(const NumberedName&) const = default;
};
NumberedName numbered(std::string_view name);

}  // namespace headlight
