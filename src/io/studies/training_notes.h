// What a study asks of trained weights that their training did not prepare them for.
#pragma once

#include <string>
#include <vector>

#include "model/document.h"

namespace headlight {

/// "not a sentence of the kind that it was trained on", "the settings are not those that it was
/// trained with". What a test has said of the weights says nothing about such a study. Empty where
/// the weights were not trained here.
std::vector<std::string> training_notes(const Document& document);

}  // namespace headlight
