// The arguments of headlight train.
#pragma once

#include "cli/options/options.h"
#include "cli/train_command.h"

namespace headlight {

void add_train_options(Options& command, TrainTask& train);

}  // namespace headlight
