#include "io/arrays/array_format.h"

#include "io/arrays/number_type.h"

namespace headlight {

std::optional<ArrayFormat> array_format(std::string_view beginning, std::uint64_t size_bytes) {
    if (beginning.starts_with("\x93NUMPY")) return ArrayFormat::Npy;
    if (beginning.starts_with("PK\x03\x04") || beginning.starts_with("PK\x05\x06"))
        return ArrayFormat::Npz;
    constexpr std::size_t kLengthBytes = 8;
    if (beginning.size() <= kLengthBytes || size_bytes <= kLengthBytes) return std::nullopt;
    const std::size_t first = beginning.find_first_not_of(" \t\r\n", kLengthBytes);
    const bool is_object = first != std::string_view::npos && beginning[first] == '{';
    const bool is_within =
        load_little_endian<std::uint64_t>(beginning) <= size_bytes - kLengthBytes;
    return is_object && is_within ? std::optional(ArrayFormat::Safetensors) : std::nullopt;
}

}  // namespace headlight
