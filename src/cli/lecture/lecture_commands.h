// The commands of lectures: check, and export of handouts.
#pragma once

#include <optional>
#include <string>

#include "cli/commands.h"
#include "lecture/lecture_export.h"

namespace headlight {

/// Plays all pages and prints a line for each: what fails, or how much was checked. Throws Error at
/// the end if something has failed.
void check_lecture(const std::string& file, const Streams& streams);

struct GradeLecture {
    std::string folder, lecture;
    std::optional<std::string> output;  // of the table; absent: it is printed
};

/// Grades the *.answers of a folder: a table, a row a student, and how often each answer was given.
/// Notes say what is left out. Throws Error if there is nothing to grade.
void grade_lecture(const GradeLecture& options, const Streams& streams);

/// True for a file of that extension.
bool is_lecture(const std::string& file);

/// Options of an export that only lectures have.
struct LectureOptions {
    std::optional<int> page = {};  // from 1; absent: all
    LectureExport what = {};
};

struct ExportLecture {
    std::string lecture;  // its file
    LectureExport what = {};
    bool has_both = false;  // a size and a dpi were given: the size goes first
};

/// As the options of an export say it.
ExportLecture lecture_export(const ExportStudy& options, const LectureOptions& of_lecture);

/// Writes a PDF, one HTML file, a film (.gif), or a PNG or SVG for each page. Throws Error; then
/// nothing has been written but whole files.
void export_lecture(const ExportLecture& options, const Streams& streams);

}  // namespace headlight
