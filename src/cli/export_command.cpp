// headlight export: one tensor as a file.
#include "cli/commands.h"
#include "cli/open_study.h"
#include "cli/tensor_names.h"
#include "cli/write_tensor.h"

namespace headlight {

void export_one_tensor(const ExportTensor& options, const Streams& streams) {
    const Exporter& exporter = exporter_for(options.output);
    const Watched watched{.everything = false, .globs = {options.tensor}};
    const Trace trace =
        sentence_of(evaluate_study(open_study(options.study), watched, streams), options.sentence);
    write_tensor(exporter, trace, trace[tensor_named(trace, options.tensor)], options.output,
                 options.look);
}

}  // namespace headlight
