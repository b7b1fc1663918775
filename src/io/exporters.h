// Exporters: the table of formats that the export dialog, the command line and the tests use. A new
// format is a new file in this folder and a row in the table.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/steps.h"
#include "core/trace.h"
#include "io/text/table.h"
#include "paint/figure_look.h"

namespace headlight {

/// What to write. Formats of numbers ignore the figure; formats of pictures use only the figure.
struct ExportRequest {
    const Trace& trace;
    std::vector<const Tensor*> tensors;  // with values; of formats that hold one there is one
    const Figure& figure;
    FigureSheet sheet = {};
    Steps steps = {};
};

enum class ExportKind { Picture, Matrix, Matrices };  // Matrix: the numbers of only one

/// Whether a file is a text, which can be read and copied.
enum class FileContent { Text, Binary };

struct Exporter {
    const char* extension;  // ".png"
    const char* name;       // "PNG picture"
    ExportKind kind;
    FileContent content;
    std::string (*write)(const ExportRequest&);  // the file's bytes
    /// Those of a table; null: it holds none.
    std::string (*write_table)(const Table&, const Steps&) = nullptr;
};

std::span<const Exporter> exporters();

/// The exporter for a file's extension, in either case. Throws Error, listing the known ones.
const Exporter& exporter_for(const std::filesystem::path& file);

/// Whether a file's extension is that of a picture.
bool is_picture_name(const std::filesystem::path& file);

/// The same of a table; formats of matrices alone hold its numbers. Throws Error if the format is
/// that of pictures, and Cancelled.
std::string export_bytes(const Exporter& exporter, const Table& table, const Steps& steps = {});

/// True if a glob of the user's means the tensor with that path. The probe is another text than the
/// study's: only * alone, or a glob that names it, means its tensors.
bool is_meant(std::string_view glob, std::string_view path);

/// The file's bytes. Throws Error if a tensor has no values, and Cancelled.
std::string export_bytes(const Exporter& exporter, const ExportRequest& request);

}  // namespace headlight
