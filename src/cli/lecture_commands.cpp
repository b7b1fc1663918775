#include "cli/lecture_commands.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "cli/open_study.h"
#include "cli/output.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/files/web_page.h"
#include "present/check.h"
#include "text/strings.h"

namespace headlight {

bool is_lecture(const std::string& file) {
    return std::filesystem::path(file).extension() == ".lecture";
}

void check_lecture(const std::string& file, const Streams& streams) {
    Faults faults;
    const OpenedLecture read(file, &faults);
    for (const Error& fault : faults) streams.out << fault.what() << '\n';
    int n_failed = static_cast<int>(faults.size());
    for (std::size_t k = 0; k < read.lecture.pages.size(); ++k) {
        const CheckedPage page = check_page(read.source, k);
        for (const std::string& note : page.notes)
            write_note(streams, fmt::format("page {}, {}: {}", k + 1, page.title, note));
        for (const Error& failure : page.failures) streams.out << failure.what() << '\n';
        n_failed += static_cast<int>(page.failures.size());
        if (!page.failures.empty()) continue;
        streams.out << "page " << k + 1 << "\t" << page.title << "\t"
                    << counted(page.n_expressions, "value") << ", "
                    << counted(page.n_claims, "claim") << (page.has_task ? ", a task" : "") << '\n';
    }
    for (const Error& failure : check_rest(read.source)) {
        streams.out << failure.what() << '\n';
        ++n_failed;
    }
    if (n_failed > 0) throw Error(read.name, counted(n_failed, "failure"));
}

ExportLecture lecture_export(const ExportStudy& options, const LectureOptions& of_lecture) {
    const FigureLook& look = options.choice.look;
    const auto is_given = [&](const char* name) { return is_among(name, options.given); };
    ExportLecture lecture{.lecture = options.study,
                          .what = of_lecture.what,
                          .has_both = look.room && (is_given("--dpi") || is_given("--scale"))};
    lecture.what.file = options.output;
    if (of_lecture.page) lecture.what.page = static_cast<std::size_t>(*of_lecture.page - 1);
    if (of_lecture.is_static) lecture.what.html = LectureExport::Html::Static;
    if (is_given("--theme")) lecture.what.theme = look.theme;
    lecture.what.size_px = look.room;
    lecture.what.dpi = look.dpi;
    constexpr std::array kOfLectures{"--output",       "--page",  "--per-sheet",
                                     "--page-seconds", "--size",  "--theme",
                                     "--dpi",          "--scale", "--static"};
    for (const std::string& name : options.given)
        if (!is_among(name, kOfLectures))
            lecture.idle.push_back(name + ": without effect, it is of studies");
    const std::string kind = lecture.what.file.extension();
    if (is_given("--per-sheet") && kind != ".pdf")
        lecture.idle.push_back("--per-sheet: without effect, it is of a PDF");
    if (is_given("--page-seconds") && kind != ".gif")
        lecture.idle.push_back("--page-seconds: without effect, it is of a film (.gif)");
    if (of_lecture.is_static && kind != ".html")
        lecture.idle.push_back("--static: without effect, it is of a web page (.html)");
    if (lecture.what.is_alive())
        for (const char* name : {"--page", "--size", "--theme", "--dpi", "--scale"})
            if (is_given(name))
                lecture.idle.push_back(fmt::format(
                    "{}: without effect, a page that is alive has all pages as the lecture says; "
                    "{}#3 opens the third",
                    name, path_text(lecture.what.file.filename())));
    return lecture;
}

void export_lecture(const ExportLecture& options, const Streams& streams) {
    const OpenedLecture read(options.lecture);
    const std::size_t n_pages = read.lecture.pages.size();
    const std::vector<std::filesystem::path> files = exported_files(options.what, n_pages);
    const bool has_one = options.what.page && !options.what.is_alive();
    const std::size_t first = has_one ? *options.what.page : 0;
    for (std::size_t k = first; k < (has_one ? first + 1 : n_pages); ++k)
        for (const Error& failure : check_page(read.source, k).failures)
            write_note(streams, failure.what());
    for (const std::string& idle : options.idle) write_note(streams, idle);
    if (options.has_both && !options.what.is_alive())
        write_note(streams, "--size is in pixels for a lecture, so --dpi and --scale do nothing");
    ProgressLine line(streams.terminal);
    for (const std::filesystem::path& file : files)
        check_is_no_input(file.string(), std::vector<std::filesystem::path>{options.lecture});
    const std::filesystem::path folder = std::filesystem::path(options.lecture).parent_path();
    for (const std::string& note :
         write_lecture_export(read.source, folder, options.what, line.progress()))
        write_note(streams, note);
}

void export_course(const std::string& folder) {
    const std::filesystem::path program = std::filesystem::path(folder) / "headlight.html";
    const std::filesystem::path index = std::filesystem::path(folder) / "index.html";
    const std::string page = read_program_page(program);
    make_parent_folder(program);
    write_file(program, write_course_page(page));
    write_file(index, write_course_index(program.filename().string()));
}

}  // namespace headlight
