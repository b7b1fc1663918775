// Where a zip archive ends.
#pragma once

#include "io/files/byte_source.h"

namespace headlight {

/// An archive ends with one record, right behind its directory. Throws Error, naming the source, if
/// none does, or two could be it: another program would find other entries in the file.
void check_zip_end(const ByteSource& bytes);

}  // namespace headlight
