// NPZ: matrices by name, as NumPy saves them: a zip archive of NPY files.
#pragma once

#include <string>
#include <string_view>

#include "core/steps.h"
#include "io/arrays/named_matrices.h"
#include "io/arrays/stored_array.h"

namespace headlight {

/// Stored without compression; the same matrices give the same bytes. Throws Error if a name comes
/// twice.
std::string write_npz(const NamedMatrices& matrices, const Steps& steps = {});

/// The arrays of an archive, in the order of the file. Only their headers are read. What is stored
/// without compression is read in place; what is compressed is unpacked when it is first read, and
/// kept. Throws Error, naming the source and the entry, if the archive contradicts itself, holds
/// anything but NPY files, or what is compressed unpacks to more than limits() say.
struct NpzArrays {
    StoredArrays arrays;
    std::uint64_t compressed_bytes = 0;  // what the compressed ones unpack to
};
NpzArrays find_npz_arrays(const ByteSource& bytes);

/// What numpy.savez and savez_compressed write, as matrices. Throws Error as above, and if a
/// checksum is wrong.
NamedMatrices read_npz(std::string_view bytes, const std::string& source);

}  // namespace headlight
