// Punctuation, by the names of tokens.
#include <doctest/doctest.h>

#include "text/shown_tokens.h"

namespace headlight {

TEST_CASE("punctuation is told beside the marks of tokenizers, and from bytes") {
    for (const char* token :
         {",", ".", "Ġ,", "▁.", "##'", "--", "…", "\"", "Ġ(", "âĢĻ", "。", "[", "##"}) {
        CAPTURE(token);
        CHECK(is_punctuation_token(token));
    }
    for (const char* token :
         {"", "a", "Ġ", "▁", "[SEP]", "<s>", "a,", "1", "Ġthe", "é", "'s", "Ċ"}) {
        CAPTURE(token);
        CHECK_FALSE(is_punctuation_token(token));
    }
}

}  // namespace headlight
