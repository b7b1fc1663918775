// The arguments of headlight grade.
#pragma once

#include "cli/lecture/lecture_commands.h"
#include "cli/options/options.h"

namespace headlight {

/// `grade` must live as long as the command.
inline void add_grade_options(Options& command, GradeLecture& grade) {
    command.argument("FOLDER", grade.folder, "With the students' *.answers files");
    command.argument("LECTURE", grade.lecture, "The *.lecture file that they answer");
    command.optional_text("-o,--output", grade.output,
                          "The table as .csv; without it, it is printed");
    command.example("  headlight grade answers attention.lecture -o grades.csv");
}

}  // namespace headlight
