// The prompts that a sweep is averaged over, from a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace headlight {

struct SweepPrompt {
    int line = 0;  // of the file, from 1
    std::string text;
    std::optional<std::string> of = {}, minus = {}, from = {};  // of the table; absent: empty
};

/// A file NAME.csv or NAME.tsv is a table, whose first line names its columns: text, of, minus,
/// from. Of another file each line is a text. Empty lines are left out. Throws Error, naming the
/// line, if it is no such table, and if there is no prompt.
std::vector<SweepPrompt> read_prompts(const std::string& file);

}  // namespace headlight
