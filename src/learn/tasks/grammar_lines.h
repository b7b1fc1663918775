// Lines of a grammar: "kind name: words", entries between bars, "3*" for as likely as three.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

std::vector<std::string> split_at_blanks(std::string_view text);

/// "2*too | really" is "too", "too" and "really".
std::vector<std::vector<std::string>> split_entries(std::string_view text);

/// Calls `add` with the words before the colon of each line, and with what is behind it. Lines that
/// begin with # and lines without a colon are left out.
void for_each_line(
    std::string_view text,
    const std::function<void(const std::vector<std::string>& head, std::string_view rest)>& add);

}  // namespace headlight
