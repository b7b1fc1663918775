// What a file is, by its content. Its name says nothing.
#pragma once

#include "io/byte_source.h"

namespace headlight {

enum class FileKind { Json, Npy, Zip, Safetensors, Text };

/// Throws Error, naming the source, if it is empty or something that is never read.
FileKind kind_of(const ByteSource& bytes);

}  // namespace headlight
