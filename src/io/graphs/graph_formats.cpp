#include "io/graphs/graph_formats.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "graph/adjacency.h"
#include "graph/dot.h"
#include "graph/edge_list.h"
#include "graph/foreign_formats.h"
#include "graph/gml.h"
#include "graph/matrix_market.h"
#include "graph/pajek.h"
#include "graph/text_lines.h"
#include "io/graphs/gexf.h"
#include "io/graphs/graphml.h"
#include "text/strings.h"

namespace headlight {
namespace {

std::string_view trimmed_beginning(const GraphText& text) {
    constexpr std::size_t kBeginning = std::size_t{64} << 10;
    const std::string_view bytes = text.bytes.substr(0, kBeginning);
    return bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
}

bool begins_with(const GraphText& text, std::string_view word) {
    return ascii_lower(trimmed_beginning(text).substr(0, word.size())) == word;
}

bool is_xml_of(const GraphText& text, std::string_view root) {
    const std::string_view beginning = trimmed_beginning(text);
    return beginning.starts_with('<') && beginning.find(root) != std::string_view::npos;
}

bool is_xml(const GraphText& text) {
    const std::string_view beginning = trimmed_beginning(text);
    return beginning.starts_with("<?xml") || beginning.starts_with("<!--") ||
           is_xml_of(text, "<graphml");
}

ReadGraph read_edges(const GraphText& text) {
    return read_edge_list(text.bytes, text.directed, text.name);
}

constexpr std::string_view kWriteGraphml =
    "write it as GraphML, as networkx.write_graphml(graph, \"graph.graphml\") does";
constexpr std::string_view kWriteLines =
    "write a line \"a b\" for each edge, as networkx.write_edgelist(graph, \"graph.edges\") does";

constexpr std::array<GraphFormat, 20> kGraphFormats = {{
    {"GEXF", [](const GraphText& text) { return is_xml_of(text, "<gexf"); },
     [](const GraphText& text) { return read_gexf(text.bytes, text.name); }},
    {"GraphML", is_xml, [](const GraphText& text) { return read_graphml(text.bytes, text.name); }},
    {"Matrix Market", [](const GraphText& text) { return begins_with(text, "%%matrixmarket"); },
     [](const GraphText& text) { return read_matrix_market(text.bytes, text.name); }},
    {"GML", [](const GraphText& text) { return is_gml(text.bytes); },
     [](const GraphText& text) { return read_gml(text.bytes, text.directed, text.name); }},
    {"DOT", [](const GraphText& text) { return is_dot(text.bytes); },
     [](const GraphText& text) { return read_dot(text.bytes, text.name); }},
    {"Pajek", [](const GraphText& text) { return is_pajek(text.bytes); },
     [](const GraphText& text) { return read_pajek(text.bytes, text.name); }},
    {"graph6 or sparse6",
     [](const GraphText& text) {
         return text.extension == ".g6" || text.extension == ".s6" || text.extension == ".d6" ||
                is_graph6(text.bytes);
     },
     nullptr, kWriteGraphml},
    {"NetworkX's multiline adjacency list",
     [](const GraphText& text) { return is_multiline_adjacency_list(text.bytes); }, nullptr,
     kWriteGraphml},
    {"UCINET DL", [](const GraphText& text) { return is_ucinet(text.bytes); }, nullptr,
     "save it as Pajek or GraphML"},
    {"DIMACS", [](const GraphText& text) { return is_dimacs(text.bytes); }, nullptr, kWriteLines},
    {"LGL", [](const GraphText& text) { return text.extension == ".lgl"; }, nullptr,
     "write it as GraphML, as graph.write_graphml(\"graph.graphml\") of igraph does"},
    {"METIS", [](const GraphText& text) { return is_metis(text.bytes); }, nullptr, kWriteLines},
    {"YAML", [](const GraphText& text) { return is_yaml(text.bytes); }, nullptr, kWriteLines},
    {"Python", [](const GraphText& text) { return is_python(text.bytes); }, nullptr, kWriteLines},
    {"SIF", [](const GraphText& text) { return text.extension == ".sif"; },
     [](const GraphText& text) { return read_sif(text.bytes, text.directed, text.name); }},
    {"adjacency list", [](const GraphText& text) { return text.extension == ".adjlist"; },
     [](const GraphText& text) {
         return read_adjacency_list(text.bytes, text.directed, text.name);
     }},
    {"edge list", [](const GraphText& text) { return has_named_columns(text.bytes); }, read_edges},
    {"adjacency list", [](const GraphText& text) { return is_adjacency_list(text.bytes); },
     [](const GraphText& text) {
         return read_adjacency_list(text.bytes, text.directed, text.name);
     }},
    {"adjacency matrix", [](const GraphText& text) { return is_adjacency_matrix(text.bytes); },
     [](const GraphText& text) {
         return read_adjacency_matrix(text.bytes, text.directed, text.name);
     }},
    {"edge list", [](const GraphText&) { return true; }, read_edges},
}};

}  // namespace

std::span<const GraphFormat> graph_formats() {
    return kGraphFormats;
}

const GraphFormat& format_of(const GraphText& text) {
    const auto recognises = [&](const GraphFormat& format) {
        try {
            return format.recognises(text);
        } catch (const Error&) {
            return false;  // no text: the reader of edge lists says where
        }
    };
    return *std::ranges::find_if(kGraphFormats, recognises);
}

ReadGraph read_graph(const GraphText& text) {
    const GraphFormat& format = format_of(text);
    if (!format.read)
        throw Error(text.name, "is {}, which is not read; {}", format.name, format.instead);
    return format.read(text);
}

}  // namespace headlight
