// The lessons that come with the program, in the order in which they are taught.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lecture/lecture.h"

namespace headlight {

struct Lesson {
    std::string_view name;  // "soft-lookup", as its file in assets/lessons is called
    std::string title;
};
std::span<const Lesson> lessons();

/// Throws Error if there is no such lesson.
Lecture read_lesson(std::string_view name);

}  // namespace headlight
