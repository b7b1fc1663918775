// headlight import: matrices of a file into a study.
#include "cli/commands.h"
#include "cli/open_study.h"
#include "core/error.h"
#include "io/array_file.h"
#include "io/file.h"
#include "io/printable.h"
#include "io/study.h"
#include "model/known_names.h"

namespace headlight {
namespace {

/// What was asked for, else what is guessed.
GuessedMappings chosen_mappings(const ImportMatrices& options,
                                const std::vector<ArrayShape>& shapes, const Trace& plan) {
    if (options.mappings.empty()) return guess_mappings(shapes, plan);
    GuessedMappings chosen;
    for (const std::string& text : options.mappings)
        chosen.mappings.push_back(parse_mapping(text, shapes));
    return chosen;
}

const ArrayShape& shape_named(const std::vector<ArrayShape>& shapes, const std::string& name) {
    return *std::ranges::find(shapes, name, &ArrayShape::name);
}

/// One array a line: name, type, shape; below it where its parts go.
void list_arrays(const ArrayFile& file, const std::vector<ArrayShape>& shapes,
                 const GuessedMappings& chosen, const Streams& streams) {
    for (const StoredArray& array : file.arrays) {
        streams.out << printable(array.name) << '\t' << type_text(array.type) << '\t'
                    << shape_list(array.shape) << '\n';
        for (const TensorMapping& mapping : chosen.mappings)
            if (mapping.name == array.name)
                streams.out << "\t" << mapping_text(mapping, shape_named(shapes, array.name))
                            << '\n';
    }
}

}  // namespace

void import_matrices(const ImportMatrices& options, const Streams& streams) {
    Document document = open_study(options.study, streams);
    const ArrayFile file = open_arrays(options.file);
    write_notes(streams, path_text(options.file) + ": ", file.notes);
    const std::vector<ArrayShape> shapes = array_shapes(file.arrays);
    const GuessedMappings chosen = chosen_mappings(options, shapes, plan(document));
    if (options.lists) list_arrays(file, shapes, chosen, streams);
    write_notes(streams, "not imported: ", chosen.problems);
    if (options.lists) return;
    if (chosen.mappings.empty())
        throw Error(path_text(options.file),
                    "nothing in it is known to fit the study; name what goes where with --map "
                    "'NAME=PATH'");
    import_arrays(document, file, chosen.mappings);
    if (options.is_inside || !options.output) document.weights = inside(document.weights);
    new_study({std::move(document), options.output, {options.file}}, streams);
}

}  // namespace headlight
