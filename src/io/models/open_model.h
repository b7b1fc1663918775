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
    std::vector<std::string> notes = {};  // what is not used, and what the model lacks
};

/// A model of a kind that `headlight new model` opens together with a file: a graph.
bool reads_graph(const OpenedModel& model);

/// Of the weights only headers and samples are read. Throws Error, naming the file and the place in
/// it, if the family is not known, a setting is not supported, or an array is missing or of another
/// shape than config.json says.
OpenedModel open_model(const std::filesystem::path& folder);

/// The weights of a study that was saved with this checksum. Throws Error as above, or if the
/// folder holds another model now.
SharedWeights read_model_weights(const std::filesystem::path& folder, std::uint64_t checksum);

/// What a model reads until the user types something else.
inline constexpr std::string_view kFirstText =
    "The animal didn't cross the street because it was too tired.";

/// The study of a text that the model reads, with an empty target if it writes one. Throws Error if
/// it reads something else.
Document model_study(const OpenedModel& model, std::string text = std::string(kFirstText));

/// The study of a source, and of a target that the model has written or shall compare it with.
/// Throws Error if the model writes none.
Document model_study(const OpenedModel& model, std::string source, std::string target);

/// The study of a graph that the model reads. Throws Error if it reads something else, or other
/// features than the graph's nodes have.
Document model_study(const OpenedModel& model, Graph graph);

}  // namespace headlight
