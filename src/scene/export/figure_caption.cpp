#include "scene/export/figure_caption.h"

#include <algorithm>

#include "io/studies/study.h"
#include "paint/figures/tensor_figure.h"
#include "paint/words/plain_formula.h"
#include "scene/export/export_arguments.h"
#include "scene/export/sweep_words.h"
#include "scene/figures/panels_view.h"
#include "scene/figures/view_figure.h"
#include "scene/readout/done_sweep.h"
#include "scene/tables/view_table.h"

namespace headlight {
namespace {

std::string name_of_view(FigureOf view) {
    const auto named = std::ranges::find(named_views(), view, &NamedFigure::view);
    return named->name;
}

/// The matrix, or each of several after its letter.
std::string titles_text(const Scene& scene, const Tensor& tensor, FigureOf view) {
    if (view != FigureOf::Panels) return tensor_title(tensor);
    const ShownPanels panels = list_panels(scene, FigureLook::Heading::Shown);
    std::string text;
    for (std::size_t k = 0; k < panels.shown.size(); ++k) {
        const std::string& title = panels.input.panels[k].titles.front();
        const std::string& path = panels.shown[k].path;
        text += (k > 0 ? "\n" : "") + panel_letter(k) + " " + title;
        if (title.find(path) == std::string::npos) text += " · " + path;
    }
    return text;
}

/// Equation and shape of a matrix; of a sweep or a table what it is.
std::string what_is_shown(const Scene& scene, FigureOf view) {
    if (has_table(view) && view != FigureOf::Heads) {
        const Table table = view_table(scene, view).table;
        return name_of_view(view) + "\n" + table.caption;
    }
    const std::vector<std::string> panels =
        view == FigureOf::Panels ? panel_paths(scene) : std::vector<std::string>{};
    const Tensor& tensor = scene.trace.at(panels.empty() ? scene.selection.chosen : panels.front());
    return titles_text(scene, tensor, view) + "\n" + plain_formula(tensor.equation()) + "\n" +
           shape_text(tensor.rows().size, tensor.columns().size) + "  " +
           tensor_caption(scene.trace, tensor);
}

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
    made += why.empty()
                ? "which leaves out the sweep:\n" + export_command(scene, alone) + "\n"
                : "which leaves out the sweep; no command makes it again, since " + why + "\n";
    return made + "of this study:";
}

}  // namespace

std::string figure_caption(const Scene& scene, const ExportChoice& choice) {
    std::string origin = view_origin(scene, choice.view);
    if (!origin.empty()) origin = "\n" + origin;
    return what_is_shown(scene, choice.view) + origin +
           "\n\nMade with Headlight " HEADLIGHT_VERSION + how_it_was_made(scene, choice) + "\n\n" +
           write_study(document_shown(scene, choice.view));
}

}  // namespace headlight
