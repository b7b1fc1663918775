#include "io/file_kind.h"

#include <algorithm>

#include "core/error.h"
#include "io/number_type.h"
#include "io/recognise.h"

namespace headlight {

FileKind kind_of(const ByteSource& bytes) {
    if (bytes.size == 0) throw Error(bytes.name, "is empty");
    const std::string begin = bytes.bytes(0, std::min<std::uint64_t>(bytes.size, kRecognisedBytes));
    if (begin.starts_with("\x93NUMPY")) return FileKind::Npy;
    if (begin.starts_with("PK\x03\x04") || begin.starts_with("PK\x05\x06")) return FileKind::Zip;
    if (const std::string what = recognised_as(begin); !what.empty())
        throw Error(bytes.name, "cannot be opened" + what);
    constexpr std::size_t kLengthBytes = 8;
    const std::string_view header =
        std::string_view(begin).substr(std::min(kLengthBytes, begin.size()));
    const std::size_t first = header.find_first_not_of(" \t\r\n");
    const bool is_object = first != std::string_view::npos && header[first] == '{';
    if (is_object && load_little_endian<std::uint64_t>(begin) <= bytes.size - kLengthBytes)
        return FileKind::Safetensors;
    std::string_view text = begin;
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    const bool is_json = start != std::string_view::npos && text[start] == '{';
    return is_json ? FileKind::Json : FileKind::Text;
}

}  // namespace headlight
