#include "views/training_film.h"

#include <cmath>
#include <fmt/format.h>

#include "core/error.h"
#include "figure/figure_parts.h"
#include "figure/number_format.h"
#include "io/pictures/figure_text.h"
#include "io/pictures/film.h"
#include "io/pictures/png_image.h"
#include "model/evaluate.h"
#include "views/export/film_figures.h"
#include "views/listed_heads.h"
#include "views/training_curves.h"

namespace headlight {
namespace {

constexpr float kWidth = 720, kPad = 16, kTitle = 40, kCurves = 170, kRow = 150;
constexpr float kFrame_secs = 0.12f;
constexpr std::size_t kLastFrames = 14;  // the last one is repeated so often

/// Returns the snapshot with only what was known at that step; the curves have room until the last
/// one.
TrainingSnapshot until(const TrainingSnapshot& snapshot, long step, long last) {
    TrainingSnapshot then;
    then.step = step;
    then.n_steps = last;
    then.commonest = snapshot.commonest;
    for (const CurvePoint& point : snapshot.curve)
        if (point.step <= step) then.curve.push_back(point);
    for (const HeldOutPoint& point : snapshot.tests)
        if (point.step <= step) then.tests.push_back(point);
    return then;
}

}  // namespace

TrainingFilm::TrainingFilm(std::string title, long last_step, std::size_t n_frames)
    : title_(std::move(title)) {
    for (std::size_t k = 0; k < n_frames; ++k) {
        const double share = static_cast<double>(k) / static_cast<double>(n_frames - 1);
        const long step = std::lround(share * share * static_cast<double>(last_step));
        if (steps_.empty() || step > steps_.back()) steps_.push_back(step);
    }
}

void TrainingFilm::add(long step, SharedWeights weights) {
    if (!frames_.empty() && frames_.back().step >= step) return;  // the training went back
    frames_.push_back({step, std::move(weights)});
    while (is_due(step)) ++next_;
}

std::string TrainingFilm::bytes(const std::filesystem::path& file, const Document& study,
                                const TrainingSnapshot& snapshot) const {
    check_is_film(file.string());
    const Theme& theme = theme_named(ThemeName::Light);
    const MeasureText measure = pango_measure();
    std::optional<Trace> trace;
    std::vector<Figure> figures;
    for (const Frame& frame : frames_) {
        Document document = study;
        document.weights = frame.weights;
        const Plan planned = *plan(document);
        trace = evaluate(document, trace ? &*trace : nullptr,
                         {.everything = false, .globs = head_globs(planned)});
        const Components components = make_components(*trace);
        const std::vector<const Component*> attentions = all_attentions(components);
        if (attentions.empty()) throw Error(file.string(), "the network has no head to film");
        const Selection selection;
        const Scene scene{document, *trace, components, selection, theme};
        const float height = kRow * static_cast<float>(attentions.size()) + 40;
        Figure figure{kWidth, kTitle + kCurves + height + kPad, {}};
        figure.add(TextMark{{kPad, 26}, title_, 15, theme.text, Font::Bold});
        figure.add(TextMark{
            {kWidth - kPad, 26},
            fmt::format("step {} of {}", format_count(frame.step), format_count(snapshot.n_steps)),
            13,
            theme.muted,
            Font::Regular,
            Align::End});
        CurvesInput curves =
            training_curves(until(snapshot, frame.step, frames_.back().step), frame.step, theme);
        curves.width = kWidth - 2 * kPad;
        curves.height = kCurves - 8;
        add_part(figure, curves_figure(curves, theme, measure).figure, {kPad, kTitle});
        FigureLook look;
        look.room = Point{kWidth, height};
        add_part(figure, all_heads_picture(scene, look, measure), {0, kTitle + kCurves});
        figures.push_back(std::move(figure));
    }
    if (figures.empty()) throw Error(file.string(), "there is no step to film");
    FigureLook look;
    look.dpi = 96;
    const FigureSheet sheet = sheet_for(figures.front(), look, theme.card);
    const Film film{figures.size() + kLastFrames, kFrame_secs, [&](std::size_t i) {
                        return rasterize(figures[std::min(i, figures.size() - 1)], sheet);
                    }};
    return at_once(file.extension() == ".png" ? write_apng(film, sheet.dpi) : write_gif(film));
}

}  // namespace headlight
