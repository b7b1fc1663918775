// What headlight heads has counted so far, as a file beside the result keeps it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/analyses/head_tally.h"

namespace headlight {

/// What was counted, and of what.
struct Counted {
    std::uint64_t question = 0;    // the study
    std::vector<std::string> own;  // --metric
    bool without_first = false;
    std::uint64_t read = 0;  // the lines so far
    long n_lines = 0, n_texts = 0, n_left_out = 0;
    std::vector<HeadTally> heads;

    void take(const std::string& line);
};

std::string write_counted(const Counted& counted);

/// What the file has kept. Throws Error, naming the option, if it was asked for by other options
/// than `now`, and naming the place if it is damaged.
Counted read_counted(const std::filesystem::path& file, std::size_t n_metrics, const Counted& now);

}  // namespace headlight
