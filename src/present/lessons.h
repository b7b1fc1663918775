// The lessons that come with the program, in the order in which they are taught.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "present/lecture.h"

namespace headlight {

struct Lesson {
    std::string_view name;  // "soft-lookup", as its file in assets/lessons is called
    std::string title;
};
/// Returns those that the program has: a page that was made for one lecture or study has none.
std::span<const Lesson> lessons();
inline constexpr const char* kNoLessons =
    "This page was made for one lecture or one study and has no lessons; Headlight has them.";

/// Throws Error if there is no such lesson.
Lecture read_lesson(std::string_view name);

/// Reads the lecture of a file, or, if there is none, the lesson that would have its name:
/// "soft-lookup.lecture". Throws Error with the line; with `faults` as read_lecture does.
Lecture read_lecture_or_lesson(const std::filesystem::path& file, Faults* faults = nullptr);

}  // namespace headlight
