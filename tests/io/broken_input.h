// What a reader must do with broken bytes, whatever the format.
#pragma once

#include <doctest/doctest.h>
#include <string>
#include <string_view>

#include "core/error.h"

namespace headlight {

/// The text of the Error that `action` throws; "" if it throws none.
template <typename Action>
std::string error_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

inline bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// Checks that every prefix of a good file is refused with an Error that names the file.
template <typename Read>
void check_every_truncation(const std::string& good, Read read) {
    for (std::size_t size = 0; size < good.size(); ++size) {
        const std::string cut = good.substr(0, size);
        const std::string error = error_of([&] { read(cut); });
        INFO("cut to ", size, " of ", good.size(), " bytes: ", error);
        REQUIRE(error.starts_with("[input"));
    }
}

/// Checks that with any one of the first `size` bytes' bits flipped the file is read or refused.
template <typename Read>
void check_every_bit_flip(const std::string& good, std::size_t size, Read read) {
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
        std::string changed = good;
        changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
        const std::string error = error_of([&] { read(changed); });
        INFO("bit ", bit, ": ", error);
        REQUIRE((error.empty() || error.starts_with("[input")));
    }
}

}  // namespace headlight
