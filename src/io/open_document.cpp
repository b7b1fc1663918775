#include "io/open_document.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/matrix.h"
#include "graph/layout.h"
#include "graph/node_table.h"
#include "graph/text_lines.h"
#include "io/arrays/array_file.h"
#include "io/arrays/recording.h"
#include "io/arrays/recording_index.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/graphs/graph_formats.h"
#include "io/graphs/json_graphs.h"
#include "io/models/model_files.h"
#include "io/models/open_model.h"
#include "io/pictures/given_picture.h"
#include "io/pictures/picture.h"
#include "io/recognise.h"
#include "io/studies/recipe_file.h"
#include "io/studies/study.h"
#include "model/joined_pieces.h"
#include "text/strings.h"

namespace headlight {
namespace {

OpenedFile open_model_study(const std::filesystem::path& folder) {
    const OpenedModel model = open_model(folder);
    const ModelInput input = input_of(model);
    if (input == ModelInput::Graph)
        throw Error(path_text(folder),
                    "is a model of graphs, and needs one: `headlight new model \"{}\" GRAPH -o "
                    "STUDY` makes a study of both",
                    path_text(folder));
    OpenedFile opened{input == ModelInput::Picture ? picture_study(model) : model_study(model), ""};
    opened.notes = joined(model.notes, "; ");
    return opened;
}

}  // namespace

bool holds_matrices(const std::filesystem::path& file) {
    std::error_code ignored;
    const std::uintmax_t size = std::filesystem::file_size(file, ignored);
    if (ignored || !array_format(read_beginning(file, kRecognisedBytes), size)) return false;
    return !names_recipe(file) && !is_recording(file, open_arrays(file).arrays);
}

namespace {

void open_recorded_attention(RecordedStudy& study, const std::filesystem::path& folder) {
    if (!study.joined) return reopen_recording(study, folder);
    Document joined = *study.joined;
    open_named_files(joined, folder);
    study.joined = std::make_shared<const Document>(std::move(joined));
    reopen_joined(study);
}

}  // namespace

void open_named_files(Document& document, const std::filesystem::path& folder) {
    if (RecordedStudy* study = document.recorded()) open_recorded_attention(*study, folder);
    if (ImageStudy* study = document.image()) reopen_picture(*study, folder);
    open_weights(document, folder);
}

std::vector<std::filesystem::path> files_read_by(const Document& document,
                                                 const std::filesystem::path& study) {
    std::vector<std::filesystem::path> files;
    const RecordedStudy* recorded = document.recorded();
    if (recorded && recorded->joined) return files_read_by(*recorded->joined, study);
    if (recorded) {
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

void give_places(Document& document) {
    Progress unseen;
    at_once(give_places_in_pieces(document, unseen));
}

Pieces<> give_places_in_pieces(Document& document, Progress& progress) {
    Graph& graph = *document.drawn_graph();
    progress.begin(1);
    progress.enter(fmt::format("places for {} nodes", graph.nodes.size()));
    double before = 0;
    co_await lay_out_in_pieces(
        graph, [&](double share) { progress.advance(share - std::exchange(before, share)); });
}

namespace {

constexpr std::size_t kBeginningBytes = std::size_t{64} << 10;

/// A file whose format is not known yet. Its reader reads the rest in its own way.
struct UnknownFile {
    std::filesystem::path path;
    std::string name;       // of the path, fit for messages
    std::string beginning;  // at most kBeginningBytes
};

/// A format: a test of the first bytes, and a reader. The first row of the table whose test is true
/// opens the file; the last one accepts any text.
struct Opener {
    const char* format;  // "an edge list"
    bool (*recognises)(const UnknownFile& file);
    OpenedFile (*open)(const UnknownFile& file, const OpenOptions& options);
};

/// Returns the text after a byte order mark and blanks.
std::string_view text_beginning(const UnknownFile& file) {
    const std::string_view bytes = file.beginning;
    const std::size_t first = bytes.find_first_not_of("\xEF\xBB\xBF \t\r\n");
    return bytes.substr(std::min(first, bytes.size()));
}

std::string_view first_line(std::string_view text) {
    return text.substr(0, text.find_first_of("\r\n"));
}

bool has_arrays(const UnknownFile& file) {
    std::error_code ignored;
    return array_format(file.beginning, std::filesystem::file_size(file.path, ignored)).has_value();
}

bool is_trained(const UnknownFile& file) {
    std::error_code ignored;
    const auto format =
        array_format(file.beginning, std::filesystem::file_size(file.path, ignored));
    return format == ArrayFormat::Safetensors && names_recipe(file.path);
}

/// True of an object, or a list of objects or lists. "[a, b]" may be a name.
bool is_json(const UnknownFile& file) {
    std::string_view text = text_beginning(file);
    if (!text.starts_with('[')) return text.starts_with('{');
    text = text.substr(std::min(text.find_first_not_of(" \t\r\n", 1), text.size()));
    return text.starts_with('{') || text.starts_with('[') || text.starts_with(']');
}

std::filesystem::path other_citation_file(const UnknownFile& file) {
    std::filesystem::path other = file.path;
    return other.replace_extension(file.path.extension() == ".cites" ? ".content" : ".cites");
}

/// True of a table of nodes, or of citations beside one. Citations without a table are a list of
/// edges.
bool is_citations(const UnknownFile& file) {
    std::error_code ignored;
    const auto extension = file.path.extension();
    return (extension == ".cites" && std::filesystem::exists(other_citation_file(file), ignored)) ||
           (extension == ".content" &&
            (is_node_table_line(first_line(text_beginning(file))) ||
             std::filesystem::exists(other_citation_file(file), ignored)));
}

bool is_png(const UnknownFile& file) {
    return file.beginning.starts_with("\x89PNG");
}

bool is_jpeg(const UnknownFile& file) {
    return file.beginning.starts_with("\xFF\xD8\xFF");
}

bool is_table_that_reads(const UnknownFile& file) {
    return is_attention_table(std::string_view(file.beginning).substr(0, kBeginningOfTable));
}

/// True of a file that no reader of graphs should try: a study is JSON, and was found before.
bool is_something_else(const UnknownFile& file) {
    return !recognised_as(file.beginning).empty() || file.path.extension() == ".headlight";
}

bool is_anything(const UnknownFile&) {
    return true;
}

/// Returns a study of a graph that was read, named after its file.
OpenedFile graph_study(ReadGraph read, const UnknownFile& file) {
    GraphStudy study;
    study.graph = std::move(read.graph);
    if (study.graph.title.empty()) study.graph.title = path_text(file.path.stem());
    if (study.graph.has_weights()) study.layer.d_edge = 1;
    OpenedFile opened;
    opened.document.study = std::move(study);
    opened.notes = notes_text(read.notes);
    return opened;
}

/// Returns a recorded study with notes of its oddities. Those of an index are left out: they only
/// say where it is from.
OpenedFile recorded_study(RecordedStudy study) {
    OpenedFile opened;
    if (!study.texts) opened.notes = joined(study.notes, "; ");
    opened.document.study = std::move(study);
    return opened;
}

OpenedFile open_trained_weights(const UnknownFile& file, const OpenOptions&) {
    return {open_trained(file.path), ""};
}

OpenedFile open_recorded(const UnknownFile& file, const OpenOptions&) {
    return recorded_study(open_recording(file.path));
}

/// Opens a study, a recording or a graph.
OpenedFile open_json(const UnknownFile& file, const OpenOptions& options) {
    const JsonSource source{file.name, parse_json(read_dense_file(file.path), file.name)};
    if (is_recording_index(source)) return recorded_study(open_recording(source, file.path));
    if (is_json_graph(source)) return graph_study(read_json_graph(source, options.directed), file);
    const JsonObject* members = source.root.object();
    if (!members || !(members->contains("kind") || members->contains("headlight")))
        JsonView(source).fail(
            "is neither a study, which has a key 'kind', nor a graph, with 'nodes' and 'links' or "
            "'edges', 'elements' or 'graph'");
    OpenedFile opened{read_study(source), "", read_view(source)};
    open_named_files(opened.document, file.path.parent_path());
    if (const RecordedStudy* study = opened.document.recorded())
        opened.notes = recorded_study(*study).notes;
    return opened;
}

/// Opens the two files beside each other, whichever is opened and whichever is called what.
OpenedFile open_citations(const UnknownFile& file, const OpenOptions&) {
    std::filesystem::path first = file.path, second = other_citation_file(file);
    std::error_code ignored;
    if (!std::filesystem::exists(second, ignored))
        throw Error(file.name, "is one of two files, .content and .cites; the other is missing");
    if (!is_node_table_line(first_line(text_beginning(file)))) std::swap(first, second);
    const std::string table = read_file(first), citations = read_file(second);
    const std::string table_name = path_text(first), citations_name = path_text(second);
    return graph_study(read_citations({table, table_name, citations, citations_name}), file);
}

/// XML needs many times its size in memory.
OpenedFile open_graph(const UnknownFile& file, const OpenOptions& options) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const bool is_xml = text_beginning(file).starts_with('<');
    const std::string bytes = is_xml ? read_dense_file(file.path) : read_file(file.path);
    GraphText text{bytes, file.name, ascii_lower(path_text(file.path.extension())),
                   options.directed};
    if (bytes.starts_with(kByteOrderMark)) text.bytes.remove_prefix(kByteOrderMark.size());
    return graph_study(read_graph(text), file);
}

OpenedFile picture_study(const Pixels& picture) {
    ImageStudy study = image_study(picture);
    OpenedFile opened;
    if (study.columns != picture.width || study.rows != picture.height)
        opened.notes =
            fmt::format("shrunk from {} to {} pixels", shape_text(picture.width, picture.height),
                        shape_text(study.columns, study.rows));
    opened.document.study = std::move(study);
    return opened;
}

OpenedFile open_png(const UnknownFile& file, const OpenOptions&) {
    return picture_study(read_png(read_dense_file(file.path), file.name));
}

OpenedFile open_jpeg(const UnknownFile& file, const OpenOptions&) {
    return picture_study(read_jpeg(read_dense_file(file.path), file.name));
}

/// Refuses a file that is clearly something else, rather than taking it for a graph.
OpenedFile refuse(const UnknownFile& file, const OpenOptions&) {
    throw Error(file.name, "is not a study, graph or picture{}", recognised_as(file.beginning));
}

constexpr std::array<Opener, 9> kOpeners = {{
    {"trained weights", is_trained, open_trained_weights},
    {"recorded attention", has_arrays, open_recorded},
    {"a study, an index of a recording or a graph as JSON", is_json, open_json},
    {"a citation graph, .content and .cites", is_citations, open_citations},
    {"a PNG picture", is_png, open_png},
    {"a JPEG picture", is_jpeg, open_jpeg},
    {"a table of attention, CSV or TSV", is_table_that_reads, open_recorded},
    {"nothing that is read", is_something_else, refuse},
    {"a graph", is_anything, open_graph},
}};

}  // namespace

OpenedFile open_document(const std::filesystem::path& path, const OpenOptions& options) {
    if (is_model_folder(path)) return open_model_study(path);
    std::error_code ignored;
    if (is_adapter_folder(path)) refuse_adapter(path);
    if (std::filesystem::is_directory(path, ignored))
        throw Error(
            path_text(path),
            "cannot be read: it is a folder, not a file; nor is it a model's folder, since it "
            "has no config.json");
    const UnknownFile file{path, path_text(path), read_beginning(path, kBeginningBytes)};
    if (file.beginning.empty()) throw Error(file.name, "is empty");
    for (const Opener& opener : kOpeners)
        if (opener.recognises(file)) return opener.open(file, options);
    throw Error(file.name, "is not a file that Headlight opens");
}

}  // namespace headlight
