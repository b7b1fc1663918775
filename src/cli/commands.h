// The commands, as functions of their options.
//
// Goals: a command reads a study, evaluates it once, and writes a file or text. If it throws Error,
// it has written nothing. Not goals: parsing arguments (command_line.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/ready_arguments.h"
#include "cli/output/streams.h"
#include "io/studies/ready_studies.h"
#include "model/document.h"
#include "paint/figure_look.h"
#include "scene/export/export_choice.h"
#include "scene/options/shown.h"

namespace headlight {

/// A new study of `document`, into `output` or, without one, to the results.
struct NewStudy {
    Document document;
    std::optional<std::string> output;
    std::vector<std::filesystem::path> inputs = {};  // files that the output may not replace
    std::vector<std::string> given = {};             // of settings; those without effect are noted
};
void new_study(const NewStudy& options, const Streams& streams);

/// A ready-made study, perhaps with another text or weights. A target that is not given is written
/// by the study; throws Error if it cannot.
struct NewReady {
    const ReadyStudy& preset;
    ReadyArguments arguments;
    NewStudy study;
};
void new_ready(const NewReady& options, const Streams& streams);

/// A graph study: of a file, or with all pairs of a sentence's words as edges.
struct NewGraph {
    std::optional<std::string> file, sentence;  // one of them
    std::optional<std::string> features;        // a file with the nodes' features
    NewStudy study;
};
void new_graph(const NewGraph& options, const Streams& streams);

struct NewImage {
    std::optional<std::string> file;  // a picture; absent: the built-in one
    NewStudy study;
};
void new_image(const NewImage& options, const Streams& streams);

/// A study of recorded attention.
struct NewRecorded {
    std::string file;
    std::optional<std::string> tokens;  // a file; absent: those in the file or beside it
    std::optional<std::string> output;
};
void new_recorded(const NewRecorded& options, const Streams& streams);

void list_presets(const Streams& streams);  // a line each: name, tab, what to look at

/// One tensor a line: path, rows, columns, equation, with a tab between them. Blanks after the
/// first two tabs right-align the numbers on a terminal.
struct ListTensors {
    std::string study;
    std::optional<Index> sentence;  // which sentence, from 1; absent: all, stacked
};
void list_tensors(const ListTensors& options, const Streams& streams);

/// One sequence of words a line, tabs between them: each sentence; a source and its target, in free
/// running that which is written. Throws Error if the study is not about words.
void list_words(const std::string& study, const Streams& streams);

/// Writes every tensor, or those that match a glob, to an archive.
struct RunStudy {
    std::string study;
    std::vector<std::string> tensors;   // globs; none: every tensor
    std::vector<std::string> settings;  // archives of values that replace the study's
    std::string output;                 // .npz, .safetensors, .json
    std::optional<Index> sentence;
};
void run_study(const RunStudy& options, const Streams& streams);

/// Imports matrices of a file as weights of a study. The study goes to `output` or, without one, to
/// the results; the weights are written beside it, or into it. Matrices without a given destination
/// go where their names suggest. What is set, left and unused is reported: with the results, or as
/// notes if the study goes there.
struct ImportMatrices {
    std::string study, file;
    std::vector<std::string> mappings;  // "NAME=PATH"; see tensor_mapping.h
    bool is_inside = false;             // the study holds the numbers
    bool lists = false;                 // only print what is in the file and where it would go
    bool is_strict = false;  // throws Error unless every array and every weight is mapped
    std::optional<RotaryPairs> rotary_pairs;  // absent: by the source; see rotary_source.h
    std::optional<std::string> output;
};
void import_matrices(const ImportMatrices& options, const Streams& streams);

/// What to export of a study, and where to.
struct ExportStudy {
    std::string study;
    ExportChoice choice;              // its view is that of `what`
    std::optional<std::string> what;  // a view by its word, or "window"; absent: the matrices
    std::string output;
    ShownOptions shown;
    std::optional<Index> sentence;
    bool watches = false;
    std::vector<std::string> given = {};        // the options on the command line, by name
    std::vector<std::string> of_pictures = {};  // the options that only pictures have
};
void export_study(const ExportStudy& options, const Streams& streams);

/// How far a tensor of B is from one of A, and where: a line for each number, its name and a tab
/// before it. The difference A − B goes into the output if there is one. Throws Error if the two
/// cannot be subtracted.
struct CompareTensors {
    std::string study_a, study_b;
    std::string tensor;                   // path in A; "": only with `heads`
    std::optional<std::string> tensor_b;  // path in B; absent: the same
    std::optional<std::string> output;
    FigureLook look;
    std::optional<Index> sentence, sentence_b;  // sentence of B; absent: the same as of A
    std::optional<std::string> text_b;          // what B reads; absent: its own text
    bool heads = false;                         // instead: a table of every head's difference
    std::optional<std::string> sort;            // its column
};
void compare_tensors(const CompareTensors& options, const Streams& streams);

/// The arithmetic of one cell.
enum class ExplainAs { Text, Json };
struct ExplainCell {
    std::string study;
    std::string tensor;                 // path
    std::string row;                    // an index, or the name of a word, a node, an edge
    std::optional<std::string> column;  // may be absent where there is only one
    ExplainAs form = ExplainAs::Text;
    std::optional<Index> sentence;
};
void explain_cell(const ExplainCell& options, const Streams& streams);

/// Reports the program's libraries and what it finds on this machine.
void report_health(const Streams& streams);

}  // namespace headlight
