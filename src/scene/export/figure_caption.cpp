#include "scene/export/figure_caption.h"

#include "io/studies/study.h"
#include "paint/figures/tensor_figure.h"
#include "paint/words/plain_formula.h"
#include "scene/export/export_arguments.h"
#include "scene/figures/shown_origin.h"

namespace headlight {
std::string figure_caption(const Scene& scene, const ExportChoice& choice) {
    const Tensor& tensor = scene.trace.at(scene.selection.chosen);
    std::string origin = shown_origin(scene);
    if (!origin.empty()) origin = "\n" + origin;
    return tensor_title(tensor) + "\n" + plain_formula(tensor.equation()) + "\n" +
           shape_text(tensor.rows().size, tensor.columns().size) + "  " +
           tensor_caption(scene.trace, tensor) + origin +
           "\n\nMade with Headlight " HEADLIGHT_VERSION " by\n" + export_command(scene, choice) +
           "\nof this study:\n\n" + write_study(scene.document);
}

}  // namespace headlight
