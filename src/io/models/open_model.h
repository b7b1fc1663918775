// A pretrained model's folder as a study.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/document.h"
#include "model/pretrained.h"

namespace headlight {

/// True of a folder with a config.json, whatever kind of file that is.
bool is_model_folder(const std::filesystem::path& path);

struct OpenedModel {
    SharedWeights weights;                // with the model
    Study study;                          // as config.json says; what it reads is empty
    std::vector<std::string> notes = {};  // unused and missing things
};

/// Opens a model, of whose weights only headers and samples are read. Throws Error, naming the file
/// and the place in it, if the family is not known, a setting is not supported, or an array is
/// missing or of another shape than config.json says.
OpenedModel open_model(const std::filesystem::path& folder);

/// Reads the weights of a study that was saved with this checksum. Throws Error as open_model does,
/// or if the folder holds another model now.
SharedWeights read_model_weights(const std::filesystem::path& folder, std::uint64_t checksum);

}  // namespace headlight
