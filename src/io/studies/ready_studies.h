// Studies that are ready: those of model/presets.h, and those with weights that Headlight trained.
#pragma once

#include <string>

#include "learn/task.h"
#include "model/presets.h"

namespace headlight {

/// The trained ones first. The sentences of the others say that they are untrained.
std::span<const Preset> ready_studies();
const Preset* find_ready_study(std::string_view name);  // null if there is none

/// The weights that come with the program for that task; null if there are none.
SharedWeights trained_weights(const TaskEntry& task);

/// The study of a task with these weights; null: those that come with the program.
Document trained_study(const TaskEntry& task, SharedWeights weights = nullptr);

}  // namespace headlight
