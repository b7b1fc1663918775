// headlight new: studies from a sentence, two, a graph, a picture, or ready ones.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "cli/options.h"
#include "core/error.h"
#include "graph/built_in_graphs.h"
#include "graph/node_table.h"
#include "io/arrays/recording.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/models/open_model.h"
#include "io/studies/ready_studies.h"
#include "io/studies/recipe_file.h"
#include "io/studies/study.h"
#include "model/joined_pieces.h"
#include "model/next_word.h"
#include "model/pretrained.h"
#include "model/settings/setting_names.h"
#include "model/weight_origin.h"
#include "text/words.h"

namespace headlight {
namespace {

/// Returns the graph of a file that can be opened as one.
Graph graph_from(const std::string& file, Directed directed, const Streams& streams) {
    Document document = open_study(file, streams, {.directed = directed});
    if (!document.graph()) throw Error(path_text(file), "holds no graph");
    return std::move(document.graph()->graph);
}

void take_features(Graph& graph, const std::string& file, const Streams& streams) {
    ReadGraph read{std::move(graph), {}};
    add_features(read, read_node_table(read_file(file), path_text(file)));
    graph = std::move(read.graph);
    const std::string notes = notes_text(read.notes);
    if (!notes.empty()) write_note(streams, fmt::format("{}: {}", path_text(file), notes));
}

/// Returns a pair as one text, with the separator between the two, if that is what the model makes
/// of it.
std::string pair_text(const PretrainedModel& model, const std::string& first,
                      const std::string& second) {
    const auto pieces = [](const std::vector<Token>& tokens) {
        std::vector<PieceId> ids;
        for (const Token& token : tokens) ids.push_back(token.id);
        return ids;
    };
    const std::string text = fmt::format("{} {} {}", first, kPartSeparator, second);
    const Tokenizer* tokenizer = model.tokenizer.get();
    const bool reads_pairs =
        tokenizer && tokenizer->find_id(kPartSeparator) &&
        pieces(tokenizer->encode(text)) == pieces(tokenizer->encode_pair(first, second));
    if (!reads_pairs)
        throw Error(model.name, "reads no pairs of texts: it has no {} between them",
                    kPartSeparator);
    return text;
}

Document text_study(const OpenedModel& model, const NewModel& options, const Streams& streams) {
    std::string text = options.input.value_or(std::string(kFirstText));
    if (!options.input)
        write_note(streams, fmt::format("{}: no text is given; it reads \"{}\"",
                                        path_text(options.folder), text));
    if (options.second) text = pair_text(*model.weights->model, text, *options.second);
    return options.target ? model_study(model, std::move(text), *options.target)
                          : model_study(model, std::move(text));
}

/// Returns the graph that a model is to read.
Graph graph_for(const NewModel& options, const Streams& streams) {
    if (!options.input)
        throw Error(path_text(options.folder),
                    "is a model of graphs: give the file of a graph after the folder");
    const Directed directed = options.directed ? Directed::Yes : Directed::No;
    Graph graph = graph_from(*options.input, directed, streams);
    if (options.features) take_features(graph, *options.features, streams);
    if (graph.has_weights())
        write_note(streams, path_text(*options.input) + ": the model reads no weights of edges");
    return graph;
}

/// Notes options that have no effect because the graph itself dictates them.
void note_idle(const NewGraph& options, const GraphStudy& graph, const Streams& streams) {
    const auto is_given = [&](const char* key) {
        return std::ranges::find(options.study.given, key) != options.study.given.end();
    };
    if (is_given("d_in") && graph.graph.n_features() > 0)
        write_note(streams, "--d-in has no effect: the graph brings its features");
    if (is_given("d_edge") && graph.layer.d_edge > 1 && graph.graph.has_weights())
        write_note(streams,
                   "--d-edge has no effect beyond on and off: the edges' weights take "
                   "its place");
}

/// Notes which matrices of a network the weights of a file leave open. Throws Error if none fits.
void check_fit(const Document& document, const std::string& task, const std::string& file,
               const Streams& streams) {
    const std::shared_ptr<const Plan> made = plan(document);
    const StoredWeights fit = count_stored(*made);
    if (fit.n_stored == 0) throw Error(file, "has no matrix that fits the network of {}", task);
    if (fit.n_stored < fit.n_all)
        write_note(streams,
                   fmt::format("{}: {} of the {} weights of {}{} not in it: drawn from seed {}",
                               file, fit.n_all - fit.n_stored, fit.n_all, task,
                               fit.n_all - fit.n_stored == 1 ? " is" : " are", document.seed));
    write_notes(streams, "", weight_notes(*made, document.weights, document.seed));
}

/// Returns the network that the weights were trained in.
Document study_with(const TaskEntry& task, const std::filesystem::path& weights,
                    const Streams& streams) {
    const std::optional<Recipe> recipe = find_recipe_in(weights);
    if (recipe && recipe->task != task.name)
        throw Error(path_text(weights), "was trained for {}, not {}", recipe->task, task.name);
    if (recipe) return open_trained(weights);
    SharedWeights given = read_weights(weights);
    const std::string own = fmt::format("trained: {},", task.title);
    if (given->origin.starts_with("trained: ") && !given->origin.starts_with(own))
        write_note(streams, fmt::format("{}: these weights are not of {}; they are {}",
                                        path_text(weights), task.name, given->origin));
    return trained_study(task, std::move(given));
}

const ReadyStudy& translation_by(AlignmentMechanism mechanism, const ReadyStudy& preset) {
    const bool is_transformer = mechanism == AlignmentMechanism::Transformer;
    if (preset.name != "translation" || mechanism == AlignmentMechanism::Cross)
        throw Error("new " + preset.name,
                    "--mechanism says what translates: `headlight new translation` is recurrent, "
                    "or a transformer");
    return is_transformer ? *find_ready_study("translation-transformer") : preset;
}

/// Takes the text, and the target that is given or else written.
void take_texts(Document& document, const std::string& name, const ReadyArguments& given) {
    AlignmentStudy* alignment = document.alignment();
    if (given.target && !alignment)
        throw Error("new " + name, "has no target; only studies of two texts have one");
    if (given.text && !alignment && !document.sentence())
        throw Error("new " + name, "is not about a sentence that could be given");
    if (given.target) alignment->target = *given.target;
    if (!given.text) return;
    if (!alignment) {
        document.sentence()->text = *given.text;
        return;
    }
    alignment->source = *given.text;
    if (given.target) return;
    if (!can_translate(document))
        throw Error("new " + name, "was not trained to translate; give the --target, too");
    document = translated(std::move(document));
}

}  // namespace

void new_study(const NewStudy& options, const Streams& streams) {
    static_cast<void>(plan(options.document));  // one that cannot be evaluated is not written
    for (const std::string& sentence : idle_settings(options.document.study, options.given))
        write_note(streams, sentence);
    write_notes(streams, "", training_notes(options.document));
    if (!options.output) {
        streams.out << write_study(options.document);
        return;
    }
    check_is_no_input(*options.output, options.inputs);
    check_is_no_input(*options.output, files_read_by(options.document));
    save_document(*options.output, options.document, Backup::Keep);
}

void new_ready(const NewReady& options, const Streams& streams) {
    const ReadyArguments& given = options.arguments;
    const ReadyStudy& preset =
        given.mechanism ? translation_by(*given.mechanism, options.preset) : options.preset;
    NewStudy study = options.study;
    const std::string name = preset.name;
    study.document =
        given.weights ? study_with(task_named(name), *given.weights, streams) : preset.make();
    take_texts(study.document, name, given);
    if (given.weights) {
        study.inputs = {*given.weights};
        check_fit(study.document, name, path_text(*given.weights), streams);
    } else if (given.text) {
        write_notes(
            streams, "",
            weight_notes(*plan(study.document), study.document.weights, study.document.seed));
    }
    if (given.n_written > 0)
        study.document =
            with_next_words(std::move(study.document), given.n_written, given.sampling);
    new_study(study, streams);
}

void new_recorded(const NewRecorded& options, const Streams& streams) {
    RecordedStudy study = open_recording(options.file, options.tokens.value_or(""));
    write_notes(streams, path_text(options.file) + ": ", study.notes);
    NewStudy made{.document = {},
                  .output = options.output,
                  .inputs = {options.file, options.tokens.value_or("")}};
    made.document.study = std::move(study);
    new_study(made, streams);
}

void new_joined(const NewJoined& options, const Streams& streams) {
    const Document pieces = open_for_numbers(options.study, streams);
    NewStudy made{.document = {}, .output = options.output, .inputs = {options.study}};
    try {
        made.document = join_pieces(pieces);
    } catch (const Error& error) {
        throw Error(path_text(options.study), error.without_name());
    }
    new_study(made, streams);
}

void new_model(const NewModel& options, const Streams& streams) {
    const OpenedModel model = open_model(options.folder);
    write_notes(streams, path_text(options.folder) + ": ", model.notes);
    const ModelInput input = input_of(model);
    if (options.target && input != ModelInput::Text)
        throw Error(path_text(options.folder), "writes no target");
    if (options.second && input != ModelInput::Text)
        throw Error(path_text(options.folder), "reads no pairs of texts");
    if ((options.features || options.directed) && input != ModelInput::Graph)
        throw Error(path_text(options.folder),
                    "reads a {}; --features and --directed are for models of graphs",
                    input == ModelInput::Text ? "text" : "picture");
    NewStudy study{.document = {}, .output = options.output};
    if (input == ModelInput::Graph) {
        study.document = model_study(model, graph_for(options, streams));
        study.inputs = {*options.input, options.features.value_or("")};
    } else if (input == ModelInput::Picture) {
        if (!options.input)
            write_note(streams, path_text(options.folder) +
                                    ": no picture is given; it reads the built-in one");
        study.document = picture_study(model, options.input.value_or(""));
        study.inputs = {options.input.value_or("")};
    } else {
        study.document = text_study(model, options, streams);
    }
    make_changes(study.document, options.changes, streams);
    new_study(study, streams);
}

void new_graph(const NewGraph& options, const Streams& streams) {
    if (options.file.has_value() == options.sentence.has_value())
        throw Error("new graph", "needs a file or --sentence \"…\", one of them");
    NewStudy study = options.study;
    GraphStudy& graph = *study.document.graph();
    const Directed directed = graph.graph.directed ? Directed::Yes : Directed::No;
    graph.graph = options.sentence ? complete_graph(split_words(*options.sentence))
                                   : graph_from(*options.file, directed, streams);
    if (options.sentence && directed == Directed::Yes)
        write_note(streams, "--directed has no effect: every word reads every other one");
    if (options.features) take_features(graph.graph, *options.features, streams);
    if (graph.graph.has_weights() && graph.layer.d_edge == 0) graph.layer.d_edge = 1;
    note_idle(options, graph, streams);
    study.inputs = {options.file.value_or(""), options.features.value_or("")};
    new_study(study, streams);
}

void new_image(const NewImage& options, const Streams& streams) {
    NewStudy study = options.study;
    if (!options.file) return new_study(study, streams);
    const Document document = open_study(*options.file, streams);
    if (!document.image()) throw Error(path_text(*options.file), "is no picture");
    ImageStudy& image = *study.document.image();
    const ImageSettings layer = image.layer;
    image = *document.image();
    const int patch = layer.patch == 1 ? image.layer.patch : layer.patch;
    image.layer = layer;
    image.layer.patch = patch;
    study.inputs = {*options.file};
    new_study(study, streams);
}

void list_presets(const Streams& streams) {
    std::size_t width = 0;
    for (const ReadyStudy& preset : ready_studies()) width = std::max(width, preset.name.size());
    for (const ReadyStudy& preset : ready_studies())
        streams.out << preset.name << std::string(width - preset.name.size(), ' ') << '\t'
                    << preset.what << '\n';
}

void add_sampling_options(Options& command, Sampling& sampling, const std::string& of) {
    command.number("--sampling-temperature", sampling.temperature, 0.0, 100.0,
                   of + ": the logits are divided by it; 0: the likeliest word");
    command.number("--draw", sampling.draws, std::uint64_t{0}, std::uint64_t{999'999},
                   of + ": another number, other words");
}

void add_ready_options(Options& command, ReadyArguments& ready) {
    command.optional_argument("NAME", ready.name, "A ready-made study; --list prints them");
    command.optional_argument("TEXT", ready.text,
                              "A sentence in place of the one that the study has");
    command.flag("--list", ready.lists, "Print the ready-made studies");
    command.optional_text("--target", ready.target,
                          "Of a translation; without it the text is translated");
    command.optional_choice("--mechanism", ready.mechanism, kAlignmentMechanismWords,
                            "What translates, with the name `translation`");
    command.optional_text("--weights", ready.weights,
                          "With the name of a task: weights that `headlight train` has made");
    command.number("--write", ready.n_written, 0, 1000,
                   "Words that the network of a sentence writes after the text");
    add_sampling_options(command, ready.sampling, "Of --write");
    command.example(
        "  headlight new --list\n"
        "  headlight new gatv2 -o gatv2.headlight\n"
        "  headlight new translation \"The new law was signed.\" -o law.headlight\n"
        "  headlight new language-model \"once upon a time\" --write 30 -o story.headlight\n"
        "  headlight new sentence \"The cat was tired\" -o tired.headlight\n"
        "  headlight new graph friends.edges -o friends.headlight");
}

void add_model_options(Options command, NewModel& model) {
    command.argument("FOLDER", model.folder,
                     "config.json, model.safetensors (or shards by index) and, for text, tokenizer "
                     "files, for pictures preprocessor_config.json");
    command.optional_argument("INPUT", model.input,
                              "What it reads: a text, a picture, or the file of a graph as "
                              "`headlight new graph` reads it; without it, a sentence or a picture "
                              "that comes with the program");
    command.optional_argument("SECOND", model.second,
                              "Of a model that reads pairs, as BERT does: the text after [SEP]");
    command.optional_text("--target", model.target,
                          "What a model with a decoder has written of it; without it, nothing yet");
    command.optional_text("--features", model.features,
                          "Of a graph: a file with a name and numbers per line");
    command.flag("--directed", model.directed,
                 "Of a graph: for an edge \"a b\" only b reads a, unless the file says otherwise");
    command.optional_output(model.output);
    add_change_options(command, model.changes, {.text = true});
    command.example(
        "  headlight new model all-MiniLM-L6-v2 \"The cat was tired.\" -o tired.headlight\n"
        "  headlight new model cora-gat cora.content -o cora.headlight\n"
        "  headlight new model vit-base-patch16-224 cat.png -o cat.headlight\n"
        "  headlight new model t5-small \"translate English to German: The cat was tired.\" "
        "--target \"Die Katze war müde.\" -o katze.headlight");
}

}  // namespace headlight
