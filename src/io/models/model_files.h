// The weights of a model's folder: model.safetensors, or shards by index.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/arrays/stored_array.h"

namespace headlight {

struct ModelFiles {
    StoredArrays arrays = {};             // by name, each name once
    std::vector<std::string> notes = {};  // notes for whoever opens them
};

/// True of the folder of an adapter, as peft saves it.
bool is_adapter_folder(const std::filesystem::path& folder);
/// Throws Error that says how its model is made.
[[noreturn]] void refuse_adapter(const std::filesystem::path& folder);

/// Finds the weights and reads only their headers. Throws Error, naming the file: there are no
/// weights, a shard is missing or broken, the index names an array or a shard that is not there, or
/// the weights are a pickle, which is never opened.
ModelFiles find_model_files(const std::filesystem::path& folder);

/// Returns a checksum of the arrays' names, types, shapes and bytes; beyond 2 GiB it includes the
/// bytes of only every 64th MiB.
std::uint64_t weights_checksum(const StoredArrays& arrays);

}  // namespace headlight
