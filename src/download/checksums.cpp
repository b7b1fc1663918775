#include "download/checksums.h"

#include <algorithm>
#include <cstdint>
#include <glib.h>
#include <memory>

#include "io/files/byte_source.h"

namespace headlight {
namespace {

constexpr std::size_t kSha256Digits = 64, kSha1Digits = 40;
constexpr std::uint64_t kSumBytes = 1 << 20;

bool are_digits(std::string_view text, std::size_t count) {
    return text.size() == count && std::ranges::all_of(text, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

void add_bytes(GChecksum& sum, std::string_view bytes) {
    g_checksum_update(&sum, reinterpret_cast<const guchar*>(bytes.data()),
                      static_cast<gssize>(bytes.size()));
}

}  // namespace

bool is_sha256(std::string_view text) {
    return are_digits(text, kSha256Digits);
}

bool is_git_blob(std::string_view text) {
    return are_digits(text, kSha1Digits);
}

std::string checksum_name(std::string_view checksum) {
    return (is_sha256(checksum) ? "SHA-256 " : "Git's SHA-1 ") + std::string(checksum);
}

std::string checksum_of(const std::filesystem::path& file, std::string_view like,
                        Progress& progress) {
    const ByteSource bytes = bytes_of_file(file);
    const GChecksumType type = is_git_blob(like) ? G_CHECKSUM_SHA1 : G_CHECKSUM_SHA256;
    const std::unique_ptr<GChecksum, void (*)(GChecksum*)> sum(g_checksum_new(type),
                                                               g_checksum_free);
    if (type == G_CHECKSUM_SHA1)
        add_bytes(*sum, "blob " + std::to_string(bytes.size) + std::string(1, '\0'));
    for (std::uint64_t begin = 0; begin < bytes.size; begin += kSumBytes) {
        const std::uint64_t count = std::min(kSumBytes, bytes.size - begin);
        add_bytes(*sum, bytes.bytes(begin, count));
        progress.advance(static_cast<double>(count));
    }
    return g_checksum_get_string(sum.get());
}

}  // namespace headlight
