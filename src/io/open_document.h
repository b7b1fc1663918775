// Any file that can be opened as a study of its own.
#pragma once

#include <filesystem>
#include <vector>

#include "core/progress.h"
#include "io/openers.h"

namespace headlight {

/// True of a file with arrays, no attention among them and no recipe: it becomes no study, but can
/// be imported into one. Throws Error if it cannot be opened.
bool holds_matrices(const std::filesystem::path& file);

/// What the table of openers makes of the file. The nodes of a graph need not have places yet.
/// Throws Error with the file and the line.
OpenedFile open_document(const std::filesystem::path& file, const OpenOptions& options = {});

/// The files that a study reads its numbers from, beside its own. The weights are among them where
/// the study's own file is given, beside which they lie.
std::vector<std::filesystem::path> files_read_by(const Document& document,
                                                 const std::filesystem::path& study = {});

/// A graph whose nodes all lie on one point, or one node in the corner.
bool needs_places(const Document& document);
/// Lays the graph out. `progress` may be null; cancelled, it throws Cancelled.
void give_places(Document& document, Progress* progress);

}  // namespace headlight
