// The arguments of headlight train and of headlight test.
#pragma once

#include "cli/options/options.h"
#include "cli/train/test_command.h"
#include "cli/train/train_command.h"

namespace headlight {

void add_train_options(Options command, TrainTask& train);
void add_test_options(Options command, TestWeights& test);

}  // namespace headlight
