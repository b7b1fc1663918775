// The lessons that come with the program, in the order in which they are taught.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lecture/lecture.h"

namespace headlight {

/// "soft-lookup", as their files in assets/lessons are called.
std::span<const std::string_view> lesson_names();

/// Throws Error, naming a near one, if there is no such lesson.
Lecture read_lesson(std::string_view name);

}  // namespace headlight
