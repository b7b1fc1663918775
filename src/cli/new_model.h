// headlight new model, as a function of its options.
#pragma once

#include <optional>
#include <string>

#include "cli/commands.h"

namespace headlight {

/// A study of what a pretrained model reads.
struct NewModel {
    std::string folder;
    std::optional<std::string> input;     // a text, or a file with a graph
    std::optional<std::string> second;    // of a model that reads pairs: the other text
    std::optional<std::string> target;    // of a model that writes one
    std::optional<std::string> features;  // a file with features of the graph's nodes
    bool directed = false;
    std::optional<std::string> output;
};
void new_model(const NewModel& options, const Streams& streams);

}  // namespace headlight
