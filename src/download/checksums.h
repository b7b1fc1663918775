// Checksums that protect against damage and exchange, as the hub states them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/progress.h"

namespace headlight {

/// 64 lower-case hexadecimal digits: a SHA-256.
bool is_sha256(std::string_view text);
/// 40 of them: what Git calls a file, the SHA-1 of "blob SIZE", a zero byte and its bytes.
bool is_git_blob(std::string_view text);

/// "SHA-256 248d…", "Git's SHA-1 1f7a…"
std::string checksum_name(std::string_view checksum);

/// The checksum of a file, of the kind that `like` is. Throws Error if the file cannot be read, and
/// Cancelled; the progress advances by the file's bytes.
std::string checksum_of(const std::filesystem::path& file, std::string_view like,
                        Progress& progress);

}  // namespace headlight
