// What a ready-made study is to be about, and trained by.
#pragma once

#include <optional>
#include <string>

#include "model/document.h"
#include "model/next_word.h"

namespace headlight {

struct ReadyArguments {
    bool lists = false;                              // only print the studies
    std::optional<std::string> name, text, weights;  // weights: a file
    std::optional<std::string> target;            // of a translation; absent: decoded from the text
    std::optional<AlignmentMechanism> mechanism;  // of the task "translation"
    int n_written = 0;                            // words behind the text, by a language model
    Sampling sampling = {};                       // of these
};

}  // namespace headlight
