#include "cli/train/training_files.h"

#include <array>
#include <system_error>

#include "cli/open_study.h"
#include "cli/train/train_command.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/studies/recipe_file.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

struct Output {
    const char* option;
    fs::path file;
};

fs::path whole_path(const fs::path& file) {
    std::error_code ignored;
    return fs::weakly_canonical(fs::absolute(file, ignored), ignored);
}

void check_differ(const std::vector<Output>& outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (whole_path(outputs[i].file) == whole_path(outputs[j].file))
                throw Error(path_text(outputs[i].file), "is where {} and {} would both be written",
                            outputs[j].option, outputs[i].option);
}

void check_folder(const fs::path& file) {
    std::error_code ignored;
    if (fs::is_directory(file, ignored))
        throw Error(path_text(file), "is a folder; name a file in it");
    const fs::path folder = whole_path(file).parent_path();
    if (!fs::is_directory(folder, ignored))
        throw Error(path_text(file), "there is no folder {}", path_text(folder));
}

/// Returns the files that are read, but not the weights that a training goes on with: they may be
/// written again, as the file beside them has the earlier ones.
std::vector<fs::path> files_read(const TrainTask& options, const fs::path& output) {
    std::vector<fs::path> files;
    std::error_code ignored;
    if (options.task) files.emplace_back(*options.task);
    if (!options.begin) return files;
    const fs::path begin = *options.begin;
    const bool goes_on = fs::exists(interrupted_path(begin), ignored);
    if (!goes_on || !fs::equivalent(output, begin, ignored)) files.push_back(begin);
    return files;
}

}  // namespace

TrainingFiles::TrainingFiles(const TrainTask& options, const Streams& streams)
    : output_(options.output.value_or("")), streams_(streams) {
    std::vector<Output> outputs = {{"--output", output_},
                                   {"what is kept to go on", interrupted_path(output_)}};
    if (options.log) outputs.push_back({"--log", *options.log});
    if (options.film) outputs.push_back({"--film", *options.film});
    check_differ(outputs);
    const std::vector<fs::path> inputs = files_read(options, output_);
    for (const Output& output : outputs) check_is_no_input(output.file, inputs);
    for (const Output& output : outputs)
        if (output.file != interrupted_path(output_)) check_folder(output.file);
}

void TrainingFiles::keep(const Training& training) {
    const fs::path file = interrupted_path(output_);
    try {
        write_interrupted(
            file, {training.recipe(), static_cast<int>(training.n_shards()), training.state()});
        has_failed_ = false;
    } catch (const Error& error) {
        if (!has_failed_)
            write_note(streams_, std::string(error.what()) +
                                     "; the training goes on, and could not be resumed now");
        has_failed_ = true;
    }
}

void TrainingFiles::forget() {
    std::error_code ignored;
    fs::remove(interrupted_path(output_), ignored);
}

void TrainingFiles::write(const Weights& weights, const Recipe& recipe) const {
    try {
        return write_trained(output_, weights, recipe);
    } catch (const Error& error) {
        std::error_code ignored;
        const fs::path other = fs::temp_directory_path(ignored) / output_.filename();
        if (fs::exists(other, ignored)) throw;
        write_trained(other, weights, recipe);
        throw Error(path_text(output_), "{}; the weights are in {}", error.without_name(),
                    path_text(other));
    }
}

}  // namespace headlight
