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

/// The script of a character; null if it is in none of them.
const Script* find_script(char32_t character);

/// One sentence that says what cannot be shown and what to install. Empty if nothing lacks a font.
std::string lacking_fonts_text(const std::vector<const Script*>& lacking);

}  // namespace headlight
