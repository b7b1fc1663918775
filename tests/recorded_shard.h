// Shards of recordings for tests: safetensors files of arrays of any number of dimensions.
#pragma once

#include <string>
#include <vector>

#include "core/matrix.h"

namespace headlight {

/// A number that says where it comes from: no two cells of a recording are the same.
inline float cell_value(int shard, std::size_t at) {
    return static_cast<float>(shard + 1) + static_cast<float>(at) / 1024;
}

struct NamedShape {
    std::string name;
    std::vector<std::size_t> shape;
};

/// A safetensors file of F32 arrays whose numbers count up through the whole file.
inline std::string shard_bytes(int shard, const std::vector<NamedShape>& arrays,
                               const std::string& metadata = "") {
    std::string header = "{" + metadata, data;
    std::size_t n_before = 0;
    for (const auto& [name, shape] : arrays) {
        std::string list;
        std::size_t count = 1;
        for (const std::size_t size : shape) {
            list += (list.empty() ? "" : ",") + std::to_string(size);
            count *= size;
        }
        header += (header.size() > 1 ? ",\"" : "\"") + name + R"(":{"dtype":"F32","shape":[)" +
                  list + R"(],"data_offsets":[)" + std::to_string(4 * n_before) + "," +
                  std::to_string(4 * (n_before + count)) + "]}";
        Matrix values(1, static_cast<Index>(count));
        for (std::size_t i = 0; i < count; ++i)
            values(0, static_cast<Index>(i)) = cell_value(shard, n_before + i);
        data.append(reinterpret_cast<const char*>(values.data()), 4 * count);
        n_before += count;
    }
    header += "}";
    std::string length;
    for (int i = 0; i < 8; ++i) length += static_cast<char>(header.size() >> 8 * i & 0xFF);
    return length + header + data;
}

}  // namespace headlight
