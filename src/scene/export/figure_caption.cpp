#include "scene/export/figure_caption.h"

#include "io/studies/study.h"
#include "paint/figures/tensor_figure.h"
#include "paint/words/plain_formula.h"
#include "scene/figures/shown_origin.h"

namespace headlight {
namespace {

std::string command_text(const std::vector<std::string>& arguments, const CaptionFiles& files) {
    std::string text =
        "headlight export " + shell_word(files.study.empty() ? "study.headlight" : files.study);
    for (const std::string& word : arguments) text += " " + shell_word(word);
    if (files.film.is_on())
        text += " --motion " + shell_word(files.film.motion) + " --frames " +
                std::to_string(files.film.n_frames) + " --frame-secs " +
                option_number(files.film.secs());
    return text + " -o " + shell_word(files.output);
}

}  // namespace

std::string figure_caption(const FigureOrigin& figure, const CaptionFiles& files) {
    const Scene& scene = figure.scene;
    const Tensor& tensor = scene.trace.at(scene.selection.chosen);
    std::string origin = shown_origin(scene);
    if (!origin.empty()) origin = "\n" + origin;
    return tensor_title(tensor) + "\n" + plain_formula(tensor.equation()) + "\n" +
           shape_text(tensor.rows().size, tensor.columns().size) + "  " +
           tensor_caption(scene.trace, tensor) + origin +
           "\n\nMade with Headlight " HEADLIGHT_VERSION " by\n" +
           command_text(export_arguments(figure), files) + "\nof this study:\n\n" +
           write_study(scene.document);
}

}  // namespace headlight
