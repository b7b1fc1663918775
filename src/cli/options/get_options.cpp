#include "cli/options/get_options.h"

namespace headlight {

void add_get_options(Options command, GetModel& get) {
    command.optional_argument("NAME", get.name,
                              "The model's name, as --list prints it, or OWNER/NAME on the hub");
    command.flag("--list", get.lists, "Print the models that can be downloaded");
    command.optional_text("--folder,-o", get.folder,
                          "Where its files go; without it, a folder of its name, here");
    command.optional_text("--from", get.from,
                          "Instead of the Hugging Face hub: a server with the same addresses, or a "
                          "folder with a copy");
    command.flag("--yes", get.is_wanted, "Download without a question");
    command.example("  headlight get gpt2 -o models/gpt2");
}

}  // namespace headlight
