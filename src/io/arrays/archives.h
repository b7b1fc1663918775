// Archives are files that hold many tensors by path: the formats of "run … -o" and "run … --set".
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/trace.h"
#include "io/arrays/named_matrices.h"

namespace headlight {

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

}  // namespace headlight
