// headlight get: downloads a known model.
#pragma once

#include <optional>
#include <string>

#include "cli/commands.h"

namespace headlight {

/// What is downloaded is printed first. Then it is asked about, unless it was said to be wanted;
/// throws Error if nobody can be asked.
struct GetModel {
    std::optional<std::string> name;    // of a known model
    std::optional<std::string> folder;  // where it goes; absent: its name, here
    std::optional<std::string> from;    // a folder, or the address of another server
    bool is_wanted = false;
    bool lists = false;  // only print the models that are known
};
void get_model(const GetModel& options, const Streams& streams);

}  // namespace headlight
