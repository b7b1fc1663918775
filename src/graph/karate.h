// The graph that Headlight opens with.
#pragma once

#include "graph/graph.h"

namespace headlight {

/// Zachary's karate club: 34 members, named "0" … "33", and 78 friendships. Group 0 followed Mr. Hi
/// (node 0), group 1 the officer (node 33) when the club split [Zachary 1977]. Laid out.
Graph karate_club();

}  // namespace headlight
