// Runs the program with command-line arguments inside the test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../temporary_folder.h"
#include "core/trace.h"
#include "model/document.h"

namespace headlight {

/// The result of one run.
struct Ran {
    int code = 0;
    std::string out, err;
};
Ran headlight_run(std::vector<std::string> args);

/// The arguments of the command in a figure's caption.
std::vector<std::string> command_in(const std::string& caption);

struct PngSize {
    std::uint32_t width = 0, height = 0;
};
/// The size in a PNG's header. The bytes must begin like a PNG.
PngSize png_size(const std::string& bytes);

/// What a command printed, line by line; and the cells of a line.
std::vector<std::string> lines_of(const std::string& text);
std::vector<std::string> cells_of(const std::string& line, char between);

bool contains(const std::string& text, const std::string& part);

/// Words 0 to 4; "the" twice.
inline const char* const kSentence = "the cat saw the moon";

/// A study of kSentence with two heads and small widths; a graph of four friends.
std::string small_sentence(const TemporaryFolder& folder);
std::string small_graph(const TemporaryFolder& folder);

/// The trace of the study in the file, with everything kept.
Trace trace_of(const std::string& study);
Document document_of(const std::string& study);

}  // namespace headlight
