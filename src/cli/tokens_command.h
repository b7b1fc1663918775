// headlight tokens, as a function of its options.
#pragma once

#include <optional>
#include <string>

#include "cli/commands.h"

namespace headlight {

/// The tokens that a trained model's tokenizer makes of a text, one a line: its number, id, piece,
/// the piece as a person reads it, and the bytes of the text that it stands for.
struct ListTokens {
    std::string folder;  // of the model
    std::string text;
    std::optional<std::string> second;  // another text after it
    bool omits_specials = false;        // no [CLS] and such around the text
    bool json = false;
};
void list_tokens(const ListTokens& options, const Streams& streams);

}  // namespace headlight
