// Communities: groups of nodes with many edges inside and few between.
#pragma once

#include <vector>

#include "graph/stress.h"

namespace headlight {

struct Communities {
    std::vector<int> of;  // by node, counted from 0
    int count = 0;
    double modularity = 0;  // the share of edges inside, less what chance would give
};

/// Finds communities by local moves and merging [Blondel, Guillaume, Lambiotte, Lefebvre 2008]: the
/// same on every machine, nodes in their order.
Communities find_communities(const Neighbours& neighbours);

/// Returns the modularity that a random graph with as many nodes and edges has by chance, about
///     (1 − 2 / √n) (2 / mean degree)^⅔          [Guimerà, Sales-Pardo, Amaral 2004]
double chance_modularity(const Neighbours& neighbours);

}  // namespace headlight
