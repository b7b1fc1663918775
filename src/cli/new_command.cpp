// headlight new: studies made from a sentence or an edge list.
#include <filesystem>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "graph/edge_list.h"
#include "graph/layout.h"
#include "io/file.h"
#include "io/study.h"

namespace headlight {
namespace {

void write_new_study(const Document& document, const std::optional<std::string>& output,
                     const Streams& streams) {
    static_cast<void>(plan(document));  // a study that cannot be evaluated is not written
    const std::string text = write_study(document);
    if (!output) {
        streams.out << text;
        return;
    }
    write_file(*output, text);
}

}  // namespace

void new_sentence(const NewSentence& options, const Streams& streams) {
    write_new_study(options.document, options.output, streams);
}

void new_graph(const NewGraph& options, const Streams& streams) {
    Document document = options.document;
    Graph& graph = document.graph()->graph;
    const Directed directed = graph.directed ? Directed::Yes : Directed::No;
    ParsedEdgeList parsed =
        parse_edge_list(read_file(options.edge_list), directed, path_text(options.edge_list));
    const std::string notes = notes_text(parsed.notes);
    if (!notes.empty()) write_note(streams, path_text(options.edge_list) + ": " + notes);
    graph = std::move(parsed.graph);
    graph.title = path_text(std::filesystem::path(options.edge_list).stem());
    lay_out(graph);
    write_new_study(document, options.output, streams);
}

}  // namespace headlight
