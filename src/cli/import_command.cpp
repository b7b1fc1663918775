// headlight import: matrices of a file into a study.
#include <algorithm>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "core/error.h"
#include "io/arrays/array_file.h"
#include "io/files/file.h"
#include "io/studies/study.h"
#include "model/evaluate.h"
#include "model/imports/import_choice.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Returns the guessed mappings, with those that were asked for in their places.
ImportChoice chosen_mappings(const ImportMatrices& options, const StoredArrays& arrays,
                             const std::vector<ArrayShape>& shapes, const Plan& plan) {
    std::vector<TensorMapping> said;
    for (const std::string& text : options.mappings) said.push_back(parse_mapping(text, shapes));
    ImportChoice choice = choose_mappings(guess_mappings(shapes, plan), said, shapes);
    for (UnusedArray& array : arrays_without_numbers(arrays))
        choice.unused.push_back(std::move(array));
    return choice;
}

/// Lists one array a line: name, type, shape; below it the destinations of its parts.
void list_arrays(const ArrayFile& file, const std::vector<ArrayShape>& shapes,
                 const ImportChoice& chosen, const Streams& streams) {
    for (const StoredArray& array : file.arrays) {
        streams.out << printable(array.name) << '\t' << type_text(array.type) << '\t'
                    << shape_list(array.shape) << '\n';
        for (const TensorMapping& mapping : chosen.mappings)
            if (mapping.name == array.name)
                streams.out << "\t"
                            << mapping_text(mapping, *std::ranges::find(shapes, array.name,
                                                                        &ArrayShape::name))
                            << '\n';
    }
}

/// Returns "in_proj_weight (24 × 8): the study has no …".
std::string unused_text(const UnusedArray& array, const std::vector<ArrayShape>& shapes) {
    const auto shape = std::ranges::find(shapes, array.name, &ArrayShape::name);
    return fmt::format("{}: {}", printable(shape == shapes.end() ? array.name : described(*shape)),
                       array.why);
}

void check_all_is_mapped(const ImportMatrices& options, const ImportChoice& choice,
                         const WeightsLeft& left, const std::vector<ArrayShape>& shapes) {
    std::string missing;
    for (const UnusedArray& array : choice.unused)
        missing += "\n  of the file: " + unused_text(array, shapes);
    if (!left.weights.empty()) missing += "\n  of the study: " + list_of_paths(left.weights);
    if (missing.empty()) return;
    throw Error(path_text(options.file),
                "--strict: not everything is mapped; map an array with --map 'NAME=PATH', or leave "
                "it out with --map 'NAME=':{}",
                missing);
}

}  // namespace

void import_matrices(const ImportMatrices& options, const Streams& streams) {
    Document document = open_study(options.study, streams);
    const ArrayFile file = open_arrays(options.file);
    write_notes(streams, path_text(options.file) + ": ", file.notes);
    const std::vector<ArrayShape> shapes = array_shapes(file.arrays);
    const std::shared_ptr<const Plan> planned = plan(document);
    const ImportChoice chosen = chosen_mappings(options, file.arrays, shapes, *planned);
    const WeightsLeft left = weights_left(document, *planned, chosen.mappings);
    if (options.is_strict && !options.lists) check_all_is_mapped(options, chosen, left, shapes);
    if (options.lists) list_arrays(file, shapes, chosen, streams);
    std::vector<std::string> unused;
    for (const UnusedArray& array : chosen.unused) unused.push_back(unused_text(array, shapes));
    write_notes(streams, "not imported: ", unused);
    if (options.lists) return;
    if (chosen.mappings.empty())
        throw Error(path_text(options.file),
                    "no array is known to fit the study; map arrays with --map 'NAME=PATH'");
    std::vector<std::string> summary = import_summary(chosen, left, document.seed);
    if (const auto pairs = rotary_pairs_for(document, shapes, options.rotary_pairs)) {
        set_rotary_pairs(document, *pairs);
        summary.push_back(rotary_reason(*pairs, shapes));
    }
    import_arrays(document, file, chosen.mappings);
    if (options.is_inside || !options.output) document.weights = inside(document.weights);
    new_study({std::move(document), options.output, {options.file}}, streams);
    for (const std::string& line : summary)
        if (options.output)
            streams.out << printable(line) << '\n';
        else
            write_note(streams, printable(line));
}

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
