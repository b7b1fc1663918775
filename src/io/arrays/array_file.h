// ArrayFile: a file with arrays, whatever its format: NPY, NPZ, safetensors, CSV, TSV.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/arrays/stored_array.h"
#include "model/document.h"
#include "model/imports/known_names.h"

namespace headlight {

struct ArrayFile {
    std::string name = {};                // for people: "bert.safetensors"
    StoredArrays arrays = {};             // an NPY or CSV file holds one, called like the file
    std::uint64_t compressed_bytes = 0;   // what compressed arrays unpack to, once they are read
    std::vector<std::string> notes = {};  // what whoever opened it should know
};

/// By its content. Only headers are read; of CSV and TSV everything. Throws Error, naming the file,
/// if it holds no arrays.
ArrayFile open_arrays(const std::filesystem::path& file);

/// The same of bytes, unless they are neither NPY, NPZ nor safetensors. `name` is what the array of
/// an NPY file is called.
std::optional<ArrayFile> find_arrays(const ByteSource& bytes, const std::string& name);

/// Those that hold numbers, as matrices. What is too large to be one is left out.
std::vector<ArrayShape> array_shapes(const StoredArrays& arrays);

/// The others, and why they are none.
std::vector<UnusedArray> arrays_without_numbers(const StoredArrays& arrays);

/// Sets tensors of the document to what the mappings take of the arrays: weights become those of
/// the document, below the edits made by hand; inputs are edited, computed matrices pinned. Each
/// array is read once. `file` is what the weights say that they are from. Throws Error with
/// everything that does not fit; then the document is as it was.
void import_arrays(Document& document, const ArrayFile& file,
                   std::span<const TensorMapping> mappings);

}  // namespace headlight
