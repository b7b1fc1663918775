// The heads that the view of all heads lists now: which, in which order, and by what.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/matrix.h"

namespace headlight {

struct HeadsList {
    struct Head {
        std::string attention;  // path of the part
        int head = 0;
        std::optional<Scalar> number = {};  // what it is sorted by, if that is no metric
    };
    std::optional<std::vector<Head>> heads = {};  // absent: all, in the order of computation
    std::string by = {};                          // the name of that number; "": there is none
    bool without_first = false;                   // metrics leave out the first token
};

}  // namespace headlight
