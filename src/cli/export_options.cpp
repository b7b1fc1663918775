#include "cli/export_options.h"

#include "cli/export_views.h"

namespace headlight {

void add_export_options(Command& command, ExportStudy& options) {
    command.argument("STUDY", options.study, "A *.headlight file");
    command.list("--tensor", options.tensors, "GLOB",
                 "Matrices by their paths (* any text, ? any character); may be repeated");
    command.add({"--what", "A view of the study instead of matrices", view_words(),
                 "is not one of " + view_words(), [&options](const std::string& text) {
                     options.what = text;
                     return is_view_word(text);
                 }});
    command.optional_text("--part", options.part, "Of flow and layer: which one (blocks.1.mlp)");
    command.list("--row", options.rows, "ROW",
                 "Held, as if it was clicked: an index from 0, a word, a node; may be repeated");
    command.optional_text("--column", options.column, "With --row: the cell in this column");
    command.output(options.output,
                   ".png, .svg or .pdf; .csv, .tsv, .npy, .tex or .md of one matrix; .npz, "
                   ".safetensors or .json of many. {path}, {layer}, {head} and {name} in it make "
                   "one file for each matrix");
    command.flag("--caption", options.has_caption,
                 "Beside FILE also FILE.txt: the study, the version, the command");
    command.flag("--watch", options.watches, "Again whenever the study changes, until Ctrl+C");
}

}  // namespace headlight
