#include "ui/figure_caption.h"

#include "core/page.h"
#include "io/json_text.h"
#include "io/study.h"
#include "paint/plain_formula.h"
#include "paint/tensor_figure.h"
#include "ui/look_words.h"

namespace headlight {
namespace {

using Words = std::vector<std::string>;

void add(Words& words, const char* option, const std::string& value) {
    words.push_back(option);
    words.push_back(value);
}

/// Only what is not as it is without the option.
template <typename Choice, std::size_t n>
void add_choice(Words& words, const char* option, Choice value,
                const ChoiceWords<Choice, n>& known) {
    if (value != Choice{}) add(words, option, std::string(word_for(known, value)));
}

void add_held(Words& words, const Scene& scene, const Tensor& tensor) {
    const Pointed& held = scene.selection.held();
    if (held.cell && held.cell->path == tensor.path) {
        add(words, "--row", std::to_string(held.cell->row));
        for (const Index row : held.focus.also) add(words, "--row", std::to_string(row));
        return add(words, "--column", std::to_string(held.cell->column));
    }
    for (const Index row : pick_of(tensor, held.focus).rows)
        add(words, "--row", std::to_string(row));
}

void add_colors(Words& words, const Scene& scene, const Tensor& tensor) {
    const PictureSettings& settings = scene.selection.scales.of(tensor.quantity);
    using Range = PictureSettings::Range;
    if (!settings.colors.empty()) add(words, "--colors", settings.colors);
    add_choice(words, "--steps", settings.scale, kColorStepWords);
    if (settings.range == Range::Fitted) add(words, "--range", "fitted");
    if (settings.range == Range::Fixed)
        add(words, "--range", number_text(settings.low) + ":" + number_text(settings.high));
    add_choice(words, "--far-out", settings.far_out, kFarOutWords);
    add_choice(words, "--numbers", settings.numbers, kNumbersWords);
    const PictureView view = scene.selection.views.of(tensor);
    if (!view.is_whole())
        add(words, "--zoom",
            number_text(view.zoom) + ":" + number_text(view.row) + ":" + number_text(view.column));
}

/// "2.0" in a command is 2.
std::string without_point(std::string number) {
    if (number.ends_with(".0")) number.resize(number.size() - 2);
    return number;
}

void add_look(Words& words, const FigureLook& look) {
    if (look.room)
        add(words, "--size", number_text(look.room->x) + "x" + number_text(look.room->y));
    if (look.width) add(words, "--width", width_text(*look.width));
    if (look.dpi != FigureLook{}.dpi) add(words, "--dpi", without_point(number_text(look.dpi)));
    add_choice(words, "--theme", look.theme, kThemeWords);
    add_choice(words, "--ground", look.ground, kGroundWords);
    add_choice(words, "--title", look.heading, kHeadingWords);
    add_choice(words, "--selection", look.selected, kSelectedWords);
}

std::string command_text(const Words& arguments, const CaptionFiles& files) {
    std::string text =
        "headlight export " + shell_word(files.study.empty() ? "study.headlight" : files.study);
    for (const std::string& word : arguments) text += " " + shell_word(word);
    if (files.film.is_on())
        text += " --motion " + shell_word(files.film.motion) + " --frames " +
                std::to_string(files.film.n_frames) + " --frame-secs " +
                without_point(number_text(files.film.secs()));
    return text + " -o " + shell_word(files.output);
}

/// True if the trace is the page of one sentence where the study has more.
bool is_one_of_several(const Scene& scene) {
    const SentenceStudy* study = scene.document.sentence();
    return study && study->text.find('\n') != std::string::npos && count_pages(scene.trace) == 1;
}

}  // namespace

Words export_arguments(const Scene& scene, FigureOf view, const FigureLook& look) {
    Words words;
    for (const NamedFigure& named : named_views())
        if (named.view == view && view != FigureOf::Matrix) add(words, "--what", named.word);
    const Tensor& tensor = scene.trace.at(scene.selection.chosen);
    add(words, "--tensor", tensor.path);
    if (is_one_of_several(scene))
        add(words, "--sentence", std::to_string(scene.selection.sentence + 1));
    if (look.selected == FigureLook::Selected::Shown) add_held(words, scene, tensor);
    add_colors(words, scene, tensor);
    add_look(words, look);
    return words;
}

std::string shell_word(const std::string& word) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string figure_caption(const Scene& scene, FigureOf view, const FigureLook& look,
                           const CaptionFiles& files) {
    const Tensor& tensor = scene.trace.at(scene.selection.chosen);
    return tensor_title(tensor) + "\n" + plain_formula(tensor.equation) + "\n" +
           shape_text(tensor.rows.size, tensor.columns.size) + "  " +
           tensor_caption(scene.trace, tensor) +
           "\n\nMade with Headlight " HEADLIGHT_VERSION " by\n" +
           command_text(export_arguments(scene, view, look), files) + "\nof this study:\n\n" +
           write_study(scene.document);
}

}  // namespace headlight
