#include "present/lecture_export.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "io/open_document.h"
#include "io/pictures/figure_svg.h"
#include "io/pictures/figure_text.h"
#include "io/pictures/film.h"
#include "io/pictures/png_image.h"
#include "io/studies/ready_studies.h"
#include "present/lessons.h"
#include "present/page/page_document.h"
#include "present/page/page_text.h"
#include "present/page/page_text_figure.h"
#include "present/page/page_transition.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr float kFilmFrameSecs = 0.1f;

std::size_t count_frames(double secs) {
    return static_cast<std::size_t>(std::max(1.0, std::round(secs / kFilmFrameSecs)));
}

/// Collects the pictures of all pages, and the number of the picture in each frame.
class PageCamera {
  public:
    PageCamera(const PageSource& source, const LectureExport& what)
        : source_(source), what_(what) {}

    void take(const PrintedPage& page) {
        const Workspace* space = page.open.space;
        if (space && space->trace && space->batch) shoot_transition(page);
        add(page.figure, count_frames(what_.page_secs));
        before_ = space ? space->session.history().shared_state() : nullptr;
        trace_before_ = space ? space->batch.shared() : nullptr;
    }

    Film make_film() const {
        return {frames_.size(), kFilmFrameSecs, [this](std::size_t k) {
                    const PageFigure& page = pictures_[frames_[k]];
                    const FigureSheet sheet{
                        .scale = 1, .dpi = print_dpi(what_), .background = page.background};
                    return rasterize(page.figure, sheet);
                }};
    }

  private:
    void add(PageFigure picture, std::size_t n_frames) {
        frames_.insert(frames_.end(), n_frames, pictures_.size());
        pictures_.push_back(std::move(picture));
    }

    /// Films the numbers on their way, and at the end the page as it is.
    void shoot_transition(const PrintedPage& page) {
        const double secs = page_animation_secs(page.written);
        Workspace& space = *page.open.space;
        const std::shared_ptr<const Document> after = space.session.history().shared_state();
        if (!before_ || !trace_before_ || secs <= 0) return;
        const std::shared_ptr<const Trace> trace = space.batch.shared();
        const auto transition = PageTransition::make({*before_, *trace_before_}, {*after, *trace});
        if (!transition) return;
        const std::size_t n = count_frames(secs);
        for (std::size_t k = 0; k < n; ++k) {
            const double share = static_cast<double>(k) / static_cast<double>(n);
            space.session.amend([&](Document& document) { document = transition->at(share); });
            settle(space);
            PrintedPage now = page;
            now.text = filled_text(source_, now.open);
            add(draw_page(source_, now, print_look(what_), measure_), 1);
        }
        space.session.amend([&](Document& document) { document = *after; });
        settle(space);
    }

    const PageSource& source_;
    const LectureExport& what_;
    const MeasureText measure_ = pango_measure();
    std::vector<PageFigure> pictures_;
    std::vector<std::size_t> frames_;  // each an index of pictures_
    std::shared_ptr<const Document> before_;
    std::shared_ptr<const Trace> trace_before_;
};

}  // namespace

std::string write_lecture_film(const PageSource& source, const LectureExport& what,
                               Progress& progress) {
    PageCamera camera(source, what);
    print_pages(source, print_look(what), progress,
                [&](const PrintedPage& page) { camera.take(page); });
    return write_gif(camera.make_film());
}

namespace {

constexpr std::string_view kPagePlace = "{page}", kLectureExtension = ".lecture";
constexpr const char* kUnnamedLecture = "lecture.lecture";

constexpr std::array<LectureFormat, 5> kFormats{{
    {".pdf", "PDF, a document"},
    {".html", "HTML, a web page"},
    {".png", "PNG, a picture", LectureFormat::Files::OneAPage},
    {".svg", "SVG, a drawing", LectureFormat::Files::OneAPage},
    {".gif", "GIF, a film"},
}};

/// Puts the number of one page into "p{page}.png".
std::filesystem::path page_file(const std::filesystem::path& file, std::size_t page) {
    std::string name = file.string();
    const std::size_t at = name.find(kPagePlace);
    if (at == std::string::npos) return file;
    return name.replace(at, kPagePlace.size(), fmt::format("{:02}", page + 1));
}

/// The files that a lecture names, each of them once.
class NamedFiles {
  public:
    NamedFiles(const PageSource& source, std::filesystem::path folder)
        : source_(source), folder_(std::move(folder)) {}

