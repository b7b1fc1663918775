// The lines in which everything of a lecture stands in its file.
#pragma once

#include "lecture/lecture.h"

namespace headlight {

/// Gives pages, texts, directives, studies and curves the lines that they have in what
/// write_lecture makes of it. Leaves them as they are if that cannot be read again.
void number_lines(Lecture& lecture);

}  // namespace headlight
