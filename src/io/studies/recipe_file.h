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

/// Reads a recipe. Missing keys keep the values of the task's own recipe. "study" holds settings
/// that differ from the task's study. Throws Error with the line, the key and what is allowed
/// there.
Recipe read_recipe(std::string_view bytes, std::string_view source_name);
/// Writes a recipe: read_recipe(write_recipe(r)) == r, without weights and edits of its study.
std::string write_recipe(const Recipe& recipe);

/// Writes in one line only the task, and the members that differ from its own recipe.
std::string write_recipe_changes(const Recipe& recipe);

/// Writes weights, and the changes to the task's own recipe that made them.
void write_trained(const std::filesystem::path& file, const Weights& weights, const Recipe& recipe);
/// Returns the recipe of weights; nothing if the file does not name one. Throws Error, naming the
/// file.
std::optional<Recipe> find_recipe_in(const std::filesystem::path& weights);
/// True if a safetensors file names a recipe, or is a training that was interrupted.
bool names_recipe(const std::filesystem::path& weights);
/// Returns the study of the recipe that the file names, with its weights. Throws Error, naming the
/// file, if it names none or is a training that was interrupted.
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
/// Reads an interrupted training. Throws Error, naming the file.
InterruptedTraining read_interrupted(const std::filesystem::path& file);

}  // namespace headlight
