// Kinds of tokens that heads are often found to read. Special tokens are told in words.h.
//
// Goals: told by the token's name alone, so that recordings and models without a tokenizer have
// them, too.
#pragma once

#include <string_view>

namespace headlight {

/// All characters are punctuation as BERT's tokenizer has it (everything in ASCII that is no
/// letter, digit or blank, and Unicode's category P), beside the marks of tokenizers: Ġ, ▁, ##. A
/// special token is none.
bool is_punctuation_token(std::string_view token);

}  // namespace headlight
