// headlight run: values by path, with or without values from elsewhere.
#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/operations/analysis_operations.h"
#include "expression/item_names.h"
#include "io/arrays/stored_array.h"
#include "io/exporters.h"
#include "io/files/file.h"
#include "model/changes.h"
#include "model/document.h"
#include "model/evaluate.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// True for a matrix that takes more than about a second, and is only looked at now and then: the
/// greatest flow of every pair of words through every pair of every layer.
bool is_costly(const PlannedTensor& tensor) {
    constexpr double kMostSteps = 1 << 25;
    const auto pairs = [](const PlannedTensor& t) {
        return static_cast<double>(t.rows.size) * static_cast<double>(t.columns.size);
    };
    return tensor.operation == &operations::attention_flow &&
           pairs(tensor) * pairs(tensor) * static_cast<double>(tensor.inputs.size()) > kMostSteps;
}

/// Returns all tensors but those that are costly; nothing, which stands for all, where none is.
std::vector<std::string> all_but_costly(const Document& document, const Streams& streams) {
    const std::shared_ptr<const Plan> planned = plan(document);
    std::set<std::string> globs;
    std::string left_out;
    for (const PlannedTensor& tensor : planned->tensors())
        if (is_costly(tensor)) append_part(left_out, ", ", tensor.path);
    if (left_out.empty()) return {};
    for (const PlannedTensor& tensor : planned->tensors()) {
        const std::string first = tensor.path.substr(0, tensor.path.find('.'));
        const bool has_costly = left_out.starts_with(first + ".");
        if (!has_costly) globs.insert({first, first + ".*"});
        if (has_costly && !is_costly(tensor)) globs.insert(tensor.path);
    }
    write_note(streams,
               fmt::format("{} takes long to compute and is left out; --tensor {} computes it",
                           left_out, left_out));
    std::erase_if(globs, [&](const std::string& glob) {
        return std::ranges::none_of(planned->tensors(),
                                    [&](const PlannedTensor& t) { return matches(glob, t.path); });
    });
    return {globs.begin(), globs.end()};
}

}  // namespace

void run_study(const RunStudy& options, const Streams& streams) {
    const ArchiveFormat format = archive_format_for(options.output);
    Document document = open_for_numbers(options.study, streams);
    const std::optional<Index> sentence = take_recorded_text(document, options.sentence);
    make_changes(document, options.changes, streams);
    std::vector<std::filesystem::path> inputs = files_read_by(document, options.study);
    const std::vector<std::filesystem::path> read = options.changes.files();
    inputs.insert(inputs.end(), read.begin(), read.end());
    inputs.emplace_back(options.study);
    check_is_no_input(options.output, inputs);
    const std::vector<std::string> globs =
        options.tensors.empty() ? all_but_costly(document, streams) : options.tensors;
    const Watched watched{.everything = globs.empty(), .globs = globs};
    const Trace trace = sentence_page(evaluate_study(document, watched, streams), sentence);
    std::vector<const Tensor*> tensors;
    for (const TensorId id : tensors_matching(trace, globs)) tensors.push_back(&trace[id]);
    write_file(options.output, write_archive(format, tensors));
}

void add_run_options(Options command, RunStudy& run) {
    command.argument("STUDY", run.study, "A *.headlight file");
    command.list("--tensor", run.tensors, "GLOB",
                 "Only paths that match this (* any text, ? any character); may be repeated");
    command.output(run.output, ".npz, .safetensors or .json");
    add_sentence(command, run.sentence);
    add_change_options(command, run.changes);
    command.example("  headlight run tired.headlight --tensor '*.pattern' -o patterns.npz");
}

}  // namespace headlight
