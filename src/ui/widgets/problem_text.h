// What is wrong, as a user reads it.
#pragma once

#include <string>

#include "core/error.h"

namespace headlight {

/// "[edit] no cell is held" → "No cell is held": what the program calls its parts says nothing to a
/// user. A file, "[a.json] line 3: …", stays.
std::string text_for_user(const Error& error);

}  // namespace headlight
