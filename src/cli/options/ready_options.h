// The arguments of headlight new, without a kind of study.
#pragma once

#include "cli/options/options.h"
#include "cli/options/ready_arguments.h"

namespace headlight {

void add_ready_options(Options& command, ReadyArguments& ready);

}  // namespace headlight
