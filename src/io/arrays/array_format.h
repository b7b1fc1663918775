// The array format of a file, recognised by its content.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace headlight {

enum class ArrayFormat { Npy, Npz, Safetensors };

/// Nothing if the first bytes (kRecognisedBytes or more, if there are as many) are of none of them.
std::optional<ArrayFormat> array_format(std::string_view beginning, std::uint64_t size_bytes);

}  // namespace headlight
