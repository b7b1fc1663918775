// headlight get: a pretrained model, downloaded by its name.
#include <istream>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "cli/output.h"
#include "core/error.h"
#include "download/known_models.h"
#include "download/model_download.h"
#include "io/files/file.h"
#include "io/files/folder.h"

namespace headlight {
namespace {

void list_models(std::ostream& out) {
    for (const KnownModel& model : known_models())
        out << model.name << '\t' << size_text(model.weights_bytes) << '\t' << model.what << '\t'
            << model.repository << '\t'
            << (model.sha256.empty() ? "checksum as its source says" : checksum_name(model.sha256))
            << '\n';
}

/// True if the answer is yes.
bool is_confirmed(const ModelDownload& download, const Streams& streams) {
    if (!streams.answers || !streams.terminal)
        throw Error("get", "nothing was downloaded: add --yes to say that it shall be");
    streams.out.flush();
    *streams.terminal << "Download "
                      << size_text(static_cast<std::uintmax_t>(download.size_bytes())) << " into "
                      << path_text(download.folder) << "? [y/N] " << std::flush;
    std::string answer;
    std::getline(*streams.answers, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace

void get_model(const GetModel& options, const Streams& streams) {
    if (options.lists) return list_models(streams.out);
    if (!options.name)
        throw Error("get", "needs the name of a model; `headlight get --list` prints them");
    const KnownModel model = known_model(*options.name);
    const std::filesystem::path folder = options.folder.value_or(model.name);
    Progress asking;
    const ModelDownload download = ask_for_model(model, options.from, folder, asking);
    streams.out << describe(download);
    if (!options.is_wanted && !is_confirmed(download, streams)) {
        write_note(streams, "nothing was downloaded");
        return;
    }
    {
        ProgressLine shown(streams.terminal);
        download_model(download, shown.progress());
    }
    streams.out << "opens with: headlight " << path_text(folder) << '\n';
}

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
