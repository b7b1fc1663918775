#include "io/files/byte_source.h"

#include <algorithm>

#include "core/error.h"
#include "io/files/file.h"
#include "io/files/regular_file.h"

namespace headlight {

std::string ByteSource::bytes(std::uint64_t begin, std::uint64_t count) const {
    if (begin > size || count > size - begin)
        throw Error(name,
                    "ends after {} bytes, where byte {} and {} more were to be read; the file is "
                    "incomplete",
                    size, begin, count);
    std::string text(static_cast<std::size_t>(count), '\0');
    if (count > 0) read(begin, text);
    return text;
}

ByteSource bytes_in_memory(std::string_view bytes, std::string name) {
    return {std::move(name), bytes.size(), [bytes](std::uint64_t begin, std::span<char> into) {
                std::ranges::copy(bytes.substr(begin, into.size()), into.begin());
            }};
}

ByteSource bytes_of_file(const std::filesystem::path& path) {
    const auto file = std::make_shared<const RegularFile>(path);
    return {path_text(path), file->size(), [file](std::uint64_t begin, std::span<char> into) {
                file->check_unchanged();
                if (file->read_up_to(begin, into) != into.size())
                    throw Error(path_text(file->path()),
                                "ended while it was read; it was changed, open it again");
            }};
}

ByteSource part_of(const ByteSource& whole, std::uint64_t begin, std::uint64_t size) {
    return {whole.name, size, [read = whole.read, begin](std::uint64_t at, std::span<char> into) {
                read(begin + at, into);
            }};
}

}  // namespace headlight
