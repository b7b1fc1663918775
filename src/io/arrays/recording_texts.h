// What the index of a recording says about each of its texts: tokens, the patches of a picture, or
// the nodes and edges of a graph. The format is described in docs/formats.md.
#pragma once

#include <string>
#include <vector>

#include "io/text/json_view.h"
#include "model/document.h"

namespace headlight {

/// The list `texts` of an index with these attentions. Throws Error, naming the place, for anything
/// that is not allowed.
std::vector<RecordedText> read_recorded_texts(const JsonView& list,
                                              const RecordedAttentions& attentions);

/// The name of a file that lies in the folder of the index; throws Error for one that leads away.
std::string read_bare_name(const JsonView& name);

/// Where the edges of a graph, in the order of its layer (see Edges), stand in Graph::edges.
std::vector<Index> edge_order(const Graph& graph);

}  // namespace headlight
