// Keys of config.json that no family asks for: what is refused, what is noted, what says nothing.
#pragma once

#include <string>
#include <vector>

#include "io/models/model_config.h"

namespace headlight {

/// Throws Error, naming the key and its line, if the file has one that changes the numbers and is
/// not supported.
void refuse_other_arithmetic(const ModelConfig& config);

/// The keys that nothing has asked for and that are not known to be of training, of the writing of
/// texts, of other tasks or of the file itself.
std::vector<std::string> unknown_keys(const ModelConfig& config);

}  // namespace headlight
