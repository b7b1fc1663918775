#include "io/openers.h"

#include <array>
#include <utility>

#include "io/file.h"
#include "io/study.h"

namespace headlight {
namespace {

bool is_json(const UnknownFile& file) {
    const std::size_t first = file.beginning.find_first_not_of("\xEF\xBB\xBF \t\r\n");
    return first != std::string::npos && file.beginning[first] == '{';
}

bool is_named_study(const UnknownFile& file) {
    return file.path.extension() == ".headlight";
}

bool is_anything(const UnknownFile&) {
    return true;
}

OpenedFile open_study(const UnknownFile& file, const OpenOptions&) {
    return {read_study(read_file(file.path), file.name), ""};
}

OpenedFile open_edge_list(const UnknownFile& file, const OpenOptions& options) {
    ParsedEdgeList parsed = parse_edge_list(read_file(file.path), options.directed, file.name);
    GraphStudy study;
    study.graph = std::move(parsed.graph);
    study.graph.title = path_text(file.path.stem());
    OpenedFile opened;
    opened.document.study = std::move(study);
    opened.notes = notes_text(parsed.notes);
    return opened;
}

constexpr std::array<Opener, 3> kOpeners = {{
    {"a study", is_json, open_study},
    {"a study", is_named_study, open_study},
    {"an edge list", is_anything, open_edge_list},
}};

}  // namespace

std::span<const Opener> openers() {
    return kOpeners;
}

}  // namespace headlight
