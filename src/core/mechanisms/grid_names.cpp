#include "core/mechanisms/grid_names.h"

namespace headlight {

std::vector<std::string> grid_names(Index rows, Index columns) {
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(rows * columns));
    for (Index y = 0; y < rows; ++y)
        for (Index x = 0; x < columns; ++x)
            names.push_back(std::to_string(y) + "," + std::to_string(x));
    return names;
}

std::vector<std::string> channel_names(Index n_channels) {
    if (n_channels == 3) return {"red", "green", "blue"};
    std::vector<std::string> names;
    for (Index c = 0; c < n_channels; ++c) names.push_back(std::to_string(c));
    return names;
}

}  // namespace headlight
