// NPZ: matrices by name, as NumPy saves them: a zip archive of NPY files.
#pragma once

#include <string>
#include <string_view>

#include "core/progress.h"
#include "io/arrays/stored_array.h"

namespace headlight {

/// Writes an archive without compression; the same matrices give the same bytes. Throws Error if a
/// name comes twice.
std::string write_npz(const NamedMatrices& matrices, const Steps& steps = {});

/// The arrays of an archive, in the order of the file. Only their headers are read. Entries without
/// compression are read in place; a compressed one is unpacked when it is first read, and kept.
/// Throws Error, naming the source and the entry, if the archive contradicts itself, holds anything
/// but NPY files, or if the compressed entries unpack to more than limits() say.
struct NpzArrays {
    StoredArrays arrays;
    std::uint64_t compressed_bytes = 0;  // the size of the compressed ones, unpacked
};
NpzArrays find_npz_arrays(const ByteSource& bytes);

/// Reads as matrices what numpy.savez and savez_compressed write. Throws Error as find_npz_arrays
/// does, and if a checksum is wrong.
NamedMatrices read_npz(std::string_view bytes, const std::string& source);

}  // namespace headlight
