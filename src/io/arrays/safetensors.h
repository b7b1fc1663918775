// safetensors: the weights format of the Hugging Face libraries.         [safetensors README]
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/progress.h"
#include "io/arrays/stored_array.h"

namespace headlight {

/// Writes F32, by name; the header is padded so that the numbers are aligned. Throws Error if a
/// name comes twice.
std::string write_safetensors(const NamedMatrices& matrices, const Steps& steps = {});

/// The tensors of a file, in the order of their data; of the bytes only the header is read. Throws
/// Error, naming the source and the tensor, unless the data are covered exactly once, without
/// holes, overlaps or bytes left over.
StoredArrays find_safetensors_arrays(const ByteSource& bytes);

/// Returns the texts of "__metadata__" by name.
std::map<std::string, std::string> read_safetensors_metadata(const ByteSource& bytes);

/// Reads floats of 2, 4, 8 bytes, BF16, integers and bool, in the order of their data. A scalar
/// becomes 1 × 1, a vector of n numbers n × 1; more than two dimensions are refused. Throws Error,
/// naming `source` and the tensor, unless the data are covered exactly once, without holes,
/// overlaps or bytes left over.
NamedMatrices read_safetensors(std::string_view bytes, const std::string& source);

}  // namespace headlight
