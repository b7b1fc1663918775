// ByteSource: bytes in a file or in memory that are read only where they are needed.
//
// Goals: a file of any size opens at once, and only what is looked at is read; the readers of
// formats need not know where the bytes are. Not goals: memory mapping (a mapped file that shrinks
// kills the program).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

struct ByteSource {
    std::string name;  // its name in messages
    std::uint64_t size = 0;
    /// Fills `into` with the bytes that begin at `begin`; the caller has checked that they are
    /// within the size. May be called from several threads. Throws Error if they cannot be read.
    std::function<void(std::uint64_t begin, std::span<char> into)> read;

    /// Returns `count` bytes from `begin`; throws Error if they are not all within the size.
    std::string bytes(std::uint64_t begin, std::uint64_t count) const;
};

/// A source of bytes in memory, which must outlive it.
ByteSource bytes_in_memory(std::string_view bytes, std::string name);

/// A regular file, kept open. Reading it throws Error once it was changed, replaced or removed.
ByteSource bytes_of_file(const std::filesystem::path& path);

/// Returns a part of a source, which must be within it.
ByteSource part_of(const ByteSource& whole, std::uint64_t begin, std::uint64_t size);

}  // namespace headlight
