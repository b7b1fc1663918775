#include "present/lecture_export.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/error.h"
#include "io/files/file.h"
#include "io/pictures/figure_svg.h"
#include "io/pictures/figure_text.h"
#include "io/pictures/film.h"
#include "io/pictures/png_image.h"
#include "present/page/page_transition.h"

namespace headlight {
namespace {

constexpr float kFilmFrameSecs = 0.1f;

std::size_t count_frames(double secs) {
    return static_cast<std::size_t>(std::max(1.0, std::round(secs / kFilmFrameSecs)));
}

/// Collects the pictures of all pages, and the number of the picture in each frame.
class PageCamera {
  public:
    PageCamera(const PageSource& source, const LectureFilm& film) : source_(source), film_(film) {}

    void take(const PrintedPage& page) {
        const Workspace* space = page.open.space;
        if (space && space->trace && space->batch) shoot_transition(page);
        add(page.figure, count_frames(film_.page_secs));
        before_ = space ? space->session.history().shared_state() : nullptr;
        trace_before_ = space ? space->batch.shared() : nullptr;
    }

    Film make_film() const {
        return {frames_.size(), kFilmFrameSecs, [this](std::size_t k) {
                    const PageFigure& page = pictures_[frames_[k]];
                    const FigureSheet sheet{
                        .scale = 1, .dpi = film_.dpi, .background = page.background};
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
            add(draw_page(source_, now, film_.look, measure_), 1);
        }
        space.session.amend([&](Document& document) { document = *after; });
        settle(space);
    }

    const PageSource& source_;
    const LectureFilm& film_;
    const MeasureText measure_ = pango_measure();
    std::vector<PageFigure> pictures_;
    std::vector<std::size_t> frames_;  // each an index of pictures_
    std::shared_ptr<const Document> before_;
    std::shared_ptr<const Trace> trace_before_;
};

}  // namespace

std::string write_lecture_film(const PageSource& source, const LectureFilm& film,
                               const std::string& extension, Progress& progress) {
    PageCamera camera(source, film);
    print_pages(source, film.look, progress, [&](const PrintedPage& page) { camera.take(page); });
    const Film frames = camera.make_film();
    return extension == ".png" ? write_apng(frames, film.dpi) : write_gif(frames);
}

namespace {

constexpr std::string_view kPagePlace = "{page}";

constexpr std::array<LectureFormat, 5> kFormats{{
    {".pdf", "PDF, a document"},
    {".html", "HTML, read with the pointer"},
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

std::vector<std::string> write_lecture_export(const PageSource& source, const LectureExport& what,
                                              Progress& progress) {
    const std::vector<std::filesystem::path> files =
        exported_files(what, source.lecture.pages.size());
    const std::string_view format = lecture_format_of(what.file).extension;
    const PrintLook look = print_look(what);
    make_parent_folder(what.file);
    if (format == ".html") {
        write_file(files.front(), write_handout_html(source, look, progress));
        return {};
    }
    if (format == ".gif") {
        const LectureFilm film{.look = look, .page_secs = what.page_secs, .dpi = print_dpi(what)};
        write_file(files.front(), write_lecture_film(source, film, std::string(format), progress));
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
