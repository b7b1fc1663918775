// What can be saved of one tensor: the table that the export dialog, the command line and the tests
// use. A new format is a new file in this folder and a row in the table.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "core/trace.h"
#include "paint/figure.h"

namespace headlight {

struct ExportRequest {
    const Trace& trace;
    const Tensor& tensor;  // has values
    const Figure& figure;  // of the tensor; formats of numbers do not look at it
    float scale = 2;       // pixels a point
    Color ground{255, 255, 255, 255};
};

enum class ExportKind { Picture, Numbers };

struct Exporter {
    const char* extension;  // ".png"
    const char* name;       // "PNG picture"
    ExportKind kind;
    std::string (*write)(const ExportRequest&);  // the file's bytes
};

std::span<const Exporter> exporters();

/// The exporter for a file's extension, in either case. Throws Error, listing the known ones.
const Exporter& exporter_for(const std::filesystem::path& file);

/// The file's bytes. Throws Error if the tensor has no values.
std::string export_tensor(const Exporter& exporter, const ExportRequest& request);

}  // namespace headlight
