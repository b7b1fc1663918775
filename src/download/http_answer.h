// What a server says before the bytes of a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

struct HttpAnswer {
    long status = 0;
    std::optional<std::uint64_t> length = {};  // of what follows
    std::optional<std::uint64_t> first = {};   // of a part: its first byte in the file …
    std::optional<std::uint64_t> whole = {};   // … and the size of all of it
    std::string tag = {};                      // the file's mark, without quotes
    bool is_hub = false;                       // the mark is what Git calls the file
    /// Size and SHA-256 of a large file, which the hub says where it sends one elsewhere.
    std::optional<std::uint64_t> linked_size = {};
    std::string linked_tag = {};
};

/// Takes one line of the headers; a status line begins them anew.
void read_header(HttpAnswer& answer, std::string_view line);

/// Why there is no file, and what to do.
std::string reason_of(const HttpAnswer& answer);

}  // namespace headlight
