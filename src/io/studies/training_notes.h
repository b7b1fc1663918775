// Notes on a study that asks trained weights for something that their training did not cover.
#pragma once

#include <string>
#include <vector>

#include "model/document.h"

namespace headlight {

/// Returns notes such as "not a sentence of the kind that it was trained on" or "the settings are
/// not those that it was trained with". A test of the weights says nothing about such a study.
/// Empty where the weights were not trained here.
std::vector<std::string> training_notes(const Document& document);

}  // namespace headlight
