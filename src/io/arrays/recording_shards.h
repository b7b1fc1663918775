// The numbers of a recording of several texts, read from its shards when they are looked at.
#pragma once

#include <filesystem>
#include <memory>

#include "io/arrays/recording_index.h"

namespace headlight {

/// Returns the matrices by recorded_number. A shard is opened when something in it is looked at,
/// and few are open at once. Reading throws Error, naming the shard, if it is missing, has changed,
/// or its arrays are not of the shapes that the index says.
std::shared_ptr<const MatrixSource> matrices_in_shards(const RecordingIndex& index,
                                                       const std::filesystem::path& folder);

/// Returns the matrices by recorded_number of a safetensors file that holds its own index.
std::shared_ptr<const MatrixSource> matrices_in_file(const RecordingIndex& index,
                                                     const ByteSource& file);

/// Throws Error unless the arrays of a text are where the index says, in the shapes that it says.
void check_recorded_text(const MatrixSource& source, const RecordingIndex& index, int text);

}  // namespace headlight
