// A pretrained model's folder as a study, and the studies of texts, graphs and pictures that such a
// model reads.
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

/// The kind of input that a model reads.
enum class ModelInput { Text, Graph, Picture };
ModelInput input_of(const OpenedModel& model);

/// The text that a model reads until the user types another one.
inline constexpr std::string_view kFirstText =
    "The animal didn't cross the street because it was too tired.";

/// Returns the study of a text that the model reads, with an empty target if it writes one. Throws
/// Error if the model reads something else.
Document model_study(const OpenedModel& model, std::string text = std::string(kFirstText));

/// Returns the study of a source, and of a target that the model has written or is compared with.
/// Throws Error if the model writes no target.
Document model_study(const OpenedModel& model, std::string source, std::string target);

/// Returns the study of a picture that the model reads; without a file, of the built-in one. Throws
/// Error if the model reads something else, or if the file is no picture.
Document picture_study(const OpenedModel& model, const std::filesystem::path& file = {});

/// Returns the study of a graph that the model reads. Throws Error if the model reads something
/// else, or other features than the graph's nodes have.
Document model_study(const OpenedModel& model, Graph graph);

}  // namespace headlight