    /// Adds what the page names. Throws Error with the line.
    void add_page(const LecturePage& page) {
        for (const Directive& directive : page.directives) {
            try {
                if (directive.key == "study") add_study(directive.value);
                if (directive.key == "with") add_other(directive.value);
                if (directive.key == "curve" && !source_.lecture.curves.contains(directive.value))
                    add_file(folder_ / directive.value);
            } catch (const Error& error) {
                if (error.place().name == source_.name) throw;
                throw Error({source_.name, directive.line}, said(error));
            }
        }
    }

    /// Returns the files of trained weights that are in the program.
    std::set<std::string> take_data() { return std::move(data_); }

    std::vector<WebPage::File> take() {
        std::vector<WebPage::File> files;
        for (auto& [name, bytes] : files_) files.push_back({name, std::move(bytes)});
        return files;
    }

  private:
    void add_file(const std::filesystem::path& file) {
        WebPage::File read = read_page_file(folder_, file);
        files_.insert_or_assign(std::move(read.name), std::move(read.bytes));
    }

    /// Adds a study's own file, if it has one, and the files that it reads.
    void add_study(const std::string& name) {
        if (!names_.insert(name).second) return;
        const std::filesystem::path file = folder_ / name;
        std::error_code ignored;
        const bool is_inside = source_.lecture.studies.contains(name);
        if (const ReadyStudy* ready = is_inside ? nullptr : find_ready_study(name)) {
            if (!ready->weights.empty()) data_.insert(data_of_weights(ready->weights));
            return;
        }
        if (!is_inside && std::filesystem::is_directory(file, ignored))
            throw Error(name, "{}", kNoModel);
        const Document document = source_.documents.open(name);
        if (document.weights && document.weights->is_model) throw Error(name, "{}", kNoModel);
        if (!is_inside) add_file(file);
        for (const std::filesystem::path& read : files_read_by(document, file))
            if (std::filesystem::is_regular_file(folder_ / read, ignored)) add_file(folder_ / read);
    }

    /// Adds the study that a page compares with, where `with` names one.
    void add_other(const std::string& value) {
        constexpr std::string_view kNetwork = "network ";
        const std::string name =
            value.starts_with(kNetwork) ? value.substr(kNetwork.size()) : value;
        std::error_code ignored;
        if (source_.lecture.studies.contains(name) || find_ready_study(name) ||
            std::filesystem::exists(folder_ / name, ignored))
            add_study(name);
    }

    static constexpr const char* kNoModel =
        "is read by a pretrained model, which is too large for a page; join its pieces or record "
        "its attention";

    const PageSource& source_;
    std::filesystem::path folder_;
    std::set<std::string> names_;
    std::map<std::string, std::string> files_;
    std::set<std::string> data_;
};

std::string picture_bytes(const PageFigure& page, const LectureExport& what) {
    const FigureSheet sheet{.scale = 1, .dpi = print_dpi(what), .background = page.background};
    return lecture_format_of(what.file).extension == ".png" ? write_png(page.figure, sheet)
                                                            : write_svg(page.figure, sheet);
}

}  // namespace

std::span<const LectureFormat> lecture_formats() {
    return kFormats;
}

const LectureFormat& lecture_format_of(const std::filesystem::path& file) {
    const auto found =
        std::ranges::find(kFormats, file.extension().string(), &LectureFormat::extension);
    if (found != kFormats.end()) return *found;
    throw Error(path_text(file), "a lecture becomes .pdf, .html, .png, .svg or .gif");
}

std::vector<std::filesystem::path> exported_files(const LectureExport& what, std::size_t n_pages) {
    if (what.page && *what.page >= n_pages)
        throw Error(path_text(what.file), "there is no page {}; the last one is {}", *what.page + 1,
                    n_pages);
    const bool is_one_a_page = lecture_format_of(what.file).files == LectureFormat::Files::OneAPage;
    if (what.page || !is_one_a_page) return {page_file(what.file, what.page.value_or(0))};
    if (what.file.string().find(kPagePlace) == std::string::npos)
        throw Error(path_text(what.file),
                    "a picture has one page: choose it, as with --page 3, or use {page} in the "
                    "name, or .pdf or .html");
    std::vector<std::filesystem::path> files;
    for (std::size_t k = 0; k < n_pages; ++k) files.push_back(page_file(what.file, k));
    return files;
}

