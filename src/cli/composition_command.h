// headlight composition: how strongly heads read what earlier ones write.
#pragma once

#include <optional>
#include <string>

#include "cli/commands.h"

namespace headlight {

/// CSV: a row for each pair of heads, with its scores by Q, K and V; see
/// core/analyses/composition.h.
struct PrintComposition {
    std::string study;
    std::optional<std::string> head;  // only pairs whose later one is "1.2"
    std::optional<int> top;           // only so many, highest first
    std::optional<std::string> output;
};
void print_composition(const PrintComposition& options, const Streams& streams);

}  // namespace headlight
