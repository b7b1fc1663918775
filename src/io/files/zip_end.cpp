#include "io/files/zip_end.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "io/arrays/number_type.h"

namespace headlight {
namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t kEndBytes = 22, kMaxCommentBytes = 0xFFFF;
constexpr std::uint64_t kLargeEndBytes = 56, kLocatorBytes = 20;

/// Where the directory ends that a record with its size and its offset speaks of.
template <typename Number>
std::uint64_t directory_end(std::string_view size_and_offset) {
    return std::uint64_t{load_little_endian<Number>(size_and_offset)} +
           load_little_endian<Number>(size_and_offset.substr(sizeof(Number)));
}

/// Of a large archive: the record that a locator before the end leads to.    [APPNOTE 4.3.14 f.]
bool is_behind_large_directory(const ByteSource& bytes, std::uint64_t end) {
    if (end < kLocatorBytes + kLargeEndBytes) return false;
    const std::string locator = bytes.bytes(end - kLocatorBytes, kLocatorBytes);
    const auto at = load_little_endian<std::uint64_t>(std::string_view(locator).substr(8));
    if (!locator.starts_with("PK\x06\x07"sv) || at > end - kLocatorBytes - kLargeEndBytes)
        return false;
    const std::string record = bytes.bytes(at, kLargeEndBytes);
    return record.starts_with("PK\x06\x06"sv) &&
           directory_end<std::uint64_t>(std::string_view(record).substr(40)) == at;
}

/// The record from there on is the last of the file, and its directory is in front of it.
bool is_end(const ByteSource& bytes, std::uint64_t at, std::string_view record) {
    if (record.size() < kEndBytes) return false;
    const std::size_t comment = load_little_endian<std::uint16_t>(record.substr(20));
    return record.size() == kEndBytes + comment &&
           (directory_end<std::uint32_t>(record.substr(12)) == at ||
            is_behind_large_directory(bytes, at));
}

}  // namespace

void check_zip_end(const ByteSource& bytes) {
    const std::uint64_t size = std::min(bytes.size, kEndBytes + kMaxCommentBytes);
    const std::string tail = bytes.bytes(bytes.size - size, size);
    constexpr std::string_view kMark = "PK\x05\x06";
    int n_ends = 0;
    for (std::size_t at = tail.find(kMark); at != std::string::npos; at = tail.find(kMark, at + 1))
        n_ends += is_end(bytes, bytes.size - size + at, std::string_view(tail).substr(at)) ? 1 : 0;
    if (n_ends == 0)
        throw Error(
            bytes.name,
            "does not end behind its directory; it is damaged, or two archives in one file");
    if (n_ends > 1)
        throw Error(bytes.name, "ends twice, and either end could be its own; save it again");
}

}  // namespace headlight
