// Right-to-left text for what can only draw from left to right.
//
// Goals: the order of the Unicode bidirectional algorithm, as in the exported figures; Arabic
// letters joined.
// Not goals: more than one line, other scripts whose letters change their shapes.
#pragma once

#include <string>

namespace headlight {

/// The characters of one line in the order in which they are drawn, Arabic letters in their
/// presentation forms, brackets mirrored; the first letter decides the direction of the line. What
/// stands around " → " or " ← " keeps its side, so that the arrow means the same.
/// Text without right-to-left characters is returned as it is, after a single scan.
std::string visual_order(const std::string& utf8);

/// Whether any character of the text goes from right to left; whether the line does.
bool has_right_to_left(const std::string& utf8);
bool runs_right_to_left(const std::string& utf8);

}  // namespace headlight
