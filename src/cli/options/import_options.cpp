#include "cli/options/import_options.h"

namespace headlight {

void add_import_options(Options& command, ImportMatrices& import) {
    command.argument("STUDY", import.study, "A *.headlight file");
    command.argument("FILE", import.file, "NPY, NPZ, safetensors, CSV or TSV");
    command.list("--map", import.mappings, "NAME=PATH",
                 "Where an array goes, in place of what is guessed for it: 'W[0:8].T=blocks.0.attn."
                 "W_O' takes 8 rows, transposed; 'W=' goes nowhere; may be repeated");
    command.flag(
        "--strict", import.is_strict,
        "Refuse the file unless every array of it and every weight of the study is mapped");
    command.optional_choice("--rotary-pairs", import.rotary_pairs, kRotaryPairsWords,
                            "Columns that rotary positions turn together in the file's model, if "
                            "names do not say it");
    command.flag("--inside", import.is_inside, "Keep the numbers in the study, not beside it");
    command.flag("--list", import.lists,
                 "Print what is in the file and where it would go, and do nothing");
    command.optional_output(import.output);
    command.example(
        "  headlight import tired.headlight attention.safetensors --list\n"
        "  headlight import tired.headlight attention.safetensors -o trained.headlight");
}

}  // namespace headlight
