#include "scene/export/figure_caption.h"

#include "io/studies/study.h"
#include "scene/export/export_arguments.h"
#include "scene/export/sweep_words.h"
#include "scene/export/what_is_shown.h"
#include "scene/figures/view_figure.h"
#include "scene/readout/done_sweep.h"

namespace headlight {
namespace {

/// A sweep is of the study as it was then.
const Document& document_shown(const Scene& scene, FigureOf view) {
    const bool is_sweep = view == FigureOf::Sweep && scene.sweep->order.document;
    return is_sweep ? *scene.sweep->order.document : scene.document;
}

/// True of pictures of all of the view of logits, where a sweep stands below the cards.
bool has_sweep_below(const Scene& scene, FigureOf view) {
    const bool is_seen = scene.selection.view == MiddleView::Readout;
    return scene.sweep && (view == FigureOf::Readout || (view == FigureOf::Window && is_seen));
}

/// " by" and the command, or why there is none; a sweep has a command of its own.
std::string how_it_was_made(const Scene& scene, const ExportChoice& choice) {
    const bool is_sweep = choice.view == FigureOf::Sweep;
    const std::string why = scene.sweep ? why_no_sweep_command(*scene.sweep) : "";
    if (is_sweep && !why.empty())
        return " in the window; no command makes it again, since " + why + ". It is of this study:";
    std::string made = " by\n" + export_command(scene, choice) + "\n";
    if (!has_sweep_below(scene, choice.view)) return made + "of this study:";
    ExportChoice alone = choice;
    alone.view = FigureOf::Sweep;
    alone.film = {};
    alone.file.replace_filename(choice.file.stem().string() + "-sweep" +
                                choice.file.extension().string());
    made += "which leaves out the sweep and gives the cards all the room";
    made += why.empty() ? ":\n" + export_command(scene, alone) + "\n"
                        : "; no command makes the sweep again, since " + why + "\n";
    return made + "of this study:";
}

}  // namespace

std::string figure_caption(const Scene& scene, const ExportChoice& choice,
                           const std::string& note) {
    std::string origin = view_origin(scene, choice.view);
    if (!origin.empty()) origin = "\n" + origin;
    return what_is_shown(scene, choice.view) + (note.empty() ? "" : "\n" + note) + origin +
           "\n\nMade with Headlight " HEADLIGHT_VERSION + how_it_was_made(scene, choice) + "\n\n" +
           write_study(document_shown(scene, choice.view));
}

}  // namespace headlight