PrintLook print_look(const LectureExport& what) {
    PrintLook look{.theme = what.theme, .page = what.page};
    if (what.size_px) look.size = {kPageHeight * what.size_px->x / what.size_px->y, kPageHeight};
    return look;
}

float print_dpi(const LectureExport& what) {
    return what.size_px ? kPointsPerInch * what.size_px->y / kPageHeight : what.dpi;
}

WebPage make_lecture_page(const PageSource& source, const std::filesystem::path& folder) {
    NamedFiles named(source, folder);
    for (const LecturePage& page : source.lecture.pages) named.add_page(page);
    WebPage page{.title = plain_title(source.lecture.title),
                 .open = std::filesystem::path(source.name).filename().string(),
                 .files = named.take(),
                 .data = named.take_data()};
    if (!page.open.ends_with(kLectureExtension)) page.open = kUnnamedLecture;
    const auto has_name = [&](const WebPage::File& file) { return file.name == page.open; };
    if (std::ranges::any_of(page.files, has_name))
        throw Error(source.name, "the lecture names a file that is called as itself");
    page.files.push_back({page.open, write_lecture(source.lecture)});
    return page;
}

namespace {

constexpr const char* kCourseHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>How attention works</title>
<style>
body{font:18px/1.5 Inter,"DejaVu Sans",system-ui,sans-serif;max-width:760px;margin:2em auto;
padding:0 1em;color:#1d1d1b;background:#fff}
a{color:#0069a8}li{margin:.7em 0}p{color:#555}
</style></head><body>
<h1>How attention works</h1>
<p>Each lesson is a lecture in which everything can be changed. → and ← turn its pages.</p>
<ol>
)";

}  // namespace

std::string write_course_page(const std::string& program) {
    std::set<std::string> data;
    for (const Lesson& lesson : lessons()) {
        const Lecture lecture = read_lesson(lesson.name);
        PageDocuments documents(lecture, {}, std::string(lesson.name));
        const PageSource source{lecture, documents, std::string(lesson.name)};
        NamedFiles named(source, {});
        for (const LecturePage& page : lecture.pages) named.add_page(page);
        data.merge(named.take_data());
        data.insert(fmt::format("lessons/{}.lecture", lesson.name));
    }
    return with_data(program, data);
}

std::string write_course_index(const std::string& program_page) {
    std::string html = kCourseHead;
    for (const Lesson& lesson : lessons()) {
        const Lecture lecture = read_lesson(lesson.name);
        const std::string text =
            plain_text(read_page_text(lecture.text, std::string(lesson.name), lecture.text_lines));
        html += fmt::format("<li><a href=\"{}?open=lesson:{}&amp;present\">{}</a><br>{}</li>\n",
                            xml_escaped(program_page), lesson.name,
                            xml_escaped(plain_title(lesson.title)), xml_escaped(text));
    }
    return html + "</ol>\n</body></html>\n";
}

std::vector<std::string> write_lecture_export(const PageSource& source,
                                              const std::filesystem::path& folder,
                                              const LectureExport& what, Progress& progress) {
    const std::vector<std::filesystem::path> files =
        exported_files(what, source.lecture.pages.size());
    const std::string_view format = lecture_format_of(what.file).extension;
    const PrintLook look = print_look(what);
    make_parent_folder(what.file);
    if (what.is_alive()) {
        std::string program = read_program_page(
            what.file, "--static writes text and pictures, which need no program");
        write_file(files.front(),
                   write_web_page(std::move(program), make_lecture_page(source, folder)));
        return {};
    }
    if (format == ".html") {
        write_file(files.front(), write_handout_html(source, look, progress));
        return {};
    }
    if (format == ".gif") {
        write_file(files.front(), write_lecture_film(source, what, progress));
        return {};
    }
    std::vector<std::string> notes;
    std::vector<PageFigure> pages;
    print_pages(source, look, progress, [&](const PrintedPage& page) {
        if (!page.figure.note.empty())
            notes.push_back(fmt::format("{}: {}", page.written.title, page.figure.note));
        pages.push_back(page.figure);
    });
    if (format == ".pdf")
        write_file(files.front(), write_handout_pdf(pages, what.n_per_sheet));
    else
        for (std::size_t k = 0; k < files.size(); ++k)
            write_file(files[k], picture_bytes(pages[k], what));
    return notes;
}

}  // namespace headlight
