#include "cli/options/export_options.h"

#include "cli/export_views.h"

namespace headlight {

void add_export_options(Options& command, ExportStudy& options) {
    command.argument("STUDY", options.study, "A *.headlight file");
    command.list("--tensor", options.choice.matrices, "GLOB",
                 "Matrices by their paths (* any text, ? any character); may be repeated");
    command.add({"--what", "A view of the study instead of matrices", view_words(),
                 "is not one of " + view_words(), [&options](const std::string& text) {
                     options.what = text;
                     return is_view_word(text);
                 }});
    command.add({"--motion",
                 "A film: walk, the steps of a part as slides; or a number's way there and back, "
                 "layer.attention.temperature=0.2:4, 'embed[0,3]=-1:1'",
                 "walk|NUMBER=FROM:TO", "is empty", [&options](const std::string& text) {
                     options.choice.film.motion = text;
                     return !text.empty();
                 }});
    command.number("--frames", options.choice.film.n_frames, 2, 1000,
                   "Of a number, from one end to the other");
    command.add({"--frame-secs",
                 "How long each frame of a film is shown [2 for a walk, otherwise 0.08]", "NUMBER",
                 "is not a number from 0.02 to 60", [&options](const std::string& text) {
                     const auto secs = number_between(text, 0.02f, 60.0f);
                     options.choice.film.frame_secs = secs.value_or(0);
                     return secs.has_value();
                 }});
    command.output(options.output,
                   ".png, .svg, .pdf or .gif; .csv, .tsv, .npy, .tex or .md of one matrix; .npz, "
                   ".safetensors or .json of many. {path}, {layer}, {head} and {name} in it make "
                   "one file for each matrix, {frame} one for each frame of a film");
    command.flag("--caption", options.choice.has_caption,
                 "Beside FILE also FILE.txt: the study, the version, the command");
    command.flag("--watch", options.watches,
                 "Export again whenever the study changes, until Ctrl+C");
    command.example(
        "  headlight export tired.headlight --tensor blocks.0.attn.heads.0.pattern "
        "-o pattern.pdf --width 85mm --type 7pt\n"
        "  headlight export tired.headlight --tensor '*.pattern' -o 'fig/{path}.svg'\n"
        "  headlight export tired.headlight --what heads -o heads.png --dpi 300");
}

}  // namespace headlight
