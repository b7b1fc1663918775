// The arguments of headlight tokens.
#pragma once

#include "cli/options/options.h"
#include "cli/tokens_command.h"

namespace headlight {

/// `tokens` must live as long as the command.
void add_tokens_options(Options command, ListTokens& tokens);

}  // namespace headlight
