#include "cli/options/run_options.h"

#include "cli/options/sentence_option.h"

namespace headlight {

void add_run_options(Options command, RunStudy& run) {
    command.argument("STUDY", run.study, "A *.headlight file");
    command.list("--tensor", run.tensors, "GLOB",
                 "Only paths that match this (* any text, ? any character); may be repeated");
    command.list("--set", run.settings, "FILE",
                 "Values by path (.npz, .safetensors, .json) that replace inputs and weights, "
                 "and pin computed matrices; may be repeated");
    command.output(run.output, ".npz, .safetensors or .json");
    add_sentence(command, run.sentence);
    command.example("  headlight run tired.headlight --tensor '*.pattern' -o patterns.npz");
}

}  // namespace headlight
