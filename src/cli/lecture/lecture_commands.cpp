#include "cli/lecture/lecture_commands.h"

#include <algorithm>

#include "cli/lecture/opened_lecture.h"
#include "cli/open_study.h"
#include "cli/output/progress_line.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/files/file_extension.h"
#include "io/pictures/figure_png.h"
#include "io/pictures/figure_svg.h"
#include "lecture/check.h"
#include "lecture/handout.h"
#include "lecture/lecture_film.h"
#include "text/counted.h"

namespace headlight {
namespace {

/// "p{page}.png" for each page.
std::string page_file(const std::string& output, std::size_t page) {
    constexpr std::string_view kPlace = "{page}";
    const std::size_t at = output.find(kPlace);
    if (at == std::string::npos)
        throw Error(output, "a picture has one page: use {page} in its name, or .pdf or .html");
    const std::string number = (page < 9 ? "0" : "") + std::to_string(page + 1);
    return std::string(output).replace(at, kPlace.size(), number);
}

PrintLook look_for(const ExportLecture& options) {
    PrintLook look{.theme = options.theme};
    if (options.size) look.size = {kPageHeight * options.size->x / options.size->y, kPageHeight};
    return look;
}

/// Pixels per inch with which a page has the pixels that were asked for.
float dpi_for(const ExportLecture& options) {
    return options.size ? kPointsPerInch * options.size->y / kPageHeight : options.dpi;
}

}  // namespace

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
            write_note(streams, "page " + std::to_string(k + 1) + ", " + page.title + ": " + note);
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
    const auto is_given = [&](const char* name) {
        return std::ranges::find(options.given, name) != options.given.end();
    };
    const bool has_theme = is_given("--theme");
    return {.file = options.study,
            .output = options.output,
            .n_per_sheet = of_lecture.n_per_sheet,
            .theme = has_theme ? std::optional(look.theme) : std::nullopt,
            .size = look.room,
            .dpi = look.dpi,
            .has_both = look.room && (is_given("--dpi") || is_given("--scale")),
            .page_secs = of_lecture.page_secs};
}

void export_lecture(const ExportLecture& options, const Streams& streams) {
    const OpenedLecture read(options.file);
    const std::string extension = std::filesystem::path(options.output).extension().string();
    const PrintLook look = look_for(options);
    for (std::size_t k = 0; k < read.lecture.pages.size(); ++k)
        for (const Error& failure : check_page(read.source, k).failures)
            write_note(streams, failure.what());
    if (options.has_both)
        write_note(streams, "--size is in pixels for a lecture, so --dpi and --scale do nothing");
    ProgressLine line(streams.terminal);
    check_is_no_input(options.output, std::vector<std::filesystem::path>{options.file});
    if (extension == ".html") {
        write_file(options.output, write_handout_html(read.source, look, line.progress()));
        return;
    }
    if (extension == ".gif") {
        const LectureFilm film{
            .look = look, .page_secs = options.page_secs, .dpi = dpi_for(options)};
        write_file(options.output,
                   write_lecture_film(read.source, film, extension, line.progress()));
        return;
    }
    if (extension != ".pdf" && extension != ".png" && extension != ".svg")
        throw Error(options.output, "a lecture becomes .pdf, .html, .png, .svg or .gif");
    std::vector<PageFigure> pages;
    print_pages(read.source, look, line.progress(), [&](const PrintedPage& page) {
        if (!page.figure.note.empty())
            write_note(streams, page.written.title + ": " + page.figure.note);
        pages.push_back(page.figure);
    });
    if (extension == ".pdf")
        return write_file(options.output, write_handout_pdf(pages, options.n_per_sheet));
    for (std::size_t k = 0; k < pages.size(); ++k) {
        const FigureSheet sheet{
            .scale = 1, .dpi = dpi_for(options), .background = pages[k].background};
        const Figure& figure = pages[k].figure;
        write_file(page_file(options.output, k),
                   extension == ".png" ? write_png(figure, sheet) : write_svg(figure, sheet));
    }
}

}  // namespace headlight
