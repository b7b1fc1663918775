// Scripts of the world, as far as a text in them needs a font that may not be installed.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace headlight {

struct Script {
    const char* name;
    char32_t sample;      // a letter that every font for the script has
    const char* package;  // of Debian and Ubuntu, which brings such a font
};

/// All scripts, in the order of Unicode.
std::span<const Script> scripts();

/// Returns the script of a character; null if it is in none of them.
const Script* find_script(char32_t character);

/// Writes one sentence that names the scripts that cannot be shown and the packages to install.
/// Empty if nothing lacks a font.
std::string lacking_fonts_text(const std::vector<const Script*>& lacking);

}  // namespace headlight
