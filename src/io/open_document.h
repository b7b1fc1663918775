// Any file that can be opened as a study of its own: the formats are recognised by content, not by
// name. A new format is a row in the table of open_document.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/pieces.h"
#include "core/progress.h"
#include "graph/graph_builder.h"
#include "io/studies/study.h"
#include "model/document.h"

namespace headlight {

struct OpenOptions {
    Directed directed = Directed::No;  // of graphs in formats that do not say
};

struct OpenedFile {
    Document document;
    std::string notes;    // notes for the user: "2 duplicate edges left out"; or ""
    ViewWords view = {};  // the view that a study was saved with
};

/// True of a file with arrays, no attention among them and no recipe: it becomes no study, but can
/// be imported into one. Throws Error if it cannot be opened.
bool holds_matrices(const std::filesystem::path& file);

/// Opens a file through the first row of the table that recognises it. The nodes of a graph need
/// not have places yet. Throws Error with the file and the line.
OpenedFile open_document(const std::filesystem::path& file, const OpenOptions& options = {});

/// Opens the files that a study names, in the folder: its recording, its picture, its weights; for
/// a study whose pieces are joined, the files of the original study. Throws Error for a file that
/// is missing, or is not what it was.
void open_named_files(Document& document, const std::filesystem::path& folder);

/// Returns the files that a study reads its numbers from, beside its own. The weights are among
/// them where the study's own file is given, beside which they lie.
std::vector<std::filesystem::path> files_read_by(const Document& document,
                                                 const std::filesystem::path& study = {});

/// True of a graph whose nodes all lie on one point; one node counts if it lies in the corner.
bool needs_places(const Document& document);
/// Lays the graph out.
void give_places(Document& document);
/// Does the same in pieces, which all that it refers to must outlive.
Pieces<> give_places_in_pieces(Document& document, Progress& progress);

}  // namespace headlight
