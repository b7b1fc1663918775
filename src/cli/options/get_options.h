// The arguments of headlight get.
#pragma once

#include "cli/get_command.h"
#include "cli/options/options.h"

namespace headlight {

inline constexpr const char* kGetCommand = "Download a pretrained model";
void add_get_options(Options command, GetModel& get);

}  // namespace headlight
