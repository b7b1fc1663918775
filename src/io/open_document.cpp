#include "io/open_document.h"

#include "graph/edge_list.h"
#include "graph/layout.h"
#include "io/file.h"
#include "io/study.h"

namespace headlight {

Document open_document(const std::filesystem::path& file) {
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
    lay_out(study.graph);
    document.study = std::move(study);
    return document;
}

}  // namespace headlight
