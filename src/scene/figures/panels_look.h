// Which matrices stand beside each other in the view of panels: view state.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace headlight {

inline constexpr int kMostAcross = 24;

struct PanelsLook {
    /// Paths. Empty: the chosen matrix of each chosen head, or of all heads if one is chosen.
    std::vector<std::string> matrices = {};
    int across = 0;  // panels beside each other; 0: as many as have room
    /// By path; a matrix without one is called by its layer and head.
    std::map<std::string, std::string> titles = {};

    bool operator==(const PanelsLook&) const = default;
};

}  // namespace headlight
