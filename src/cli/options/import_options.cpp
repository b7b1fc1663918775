#include "cli/options/import_options.h"

namespace headlight {

void add_import_options(Options& command, ImportMatrices& import) {
    command.argument("STUDY", import.study, "A *.headlight file");
    command.argument("FILE", import.file, "NPY, NPZ, safetensors, CSV or TSV");
    command.list("--map", import.mappings, "NAME=PATH",
                 "The target of an array, instead of the guessed one: 'W[0:8].T=blocks.0.attn.W_O' "
                 "takes 8 rows, transposed; 'W=' goes nowhere; may be repeated");
    command.flag(
        "--strict", import.is_strict,
        "Refuse the file unless every array of it and every weight of the study is mapped");
    command.optional_choice(
        "--rotary-pairs", import.rotary_pairs, kRotaryPairsWords,
        "Columns that rotate together in the file's model, if the names do not imply it");
    command.flag("--inside", import.is_inside, "Keep the numbers in the study, not beside it");
    command.flag("--list", import.lists,
                 "Print the arrays of the file and their targets, and do nothing else");
    command.optional_output(import.output);
    command.example(
        "  headlight import tired.headlight attention.safetensors --list\n"
        "  headlight import tired.headlight attention.safetensors -o trained.headlight");
}

}  // namespace headlight
