// The targets of arrays that were imported from files: a small JSON file in the user's state folder
// remembers them. Entries that cannot be read are forgotten.
#pragma once

#include <filesystem>
#include <vector>

#include "model/imports/tensor_mapping.h"

namespace headlight {

/// The file in state_folder(). Empty if there is no such folder.
std::filesystem::path import_memory_file();

/// Returns the mappings of the last import of a file with these arrays; empty if there was none.
std::vector<TensorMapping> remembered_mappings(const std::filesystem::path& memory,
                                               const std::vector<ArrayShape>& arrays);

/// Keeps the last few imports. Throws Error with the reason if the file cannot be written.
void remember_mappings(const std::filesystem::path& memory, const std::vector<ArrayShape>& arrays,
                       const std::vector<TensorMapping>& mappings);

}  // namespace headlight
