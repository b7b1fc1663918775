// A token: a piece of the vocabulary, and the bytes of the text that it stands for.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/subwords/piece_table.h"

namespace headlight {

enum class TokenOrigin { FirstText, SecondText, Template };  // Template: [CLS], </s>

struct Token {
    PieceId id = 0;
    std::uint32_t begin = 0, end = 0;  // bytes of its text; 0 and 0 for a template's
    int type = 0;                      // the row of BERT's segment embedding
    TokenOrigin origin = TokenOrigin::FirstText;

    bool operator==(const Token&) const = default;
};

}  // namespace headlight
