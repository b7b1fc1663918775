// headlight new model, as a function of its options.
#pragma once

#include <optional>
#include <string>

#include "cli/commands.h"

namespace headlight {

/// A study of a text that a pretrained model reads.
struct NewModel {
    std::string folder;
    std::optional<std::string> text, output;
};
void new_model(const NewModel& options, const Streams& streams);

}  // namespace headlight
