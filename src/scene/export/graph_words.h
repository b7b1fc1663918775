// How a graph is shown, in the words of the command line.
#pragma once

#include <string>
#include <string_view>

#include "scene/looks.h"

namespace headlight {

/// "all", "strongest:3", "weight:0.1", "chosen"
std::string edges_word(const GraphLook& look);
/// False, and nothing changes, if it is none of these.
bool read_edges_word(GraphLook& look, std::string_view word);

/// "class", "group", "feature:0", "output:2"
std::string nodes_word(const GraphLook& look);
bool read_nodes_word(GraphLook& look, std::string_view word);

/// "4:0.5:0.25": 4 times larger, around that place in [0,1]².
std::string graph_zoom_word(const GraphZoom& zoom);
bool read_graph_zoom_word(GraphZoom& zoom, std::string_view word);

}  // namespace headlight
