#include "cli/options/window_options.h"

#include "scene/export/look_words.h"

namespace headlight {

void add_window_options(Options& command, WindowPicture& window, std::optional<Point>& size) {
    command.optional_argument("STUDY", window.study,
                              "A *.headlight file; without it, the built-in study");
    command.output(window.output, "The picture, .png");
    command.optional_text(
        "--show", window.show,
        "A part (blocks.1.mlp), the path of a matrix, heads for all of them, or words for the "
        "lines between them");
    command.flag("--present", window.presents, "A slide of the chosen matrix, without panels");
    command.optional_number("--step", window.step, 1, 1000000,
                            "With --present: the step of the part that is shown");
    command.size(size, "Size of the picture in pixels [1600x1000]");
    command.choice("--theme", window.theme, kThemeWords, "Colours");
    command.number("--scale", window.scale, 0.5f, 4.0f, "Size of text and everything else");
    command.example("  headlight window tired.headlight -o window.png --theme dark");
}

void add_script_options(Options& command, WindowScript& script, std::optional<Point>& size) {
    static constexpr ChoiceWords<WindowScript::Speed, 2> kSpeeds = {
        {{"fast", WindowScript::Speed::Fast}, {"real", WindowScript::Speed::Real}}};
    command.argument("STUDY", script.study, "A *.headlight file, or a name of `new --list`");
    command.argument("FILE", script.script, "The script; docs/commands.md lists its lines");
    command.choice(
        "--speed", script.speed, kSpeeds,
        "As fast as possible without a display, or on the screen at the speed of people");
    command.folder("--folder", script.folder, "The folder for its pictures");
    command.size(size, "Size of the window in points [1280x800]");
    command.flag("--accept", script.accepts_pictures,
                 "Replace the expected pictures by those of the window");
    command.example("  headlight script attention demo.script --speed real");
}

}  // namespace headlight
