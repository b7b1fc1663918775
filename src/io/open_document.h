// Any file that can be opened as a study of its own.
#pragma once

#include <filesystem>

#include "core/progress.h"
#include "model/document.h"

namespace headlight {

/// A study (its first character is a brace), or an edge list: then a graph study, named after the
/// file, whose nodes have no places yet. Throws Error with the file and the line.
Document read_document(const std::filesystem::path& file);

/// A graph whose nodes all lie on one point.
bool needs_places(const Document& document);
/// Lays the graph out. `progress` may be null; cancelled, it throws Cancelled.
void give_places(Document& document, Progress* progress);

}  // namespace headlight
