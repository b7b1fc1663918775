// The weights of a study as a file: safetensors, whose metadata say where the numbers come from and
// which rows belong to which words.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "io/files/file.h"
#include "io/files/open_file.h"
#include "io/studies/study.h"
#include "model/document.h"

namespace headlight {

using Metadata = std::map<std::string, std::string>;
struct WeightsFile {
    bool keeps_old = false;  // as a backup
    Metadata metadata = {};  // further texts of its header
};
/// Writes weights whole or not at all, without copying them in memory. Throws Error; then the old
/// file is as it was.
void write_weights(const std::filesystem::path& file, const Weights& weights,
                   const WeightsFile& options = {});
/// Writes weights to a new file that only its owner may read; returns it open and locked.
Descriptor write_own_weights(const std::filesystem::path& file, const Weights& weights);

/// Reads weights. Throws Error, naming the file.
SharedWeights read_weights(const std::filesystem::path& file);
SharedWeights read_weights(const ByteSource& bytes);

/// Reads weights with this checksum from the file, or from its backup. Throws Error if neither has
/// them: it is missing, broken, or was changed.
SharedWeights read_weights(const std::filesystem::path& file, std::uint64_t checksum);

/// Returns "bert.weights.safetensors" for "bert.headlight".
std::filesystem::path weights_path(const std::filesystem::path& study);

/// Reads the weights of a study that was read from a file in `folder`.
void open_weights(Document& document, const std::filesystem::path& folder);

/// Writes a study, and its weights beside it unless they are there already or go into it. Returns
/// the bytes of the study. Throws Error; then the study in the file is as it was.
std::string save_document(const std::filesystem::path& file, const Document& document,
                          Backup backup = Backup::None, const ViewWords& view = {});

}  // namespace headlight
