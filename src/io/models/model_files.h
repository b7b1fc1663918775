// The weights of a model's folder: model.safetensors, or shards by index.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/arrays/stored_array.h"

namespace headlight {

struct ModelFiles {
    StoredArrays arrays = {};             // by name, each name once
    std::vector<std::string> notes = {};  // what whoever opens them should know
};

/// Only headers are read. Throws Error, naming the file: there are no weights, a shard is missing
/// or broken, the index names what is not there, or the weights are a pickle, which is never
/// opened.
ModelFiles find_model_files(const std::filesystem::path& folder);

/// A number for the contents, from the arrays' names, types and shapes and from a sample of their
/// bytes: it tells files apart that were saved at other times of a training, not every single bit.
std::uint64_t sampled_checksum(const StoredArrays& arrays);

}  // namespace headlight
