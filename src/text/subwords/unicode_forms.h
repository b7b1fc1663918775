// Unicode's normalisation forms and lower case, with the changes that tokenizers count ranges by.
#pragma once

#include <string_view>
#include <vector>

#include "text/subwords/aligned_text.h"

namespace headlight {

enum class UnicodeForm { Nfc, Nfd, Nfkc, Nfkd };

/// The text in a normalisation form, as of Unicode 12: what was encoded later stays as it is.
/// [Unicode, Annex 15]
std::vector<ChangedCharacter> unicode_form(std::string_view utf8, UnicodeForm form);

/// Each character in lower case by itself: a final Σ is σ, İ is i and a point above. As of Unicode
/// 17.
std::vector<ChangedCharacter> lower_case_characters(std::string_view utf8);

}  // namespace headlight
