// NPY: one matrix, as NumPy saves it.                                          [numpy.lib.format]
#pragma once

#include <string>
#include <string_view>

#include "core/progress.h"
#include "io/arrays/stored_array.h"

namespace headlight {

/// Writes version 1.0, '<f4', row by row.
std::string write_npy(const Matrix& matrix, const Steps& steps = {});

/// The array of an NPY file; only its header is read. Its name is "". Throws Error, naming the
/// source, if it is not an NPY file of numbers or texts.
StoredArray find_npy_array(const ByteSource& bytes);

/// Reads versions 1.0 to 3.0: floats of 2, 4, 8 bytes, integers and bool, either byte order, row by
/// row or column by column. A scalar becomes 1 × 1, a vector of n numbers n × 1; more than two
/// dimensions are refused. Throws Error, naming `source`, if anything else is found: Python
/// objects, texts, records, more or fewer bytes than the shape needs.
Matrix read_npy(std::string_view bytes, const std::string& source);

}  // namespace headlight
