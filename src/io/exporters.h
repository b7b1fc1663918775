// Exporters: the table of formats that the export dialog, the command line and the tests use, and
// among them the archives, which hold many tensors by path. A new format is a new file in this
// folder and a row in the table.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/trace.h"
#include "figure/figure_look.h"
#include "io/arrays/stored_array.h"
#include "io/text/table.h"

namespace headlight {

/// A format of files that hold many tensors by path, as "run … -o" writes them and "run … --set"
/// reads them.
struct ArchiveFormat {
    const char* extension;                                                  // ".npz"
    const char* name;                                                       // "NPZ, for NumPy"
    std::string (*write)(const std::vector<const Tensor*>&, const Steps&);  // the file's bytes
    NamedMatrices (*read)(std::string_view bytes, const std::string& source);
};

extern const ArchiveFormat kNpz, kSafetensors, kValuesJson;
std::span<const ArchiveFormat> archive_formats();

/// Returns the format for a file's extension, in either case. Throws Error, listing the known ones.
const ArchiveFormat& archive_format_for(const std::filesystem::path& file);

/// Returns the file's bytes. Throws Error if a tensor has no values.
std::string write_archive(const ArchiveFormat& format, const std::vector<const Tensor*>& tensors,
                          const Steps& steps = {});

/// The content of an export. Formats of numbers ignore the figure; formats of pictures use only the
/// figure.
struct ExportRequest {
    const Trace& trace;
    std::vector<const Tensor*> tensors;  // with values; exactly one for formats that hold one
    const Figure& figure;
    FigureSheet sheet = {};
    Steps steps = {};
};

enum class ExportKind { Picture, Matrix, Matrices };  // Matrix: the numbers of only one

struct Exporter {
    const char* extension;  // ".png"
    const char* name;       // "PNG picture"
    ExportKind kind;
    bool is_text;                                // it can be read and copied
    std::string (*write)(const ExportRequest&);  // the file's bytes
    /// Writes the bytes of a table's file; null if the format holds no table.
    std::string (*write_table)(const Table&, const Steps&) = nullptr;
};

std::span<const Exporter> exporters();

/// Returns the exporter for a file's extension, in either case. Throws Error, listing the known
/// ones.
const Exporter& exporter_for(const std::filesystem::path& file);

/// True if a file's extension is that of a picture.
bool is_picture_name(const std::filesystem::path& file);

/// Returns the bytes of a table's file; formats of matrices hold only its numbers. Throws Error if
/// the format is one of pictures, and Cancelled.
std::string export_bytes(const Exporter& exporter, const Table& table, const Steps& steps = {});

/// True if a glob of the user's means the tensor with that path. The probe is a text other than the
/// study's, so only a bare *, or a glob that names the probe, means its tensors.
bool is_meant(std::string_view glob, std::string_view path);

/// Returns the file's bytes. Throws Error if a tensor has no values, and Cancelled.
std::string export_bytes(const Exporter& exporter, const ExportRequest& request);

/// Returns one name a tensor: `pattern` with {path}, {layer}, {head} and {name} (the last segment
/// of the path) as the tensor has them; "-" where it has none. Throws Error if two tensors have the
/// same name, or if a brace holds anything else.
std::vector<std::string> output_names(const std::string& pattern,
                                      const std::vector<const Tensor*>& tensors);

}  // namespace headlight
