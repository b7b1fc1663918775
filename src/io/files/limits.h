// Limits bound what reading one file may take. docs/formats.md lists them all.
//
// Goals: one flag raises the limits that protect the memory; those that a format itself sets stay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace headlight {

// ---- limits that --limit SIZE, or HEADLIGHT_LIMIT=SIZE in the environment, raises ----

struct Limits {
    std::uint64_t file_bytes = std::uint64_t{1} << 30;  // read into memory as a whole
    // The limit for formats that take several times their size when read: JSON, GraphML, pictures.
    std::uint64_t dense_file_bytes = std::uint64_t{256} << 20;
    std::uint64_t unpacked_bytes = std::uint64_t{512} << 20;  // of one unpacked archive
    std::uint64_t matrix_bytes = std::uint64_t{1} << 30;      // of one matrix in memory

    bool operator==(const Limits&) const = default;
};

/// The limits of this process, set by its environment. Throws Error if the environment's value is
/// not a size.
Limits limits();

/// Parses "512M", "4G", "1048576": a number of bytes, where K, M and G stand for factors of 1024.
/// Nothing if it is not a size.
std::optional<std::uint64_t> parse_size(std::string_view text);

/// Sets the limits of this process. Throws Error if `text` is not a size.
void raise_limits(const char* text);

/// The end of a message about a limit, which says what to do.
inline constexpr const char* kRaiseLimit = "raise the limit, as with --limit 4G";

// ---- fixed limits ----

inline constexpr std::size_t kMaxNpyHeaderBytes = 10'000;                 // as in NumPy
inline constexpr std::uint64_t kMaxTensorHeaderBytes = 100'000'000;       // as in safetensors
inline constexpr std::size_t kMaxArrays = 100'000, kMaxEntries = 10'000;  // safetensors, NPZ
inline constexpr std::size_t kMaxArrayNameBytes = 1024, kMaxDimensions = 16;
inline constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;  // of text
inline constexpr std::size_t kMaxTextColumns = 100'000, kMaxTextCells = 100'000'000;

}  // namespace headlight
