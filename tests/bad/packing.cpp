#include "bad/packing.h"

#include <zlib.h>

namespace headlight::bad {
namespace {

const Bytef* bytes_in(std::string_view bytes) {
    return reinterpret_cast<const Bytef*>(bytes.data());
}

}  // namespace

std::uint32_t crc_32(std::string_view bytes) {
    return static_cast<std::uint32_t>(::crc32_z(0, bytes_in(bytes), bytes.size()));
}

std::uint32_t adler_32(std::string_view bytes) {
    return static_cast<std::uint32_t>(::adler32_z(1, bytes_in(bytes), bytes.size()));
}

std::string zlib_deflated(std::string_view bytes) {
    uLongf size = ::compressBound(bytes.size());
    std::string packed(size, '\0');
    ::compress2(reinterpret_cast<Bytef*>(packed.data()), &size, bytes_in(bytes), bytes.size(),
                Z_BEST_COMPRESSION);
    packed.resize(size);
    return packed;
}

std::string raw_deflated(std::string_view bytes) {
    constexpr std::size_t kHeaderBytes = 2, kSumBytes = 4;
    const std::string packed = zlib_deflated(bytes);
    return packed.substr(kHeaderBytes, packed.size() - kHeaderBytes - kSumBytes);
}

}  // namespace headlight::bad
