#include "io/open_document.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "graph/layout.h"
#include "io/arrays/array_format.h"
#include "io/arrays/recording.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/models/model_study.h"
#include "io/recognise.h"
#include "io/studies/recipe_file.h"

namespace headlight {

namespace {

OpenedFile open_model_study(const std::filesystem::path& folder) {
    const OpenedModel model = open_model(folder);
    const ModelInput input = input_of(model);
    if (input == ModelInput::Graph)
        throw Error(path_text(folder),
                    "is a model of graphs, and needs one: `headlight new model \"" +
                        path_text(folder) + "\" GRAPH -o STUDY` makes a study of both");
    OpenedFile opened{input == ModelInput::Picture ? picture_study(model) : model_study(model), ""};
    for (const std::string& note : model.notes)
        opened.notes += (opened.notes.empty() ? "" : "; ") + note;
    return opened;
}

}  // namespace

OpenedFile open_document(const std::filesystem::path& path, const OpenOptions& options) {
    if (is_model_folder(path)) return open_model_study(path);
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw Error(
            path_text(path),
            "cannot be read: it is a folder, not a file; nor is it a model's folder, since it "
            "has no config.json");
    const UnknownFile file{path, path_text(path), read_beginning(path, kBeginningBytes)};
    if (file.beginning.empty()) throw Error(file.name, "is empty");
    for (const Opener& opener : openers())
        if (opener.recognises(file)) return opener.open(file, options);
    throw Error(file.name, "is not a file that Headlight opens");
}

bool holds_matrices(const std::filesystem::path& file) {
    std::error_code ignored;
    const std::uintmax_t size = std::filesystem::file_size(file, ignored);
    if (ignored || !array_format(read_beginning(file, kRecognisedBytes), size)) return false;
    return !names_recipe(file) && !is_recording(file, open_arrays(file).arrays);
}

std::vector<std::filesystem::path> files_read_by(const Document& document,
                                                 const std::filesystem::path& study) {
    std::vector<std::filesystem::path> files;
    if (const RecordedStudy* recorded = document.recorded()) {
        files.emplace_back(recorded->file);
        files.insert(files.end(), recorded->shards.begin(), recorded->shards.end());
    }
    if (const ImageStudy* image = document.image())
        if (image->picture && !image->picture->file.empty())
            files.emplace_back(image->picture->file);
    if (document.weights && !document.weights->is_inside && !study.empty()) {
        files.push_back(weights_path(study));
        if (!document.weights->file.empty())
            files.push_back(study.parent_path() / document.weights->file);
    }
    return files;
}

bool needs_places(const Document& document) {
    const Graph* graph = document.drawn_graph();
    if (!graph || graph->nodes.empty()) return false;
    const std::vector<Node>& nodes = graph->nodes;
    if (nodes.size() == 1) return nodes[0].x == 0 && nodes[0].y == 0;
    return std::ranges::all_of(
        nodes, [&](const Node& node) { return node.x == nodes[0].x && node.y == nodes[0].y; });
}

void give_places(Document& document, Progress* progress) {
    Graph& graph = *document.drawn_graph();
    if (!progress) return lay_out(graph);
    progress->begin(1);
    progress->enter("places for " + std::to_string(graph.nodes.size()) + " nodes");
    double before = 0;
    lay_out(graph, [&](double share) { progress->advance(share - std::exchange(before, share)); });
}

}  // namespace headlight
