// Studies that are ready: those with weights that Headlight trained, and those of model/presets.h;
// and notes on a study that asks trained weights for something that their training did not cover.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "learn/task.h"
#include "model/document.h"
#include "model/presets.h"

namespace headlight {

struct ReadyStudy {
    std::string name;                // "gqa": `headlight new gqa`
    std::string what;                // one sentence: what to look at
    std::function<Document()> make;  // throws Error if its weights are left out
    std::string weights = {};        // the file that has its trained weights; "" if it needs none
    bool is_left_out = false;        // of a page that was made for one lecture or one study
};

/// Returns one study for each task whose weights come with the program, then the presets. If both
/// have a name, it means the trained one. Those whose weights a page has left out are among them.
std::span<const ReadyStudy> ready_studies();
const ReadyStudy* find_ready_study(std::string_view name);  // null if there is none

/// Returns the weights that come with the program for that task; null if there are none, or if a
/// page has left them out.
SharedWeights trained_weights(const TaskEntry& task);

/// Returns the study of a task with these weights; null means the weights that come with the
/// program.
Document trained_study(const TaskEntry& task, SharedWeights weights = nullptr);

/// Returns notes such as "not a sentence of the kind that it was trained on" or "the settings are
/// not those that it was trained with". A test of the weights says nothing about such a study.
/// Empty where the weights were not trained here.
std::vector<std::string> training_notes(const Document& document);

}  // namespace headlight
