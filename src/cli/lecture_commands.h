// The commands of lectures: check, grade, answers, and export of handouts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/error.h"
#include "io/files/file.h"
#include "present/lecture.h"
#include "present/lecture_export.h"
#include "present/lessons.h"
#include "present/page/page_view.h"

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

struct CountAnswers {
    std::string lecture;
    std::vector<std::string> files;  // texts with codes, saved answers, folders of both
};

/// Prints how often a class gave each answer, for each page that was answered. Notes say what was
/// not understood. Throws Error if there are no answers.
void count_answers(const CountAnswers& options, const Streams& streams);

/// True for a file of that extension.
bool is_lecture(const std::string& file);

/// Options of an export that only lectures have.
struct LectureOptions {
    std::optional<int> page = {};  // from 1; absent: all
    bool is_static = false;        // of HTML
    LectureExport what = {};
};

struct ExportLecture {
    std::string lecture;  // its file
    LectureExport what = {};
    bool has_both = false;               // a size and a dpi were given: the size goes first
    std::vector<std::string> idle = {};  // options that were given and change nothing, with reasons
};

/// Returns the export in the words of the options.
ExportLecture lecture_export(const ExportStudy& options, const LectureOptions& of_lecture);

/// Writes a PDF, one HTML file, alive or static, a film (.gif), or a PNG or SVG for each page.
/// Throws Error; then nothing has been written but whole files.
void export_lecture(const ExportLecture& options, const Streams& streams);

/// Writes the lessons into a folder: the program's page once, and an index that opens them in it.
/// Throws Error if there is no page of the program.
void export_course(const std::string& folder);

/// An opened lecture. Throws Error with the line, and if there are no pages. With `faults` each
/// error of the file is added there, and the rest is read. Is not moved: its parts know each other.
struct OpenedLecture {
    explicit OpenedLecture(const std::string& file, Faults* faults = nullptr)
        : name(path_text(file)),
          lecture(read_lecture_or_lesson(file, faults)),
          documents(lecture, std::filesystem::path(file).parent_path(), name),
          source{lecture, documents, name} {
        attempt(faults, [&] {
            if (lecture.pages.empty())
                throw Error(path_text(file), "has no pages; a page begins with a line '## TITLE'");
        });
    }
    OpenedLecture(const OpenedLecture&) = delete;
    OpenedLecture& operator=(const OpenedLecture&) = delete;

    std::string name;
    Lecture lecture;
    PageDocuments documents;
    PageSource source;
};

/// `grade` must live as long as the command.
inline void add_grade_options(Options& command, GradeLecture& grade) {
    command.argument("FOLDER", grade.folder, "With the students' *.answers files");
    command.argument("LECTURE", grade.lecture, "The *.lecture file that they answer");
    command.optional_text("-o,--output", grade.output,
                          "The table as .csv; without it, it is printed");
    command.example("  headlight grade answers attention.lecture -o grades.csv");
}

/// `answers` must live as long as the command.
inline void add_answers_options(Options& command, CountAnswers& answers) {
    command.argument("LECTURE", answers.lecture, "The *.lecture file that they answer");
    command.arguments("FILE", answers.files,
                      "A text with codes, such as a saved chat, an *.answers file, or a folder");
    command.example("  headlight answers attention.lecture chat.txt");
}

}  // namespace headlight
