// What a recipe says that its training does not heed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "learn/task.h"

namespace headlight {

/// A sentence for each key of the recipe's text that has no effect. The recipe was read from it.
std::vector<std::string> idle_recipe_keys(std::string_view text, const Recipe& recipe);

}  // namespace headlight
