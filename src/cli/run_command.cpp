// headlight run: values by path, with or without values from elsewhere.
#include "cli/commands.h"
#include "cli/open_study.h"
#include "cli/set_values.h"
#include "cli/tensor_names.h"
#include "io/archives.h"
#include "io/file.h"

namespace headlight {

void run_study(const RunStudy& options, const Streams& streams) {
    const ArchiveFormat format = archive_format_for(options.output);
    Document document = open_for_numbers(options.study, streams);
    std::vector<std::filesystem::path> inputs = files_read_by(document);
    inputs.insert(inputs.end(), options.settings.begin(), options.settings.end());
    inputs.emplace_back(options.study);
    check_is_no_input(options.output, inputs);
    for (const std::string& file : options.settings) {
        const std::string source = path_text(file);
        set_values(document, archive_format_for(file).read(read_file(file), source), source);
    }
    const Watched watched{.everything = options.tensors.empty(), .globs = options.tensors};
    const Trace trace = sentence_of(evaluate_study(document, watched, streams), options.sentence);
    std::vector<const Tensor*> tensors;
    for (const TensorId id : tensors_matching(trace, options.tensors))
        tensors.push_back(&trace[id]);
    write_file(options.output, write_archive(format, tensors));
}

}  // namespace headlight
