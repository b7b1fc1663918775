// headlight grade: the answers of many students as a table, and how often each was given.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include "cli/lecture_commands.h"
#include "cli/open_study.h"
#include "cli/output.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/files/folder.h"
#include "io/text/table.h"
#include "present/answers.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr const char* kExtension = ".answers";
constexpr std::uint64_t kMostBytes = 4'000'000;  // of the answers of one student

struct Student {
    std::string name;  // of the file
    AnswerSheet sheet;
};

std::vector<std::filesystem::path> answer_files(const std::filesystem::path& folder) {
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (const std::filesystem::path& name : names_in(folder, error))
        if (name.extension() == kExtension) files.push_back(folder / name);
    if (error) throw Error(path_text(folder), error.message());
    if (files.empty()) throw Error(path_text(folder), "has no files *.answers");
    std::ranges::sort(files);
    return files;
}

constexpr const char* kNotReadable = "not readable";
constexpr const char* kOtherLecture = "of another lecture";

/// Returns the answers in a file; without answers, and with a problem, where they are none to this
/// lecture.
AnswerSheet read_sheet(const std::filesystem::path& file, const std::string& lecture,
                       std::vector<std::string>& notes) {
    AnswerSheet sheet;
    try {
        sheet = read_answers(read_file(file, kMostBytes), path_text(file), notes);
        if (sheet.lecture != lecture) {
            notes.push_back(fmt::format("{} is of the lecture {}; its answers do not count",
                                        path_text(file), in_quotes(sheet.lecture)));
            sheet.answers.clear();
            sheet.problem = kOtherLecture;
        }
    } catch (const Error& error) {
        notes.push_back(fmt::format("{}; the file is {}", error.what(), kNotReadable));
        sheet.problem = kNotReadable;
    }
    sheet.file = path_text(file);
    return sheet;
}

/// Reads everyone who handed a file in.
std::vector<Student> read_students(const GradeLecture& options, const std::string& lecture,
                                   const Streams& streams) {
    std::vector<Student> students;
    std::vector<std::string> notes;
    for (const std::filesystem::path& file : answer_files(options.folder))
        students.push_back({printable(path_text(file.stem())), read_sheet(file, lecture, notes)});
    write_notes(streams, "", notes);
    const auto is_of_other = [](const Student& s) { return s.sheet.problem == kOtherLecture; };
    if (std::ranges::all_of(students, is_of_other))
        throw Error(options.folder, "has no answers to this lecture");
    return students;
}

/// Returns one row a student: the answers, whether each is right, and how many are. Where a file
/// could not be read, its row says so and has no numbers.
Table grades(const std::vector<Student>& students, const std::vector<GradedTask>& tasks) {
    Table table;
    std::vector<std::string>& names = table.add_texts("student");
    for (const Student& student : students) names.push_back(student.name);
    std::vector<double> n_right(students.size());
    for (const GradedTask& task : tasks) {
        const std::string page = printable(task.page);
        table.add_texts(page) = task.given;
        std::vector<double>& rights = table.add_numbers(page + ": right");
        rights.assign(task.is_right.begin(), task.is_right.end());
        for (std::size_t i = 0; i < students.size(); ++i) {
            if (!students[i].sheet.problem.empty())
                rights[i] = std::numeric_limits<double>::quiet_NaN();
            n_right[i] += rights[i];
        }
    }
    table.add_numbers("right") = n_right;
    table.add_numbers("tasks").assign(students.size(), static_cast<double>(tasks.size()));
    return table;
}

void print_histogram(const GradedTask& task, std::size_t n_students, std::ostream& out) {
    constexpr int kLongest = 40;
    out << printable(task.page) << ": " << task.count_right() << " of " << n_students
        << " right\n  " << printable(task.question) << "\n";
    std::size_t width = 0;
    for (const auto& [answer, n] : task.histogram()) width = std::max(width, answer.size());
    for (const auto& [answer, n] : task.histogram()) {
        const int bar = std::max(1, kLongest * n / static_cast<int>(n_students));
        const auto at = std::ranges::find(task.given, answer);
        const bool is_right = task.is_right[static_cast<std::size_t>(at - task.given.begin())];
        out << "  " << (is_right ? "✓ " : "  ") << printable(answer)
            << std::string(width - answer.size(), ' ') << "  ";
        for (int k = 0; k < bar; ++k) out << "█";
        out << " " << n << "\n";
    }
}

}  // namespace

void grade_lecture(const GradeLecture& options, const Streams& streams) {
    check_table_output(options.output);
    const OpenedLecture read(options.lecture);
    const std::vector<Student> students =
        read_students(options, read.source.lecture.title, streams);
    std::vector<AnswerSheet> sheets;
    for (const Student& student : students) sheets.push_back(student.sheet);
    std::vector<std::string> notes;
    const std::vector<GradedTask> tasks = grade(read.source, sheets, notes);
    write_notes(streams, "", notes);
    if (tasks.empty()) throw Error(options.lecture, "has no tasks");
    write_table(grades(students, tasks), options.output, streams, {.reader = ReadBy::Spreadsheet});
    if (!options.output) streams.out << '\n';
    for (const GradedTask& task : tasks) print_histogram(task, students.size(), streams.out);
}

}  // namespace headlight
