// headlight heads: what every head does on the study's text, or over the texts of a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace headlight {

/// A line of the corpus is a text. An own metric counts the texts that have a number for it. CSV: a
/// row for each head and metric, with the mean over the texts, their deviation, and the lowest and
/// highest. With an output, what was counted is kept beside it (FILE.part) until all texts are, and
/// the next call goes on from there.
struct TallyHeads {
    std::string study;
    std::optional<std::string> corpus;  // absent: each sentence of the study is a text
    std::vector<std::string> metrics;  // own ones, beside the others; see expression/head_measure.h
    std::optional<std::string> output;
    long n_texts = 0;  // no more than so many; 0: all
    bool without_first = false;
};
void tally_heads(const TallyHeads& options, const Streams& streams);

}  // namespace headlight
