// A recipe as text: JSON that people write by hand, and a training that was interrupted.
//
// docs/training.md describes every key.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "learn/training.h"

namespace headlight {

/// What is not said stays as the task's own recipe has it. "study" holds settings that differ from
/// the task's study. Throws Error with the line, the key and what is allowed there.
Recipe read_recipe(std::string_view bytes, std::string_view source_name);
/// read_recipe(write_recipe(r)) == r; without weights and edits of its study.
std::string write_recipe(const Recipe& recipe);

/// The same in one line, of which only the task and what differs from its own recipe are said.
std::string write_recipe_changes(const Recipe& recipe);

/// Weights, and the recipe that made them: what differs from the task's own.
void write_trained(const std::filesystem::path& file, const Weights& weights, const Recipe& recipe);
/// Nothing if the file does not say which. Throws Error, naming the file.
std::optional<Recipe> find_recipe_in(const std::filesystem::path& weights);
/// Whether a safetensors file says which, or is a training that was interrupted.
bool names_recipe(const std::filesystem::path& weights);
/// The study of the recipe that the file names, with its weights. Throws Error, naming the file, if
/// it names none or is a training that was interrupted.
Document open_trained(const std::filesystem::path& weights);

/// A training that was interrupted; a safetensors file.
struct InterruptedTraining {
    Recipe recipe;
    int n_threads = 1;
    TrainingState state;
};

/// "who.training.safetensors" of "who.safetensors".
std::filesystem::path interrupted_path(const std::filesystem::path& weights);
void write_interrupted(const std::filesystem::path& file, const InterruptedTraining& training);
/// Throws Error, naming the file.
InterruptedTraining read_interrupted(const std::filesystem::path& file);

}  // namespace headlight
