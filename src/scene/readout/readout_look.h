// What is asked for in the view of logits.
#pragma once

#include <string>

namespace headlight {

struct ReadoutLook {
    std::string word;   // of the vocabulary; empty: the likeliest one
    std::string minus;  // whose logit is subtracted; empty: none

    bool operator==(const ReadoutLook&) const = default;
};

}  // namespace headlight
