// headlight new: studies from a sentence, two, an edge list, or ready ones.
#include <filesystem>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "core/error.h"
#include "graph/complete_graph.h"
#include "io/file.h"
#include "io/study.h"
#include "model/presets.h"
#include "text/words.h"

namespace headlight {
namespace {

/// The graph of a file that can be opened as one.
Graph graph_from(const std::string& file, Directed directed, const Streams& streams) {
    Document document = open_study(file, streams, {.directed = directed});
    if (!document.graph()) throw Error(path_text(file), "is a study, but not of a graph");
    return std::move(document.graph()->graph);
}

}  // namespace

void new_study(const NewStudy& options, const Streams& streams) {
    static_cast<void>(plan(options.document));  // one that cannot be evaluated is not written
    const std::string text = write_study(options.document);
    if (!options.output) {
        streams.out << text;
        return;
    }
    write_file(*options.output, text);
}

void new_graph(const NewGraph& options, const Streams& streams) {
    if (options.edge_list.has_value() == options.sentence.has_value())
        throw Error("new graph", "needs a file of edges or --sentence \"…\", one of them");
    NewStudy study = options.study;
    Graph& graph = study.document.graph()->graph;
    graph = options.sentence ? complete_graph(split_words(*options.sentence))
                             : graph_from(*options.edge_list,
                                          graph.directed ? Directed::Yes : Directed::No, streams);
    new_study(study, streams);
}

void list_presets(const Streams& streams) {
    std::size_t width = 0;
    for (const Preset& preset : presets()) width = std::max(width, preset.name.size());
    for (const Preset& preset : presets())
        streams.out << preset.name << std::string(width - preset.name.size(), ' ') << '\t'
                    << preset.what << '\n';
}

}  // namespace headlight
