// The arguments of headlight new, without a kind of study.
#pragma once

#include "cli/new_model.h"
#include "cli/options/options.h"
#include "cli/options/ready_arguments.h"

namespace headlight {

void add_ready_options(Options& command, ReadyArguments& ready);

inline constexpr const char* kModelStudy =
    "A study of what a pretrained model reads: a text, or a graph";
void add_model_options(Options command, NewModel& model);

}  // namespace headlight
