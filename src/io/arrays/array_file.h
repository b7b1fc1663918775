// ArrayFile: a file with arrays, whatever its format: NPY, NPZ, safetensors, CSV, TSV.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/arrays/stored_array.h"
#include "model/document.h"
#include "model/imports/known_names.h"

namespace headlight {

enum class ArrayFormat { Npy, Npz, Safetensors };

/// Returns nothing if the first bytes (kRecognisedBytes or more, if there are as many) are of none
/// of these formats.
std::optional<ArrayFormat> array_format(std::string_view beginning, std::uint64_t size_bytes);

struct ArrayFile {
    std::string name = {};                // for people: "bert.safetensors"
    StoredArrays arrays = {};             // an NPY or CSV file holds one, called like the file
    std::uint64_t compressed_bytes = 0;   // the size of compressed arrays, once they are read
    std::vector<std::string> notes = {};  // notes for whoever opened it
    std::vector<std::string> row_names = {}, column_names = {};  // labels of a CSV file
};

/// Opens a file with arrays, recognised by its content. Only headers are read, except that CSV and
/// TSV are read whole. Throws Error, naming the file, if it has no arrays.
ArrayFile open_arrays(const std::filesystem::path& file);

/// Finds the arrays in bytes; returns nothing if they are neither NPY, NPZ nor safetensors. `name`
/// names the array of an NPY file.
std::optional<ArrayFile> find_arrays(const ByteSource& bytes, const std::string& name);

/// The shapes of the numeric arrays, as matrices. Arrays that are too large for a matrix are left
/// out.
std::vector<ArrayShape> array_shapes(const StoredArrays& arrays);

/// Returns the other arrays, and why they have no numbers.
std::vector<UnusedArray> arrays_without_numbers(const StoredArrays& arrays);

/// Sets tensors of the document from the arrays, as the mappings say. Weights become the document's
/// weights, below the edits made by hand; inputs are edited; computed matrices are pinned. Each
/// array is read once. `file` is named as the origin of the weights. Throws Error, listing
/// everything that does not fit, and then leaves the document unchanged.
void import_arrays(Document& document, const ArrayFile& file,
                   std::span<const TensorMapping> mappings);

}  // namespace headlight
