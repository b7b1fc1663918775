// The index of a recording describes each of its texts: tokens, the patches of a picture, or the
// nodes and edges of a graph. The format is described in docs/formats.md.
#pragma once

#include <string>
#include <vector>

#include "io/text/json_view.h"
#include "model/document.h"

namespace headlight {

/// Reads the list `texts` of an index with these attentions. Throws Error, naming the place, for
/// anything that is not allowed.
std::vector<RecordedText> read_recorded_texts(const JsonView& list,
                                              const RecordedAttentions& attentions);

/// Reads the name of a file in the folder of the index; throws Error for one that leads away.
std::string read_bare_name(const JsonView& name);

/// Returns, for each edge in the order of the layer (see Edges), its place in Graph::edges.
std::vector<Index> edge_order(const Graph& graph);

}  // namespace headlight
