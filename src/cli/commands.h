// The commands, as functions of their options, and the arguments that set these options.
//
// Goals: a command reads a study, evaluates it once, and writes a file or text. If it throws Error,
// it has written nothing. Not goals: parsing arguments (command_line.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/changes.h"
#include "cli/options.h"
#include "cli/output.h"
#include "figure/figure_look.h"
#include "io/studies/ready_studies.h"
#include "model/document.h"
#include "model/next_word.h"
#include "views/export/export_work.h"
#include "views/view_state.h"

namespace headlight {

struct ReadyArguments {
    bool lists = false;                              // only print the studies
    std::optional<std::string> name, text, weights;  // weights: a file
    std::optional<std::string> target;            // of a translation; absent: decoded from the text
    std::optional<AlignmentMechanism> mechanism;  // of the task "translation"
    int n_written = 0;                            // words after the text, by a language model
    Sampling sampling = {};                       // of these
};

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

/// A study of the attention between the words of another one, whose tokens are pieces of words.
struct NewJoined {
    std::string study;
    std::optional<std::string> output;
};
void new_joined(const NewJoined& options, const Streams& streams);

void list_presets(const Streams& streams);  // a line each: name, tab, what to look at

/// One tensor a line: path, rows, columns, equation, with a tab between them. Blanks after the
/// first two tabs right-align the numbers on a terminal.
struct ListTensors {
    std::string study;
    Changes changes;
    bool json = false;
    std::optional<Index> sentence;  // which sentence, from 1; absent: all, stacked
};
void list_tensors(const ListTensors& options, const Streams& streams);

/// One sequence of words a line, tabs between them: each sentence; a source and its target, in free
/// running that which is written. Throws Error if the study is not about words.
struct ListWords {
    std::string study;
    Changes changes;
    bool json = false;  // a list of lists
};
void list_words(const ListWords& options, const Streams& streams);

/// Writes every tensor, or those that match a glob, to an archive.
struct RunStudy {
    std::string study;
    std::vector<std::string> tensors;  // globs; none: every tensor
    std::string output;                // .npz, .safetensors, .json
    std::optional<Index> sentence;
    Changes changes;
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
    std::optional<RotaryPairs>
        rotary_pairs;  // absent: by the source; see model/imports/import_choice.h
    std::optional<std::string> output;
};
void import_matrices(const ImportMatrices& options, const Streams& streams);

/// The contents and the file of an export of a study.
struct ExportStudy {
    std::string study;
    ExportChoice choice;              // its view is that of `what`
    std::optional<std::string> what;  // a view by its word, or "window"; absent: the matrices
    std::string output;
    ViewState state;
    std::optional<Index> sentence;
    Changes changes;
    bool watches = false;
    std::vector<std::string> given = {};       // the options on the command line, by name
    std::vector<TextOption> of_pictures = {};  // the options that only pictures have
};
void export_study(const ExportStudy& options, const Streams& streams);

/// The distance of a tensor of B from one of A, and its place: a line for each number, its name and
/// a tab before it. The difference A − B goes into the output if there is one. Throws Error if the
/// two cannot be subtracted.
struct CompareTensors {
    std::string study_a, study_b;
    std::string tensor;                   // path in A; "": only with `heads`
    std::optional<std::string> tensor_b;  // path in B; absent: the same
    std::optional<std::string> output;
    FigureLook look;
    std::optional<Index> sentence, sentence_b;  // sentence of B; absent: the same as of A
    std::optional<std::string> text_b;          // the text that B reads; absent: its own
    bool heads = false;                         // instead: a table of every head's difference
    std::optional<std::string> sort;            // its column
    bool json = false;
    Changes changes;  // of B
};
void compare_tensors(const CompareTensors& options, const Streams& streams);

/// The arithmetic of one cell.
struct ExplainCell {
    std::string study;
    std::string tensor;                 // path
    std::string row;                    // an index, or the name of a word, a node, an edge
    std::optional<std::string> column;  // may be absent where there is only one
    std::optional<Index> sentence;
    bool json = false;
    Changes changes;
};
void explain_cell(const ExplainCell& options, const Streams& streams);

/// Reports the program's libraries and what it finds on this machine.
void report_health(const Streams& streams);

/// A study of a pretrained model and the input that it reads.
struct NewModel {
    std::string folder;
    std::optional<std::string> input;     // a text, or a file with a graph
    std::optional<std::string> second;    // of a model that reads pairs: the other text
    std::optional<std::string> target;    // of a model that writes one
    std::optional<std::string> features;  // a file with features of the graph's nodes
    bool directed = false;
    std::optional<std::string> output;
    Changes changes;
};
void new_model(const NewModel& options, const Streams& streams);

void add_ready_options(Options& command, ReadyArguments& ready);

inline constexpr const char* kModelStudy =
    "A study of what a pretrained model reads: a text, or a graph";
void add_model_options(Options command, NewModel& model);

/// `compare` must live as long as the command.
void add_compare_options(Options& command, CompareTensors& compare);

/// `explain` must live as long as the command.
void add_explain_options(Options& command, ExplainCell& explain);

/// Adds the options, but for how pictures look. `options` must live as long as the command.
void add_export_options(Options& command, ExportStudy& options);

void add_import_options(Options& command, ImportMatrices& import);

/// `run` must live as long as the command.
void add_run_options(Options command, RunStudy& run);

/// The download is printed first. Then it is asked about, unless it was said to be wanted; throws
/// Error if nobody can be asked.
struct GetModel {
    std::optional<std::string> name;    // of a known model
    std::optional<std::string> folder;  // where it goes; absent: its name, here
    std::optional<std::string> from;    // a folder, or the address of another server
    bool is_wanted = false;
    bool lists = false;  // only print the models that are known
};
void get_model(const GetModel& options, const Streams& streams);

inline constexpr const char* kGetCommand = "Download a pretrained model";
void add_get_options(Options command, GetModel& get);

/// The curves of CSV files: each column over the first one.
struct PlotCurves {
    std::vector<std::string> files;
    std::vector<std::string> columns;  // by name; none: all
    std::string output;                // a picture
    FigureLook look;
};
void plot_curves(const PlotCurves& options, const Streams& streams);

/// `plot` must live as long as the command.
void add_plot_options(Options command, PlotCurves& plot);

/// The tokens that a trained model's tokenizer makes of a text, one a line: its number, id, piece,
/// the piece as a person reads it, and the bytes of the text that it stands for.
struct ListTokens {
    std::string folder;  // of the model
    std::string text;
    std::optional<std::string> second;  // another text after it
    bool omits_specials = false;        // no [CLS] and such around the text
    bool json = false;
};
void list_tokens(const ListTokens& options, const Streams& streams);

/// `tokens` must live as long as the command.
void add_tokens_options(Options command, ListTokens& tokens);

}  // namespace headlight
