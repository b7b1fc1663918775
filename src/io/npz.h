// NPZ: matrices by name, as NumPy saves them: a zip archive of NPY files.
#pragma once

#include <string>
#include <string_view>

#include "io/named_matrices.h"

namespace headlight {

/// Stored without compression; the same matrices give the same bytes. Throws Error if a name comes
/// twice.
std::string write_npz(const NamedMatrices& matrices);

/// What numpy.savez and savez_compressed write, in the order of the file. Throws Error, naming
/// `source` and the entry, if the archive contradicts itself, holds anything but NPY files, or
/// unpacks to more than 2 GB.
NamedMatrices read_npz(std::string_view bytes, const std::string& source);

}  // namespace headlight
