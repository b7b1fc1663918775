// The formats of graphs, except for JSON (json_graphs.h) and pairs of files.
//
// Goals: the format of a text is decided once, here, before anything is read; a format that
// Headlight does not read is refused by its name rather than taken for a list of edges.
//
// A new format is a row in the table of graph_formats.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "graph/graph_builder.h"

namespace headlight {

/// A file that may hold a graph.
struct GraphText {
    std::string_view bytes;            // all of them, without a byte order mark
    const std::string& name;           // for messages
    std::string extension = {};        // ".sif", in small letters: decides where the content cannot
    Directed directed = Directed::No;  // of formats that do not say
};

struct GraphFormat {
    std::string_view name;  // "GML"
    bool (*recognises)(const GraphText& text);
    ReadGraph (*read)(const GraphText& text);  // null: not read
    std::string_view instead = {};             // the remedy for one that is not read
};

/// The first row that recognises a text is its format. The last one, edge lists, takes any text.
std::span<const GraphFormat> graph_formats();

/// Returns the first format that recognises the text. Bytes that are no text count as an edge list,
/// whose reader refuses them.
const GraphFormat& format_of(const GraphText& text);

/// Reads the graph in the text. Throws Error with its name, and the line.
ReadGraph read_graph(const GraphText& text);

}  // namespace headlight
