// One export of a lecture, as the window and the command line describe it.
//
// Goals: the study of a page is as the lecture has it written, and what a task covers stays
// covered. Not goals: only the figure or the numbers of a study (views/export).
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/web_page.h"
#include "present/handout.h"

namespace headlight {

struct LectureExport {
    std::filesystem::path file = {};       // its extension is the format; see exported_files
    std::optional<std::size_t> page = {};  // the only one, from 0; absent: all pages
    int n_per_sheet = 1;                   // of a PDF: 1, 2 or 4
    std::optional<ThemeName> theme = {};   // absent: as the pages say
    std::optional<Point> size_px = {};     // of a picture or a film; on paper the shape of a page
    float dpi = 144;                       // of a picture without a size
    float page_secs = 4;                   // of a film
    /// An HTML file is the lecture alive in the program's page, or text and pictures.
    enum class Html { Alive, Static } html = Html::Alive;

    /// True if all pages are written as they are in the lecture, whatever else is chosen.
    bool is_alive() const { return html == Html::Alive && file.extension() == ".html"; }
};

struct LectureFormat {
    std::string_view extension;
    const char* name;
    enum class Files { One, OneAPage } files = Files::One;
};
std::span<const LectureFormat> lecture_formats();
/// Throws Error for a file of another extension.
const LectureFormat& lecture_format_of(const std::filesystem::path& file);

/// Returns the files that are written for a lecture of so many pages; "p{page}.png" stands for one
/// for each page. Throws Error if the name has no place for several pages, or there is no such
/// page.
std::vector<std::filesystem::path> exported_files(const LectureExport& what, std::size_t n_pages);

PrintLook print_look(const LectureExport& what);
/// Returns the pixels per inch with which a page has the pixels that were asked for.
float print_dpi(const LectureExport& what);

/// Writes a GIF. Where a page changes numbers of the one before, they run as when it is presented;
/// all else changes at once. Throws Error as print_pages does, and Cancelled.
std::string write_lecture_film(const PageSource& source, const LectureExport& what,
                               Progress& progress);

/// Returns the lecture as a web page, with the files that it names. Throws Error, as where a file
/// lies in a folder elsewhere, or a study reads a pretrained model.
WebPage make_lecture_page(const PageSource& source, const std::filesystem::path& folder);

/// Returns the program's page with the data that the lessons need.
std::string write_course_page(const std::string& program);

/// Returns the index of a course of all lessons, for a folder in which the program's page lies
/// under that name and opens them.
std::string write_course_index(const std::string& program_page);

/// Writes whole files only, and makes the folder if it is missing. Returns what pages have no room
/// for, each with the title of its page. Files that the lecture names are in `folder`. Throws
/// Error, with the line if a page cannot be opened, and Cancelled.
std::vector<std::string> write_lecture_export(const PageSource& source,
                                              const std::filesystem::path& folder,
                                              const LectureExport& what, Progress& progress);

}  // namespace headlight
