#include "cli/options/ready_options.h"

#include "model/settings/setting_words.h"

namespace headlight {

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
                   "Words that the network of a sentence writes behind the text");
    command.number("--sampling-temperature", ready.sampling.temperature, 0.0, 100.0,
                   "Of --write: the logits are divided by it; 0: the likeliest word");
    command.number("--draw", ready.sampling.draws, std::uint64_t{0}, std::uint64_t{999'999},
                   "Of --write: another number, other words");
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
                              "Of a model that reads pairs, as BERT does: the text behind [SEP]");
    command.optional_text("--target", model.target,
                          "What a model with a decoder has written of it; without it, nothing yet");
    command.optional_text("--features", model.features,
                          "Of a graph: a file with a name and numbers per line");
    command.flag("--directed", model.directed,
                 "Of a graph: for an edge \"a b\" only b reads a, unless the file says otherwise");
    command.optional_output(model.output);
    command.example(
        "  headlight new model all-MiniLM-L6-v2 \"The cat was tired.\" -o tired.headlight\n"
        "  headlight new model cora-gat cora.content -o cora.headlight\n"
        "  headlight new model vit-base-patch16-224 cat.png -o cat.headlight\n"
        "  headlight new model t5-small \"translate English to German: The cat was tired.\" "
        "--target \"Die Katze war müde.\" -o katze.headlight");
}

}  // namespace headlight
