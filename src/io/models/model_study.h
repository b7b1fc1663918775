// Studies of texts, graphs and pictures that a pretrained model reads.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/models/open_model.h"

namespace headlight {

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
