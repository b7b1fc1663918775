// Formulas where nothing can be raised or lowered: terminals, titles.
#pragma once

#include <string>

namespace headlight {

/// The notation of paint/words/formula.h without its braces: a_{src} → a_src, 10000^{f/d} →
/// 10000^(f/d).
std::string plain_formula(const std::string& formula);

}  // namespace headlight
