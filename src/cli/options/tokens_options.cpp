#include "cli/options/tokens_options.h"

namespace headlight {

void add_tokens_options(Options command, ListTokens& tokens) {
    command.argument(
        "FOLDER", tokens.folder,
        "A model's folder, with tokenizer.json, vocab.txt, or vocab.json and merges.txt");
    command.argument("TEXT", tokens.text, "What is split into tokens");
    command.optional_argument("SECOND", tokens.second, "Another text, for models that read two");
    command.flag("--no-specials", tokens.omits_specials,
                 "Without the tokens that the model puts around a text, such as [CLS]");
    command.flag("--json", tokens.json, "For programs");
    command.example("  headlight tokens models/gpt2 \"The cat was tired\"");
}

}  // namespace headlight
