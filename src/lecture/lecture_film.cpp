#include "lecture/lecture_film.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "io/pictures/figure_png.h"
#include "io/pictures/figure_text.h"
#include "io/pictures/film.h"
#include "lecture/page/page_transition.h"

namespace headlight {
namespace {

constexpr float kFilmFrameSecs = 0.1f;

std::size_t count_frames(double secs) {
    return static_cast<std::size_t>(std::max(1.0, std::round(secs / kFilmFrameSecs)));
}

/// Collects the pictures of all pages, and which one each frame shows.
class PageCamera {
  public:
    PageCamera(const PageSource& source, const LectureFilm& film) : source_(source), film_(film) {}

    void take(const PrintedPage& page) {
        const Workspace* space = page.open.space;
        if (space && space->page && space->whole) shoot_transition(page);
        add(page.figure, count_frames(film_.page_secs));
        before_ = space ? space->session.history().shared_document() : nullptr;
        trace_before_ = space ? space->whole : nullptr;
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

    /// The numbers on their way, and at the end the page as it is.
    void shoot_transition(const PrintedPage& page) {
        const double secs = page_animation_secs(page.written);
        Workspace& space = *page.open.space;
        const std::shared_ptr<const Document> after = space.session.history().shared_document();
        if (!before_ || !trace_before_ || secs <= 0) return;
        const std::shared_ptr<const Trace> trace = space.whole;
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

}  // namespace headlight
