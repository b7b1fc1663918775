#include "scene/export/figure_caption.h"

#include "io/studies/study.h"
#include "paint/figures/tensor_figure.h"
#include "paint/words/plain_formula.h"
#include "scene/export/export_arguments.h"
#include "scene/figures/panels_view.h"
#include "scene/figures/view_figure.h"

namespace headlight {
namespace {

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

}  // namespace

std::string figure_caption(const Scene& scene, const ExportChoice& choice) {
    const bool are_panels = choice.view == FigureOf::Panels;
    const std::vector<std::string> panels =
        are_panels ? panel_paths(scene) : std::vector<std::string>{};
    const Tensor& tensor = scene.trace.at(panels.empty() ? scene.selection.chosen : panels.front());
    std::string origin = view_origin(scene, choice.view);
    if (!origin.empty()) origin = "\n" + origin;
    return titles_text(scene, tensor, choice.view) + "\n" + plain_formula(tensor.equation()) +
           "\n" + shape_text(tensor.rows().size, tensor.columns().size) + "  " +
           tensor_caption(scene.trace, tensor) + origin +
           "\n\nMade with Headlight " HEADLIGHT_VERSION " by\n" + export_command(scene, choice) +
           "\nof this study:\n\n" + write_study(scene.document);
}

}  // namespace headlight
