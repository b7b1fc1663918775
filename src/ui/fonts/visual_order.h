// Right-to-left text for programs that can only draw from left to right.
//
// Goals: the order of the Unicode bidirectional algorithm, as in the exported figures; Arabic
// letters joined.
// Not goals: more than one line, other scripts whose letters change their shapes.
#pragma once

#include <string>

namespace headlight {

/// Returns the characters of one line in the order in which they are drawn, Arabic letters in their
/// presentation forms, brackets mirrored; the first letter decides the direction of the line. The
/// words around " → " or " ← " keep their sides, so that the arrow means the same. Text without
/// right-to-left characters is returned as it is, after a single scan.
std::string visual_order(const std::string& utf8);

/// True if any character of the text goes from right to left; the second one, if the line does.
bool has_right_to_left(const std::string& utf8);
bool runs_right_to_left(const std::string& utf8);

}  // namespace headlight
