#include "io/open_document.h"

#include <algorithm>
#include <utility>

#include "graph/edge_list.h"
#include "graph/layout.h"
#include "io/file.h"
#include "io/study.h"

namespace headlight {

Document read_document(const std::filesystem::path& file) {
    const std::string bytes = read_file(file);
    const std::string name = path_text(file);
    const std::size_t first = bytes.find_first_not_of("\xEF\xBB\xBF \t\r\n");
    const bool is_study =
        file.extension() == ".headlight" || (first != std::string::npos && bytes[first] == '{');
    if (is_study) return read_study(bytes, name);
    Document document;
    GraphStudy study;
    study.graph = parse_edge_list(bytes, Directed::No, name).graph;
    study.graph.title = path_text(file.stem());
    document.study = std::move(study);
    return document;
}

bool needs_places(const Document& document) {
    const GraphStudy* study = document.graph();
    return study && study->graph.nodes.size() > 1 &&
           std::ranges::all_of(study->graph.nodes, [&](const Node& node) {
               const Node& first = study->graph.nodes[0];
               return node.x == first.x && node.y == first.y;
           });
}

void give_places(Document& document, Progress* progress) {
    Graph& graph = document.graph()->graph;
    if (!progress) return lay_out(graph);
    progress->begin(1);
    progress->enter("places for " + std::to_string(graph.nodes.size()) + " nodes");
    double before = 0;
    lay_out(graph, [&](double share) { progress->advance(share - std::exchange(before, share)); });
}

}  // namespace headlight
