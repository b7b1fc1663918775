// Studies that are ready: those with weights that Headlight trained, and those of model/presets.h.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "learn/task.h"
#include "model/presets.h"

namespace headlight {

struct ReadyStudy {
    std::string name;  // "gqa": `headlight new gqa`
    std::string what;  // one sentence: what to look at
    std::function<Document()> make;
};

/// First one for each task whose weights come with the program, then the presets. Where both have a
/// name, the trained one has it.
std::span<const ReadyStudy> ready_studies();
const ReadyStudy* find_ready_study(std::string_view name);  // null if there is none

/// The weights that come with the program for that task; null if there are none.
SharedWeights trained_weights(const TaskEntry& task);

/// The study of a task with these weights; null: those that come with the program.
Document trained_study(const TaskEntry& task, SharedWeights weights = nullptr);

}  // namespace headlight
