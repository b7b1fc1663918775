// The text of a script, as lines that are known. Nothing here knows the window.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct ScriptStage;

/// One kind of line. In `usage` words in capitals stand for texts: "drag THING by X Y".
struct ScriptLine {
    const char *usage, *what;
    void (*run)(ScriptStage&, std::span<const std::string> texts);
};

/// Returns all kinds of lines. If several fit a line, the first one counts.
std::span<const ScriptLine> script_lines();

/// Returns the texts that stand for the words in capitals; nothing if the line does not fit.
std::optional<std::vector<std::string>> match_line(std::string_view usage, std::string_view line);

struct ScriptStep {
    int number = 0;    // of the line, from 1
    std::string text;  // of the line
    const ScriptLine* line = nullptr;
    std::vector<std::string> texts;
};

/// Empty lines and lines that begin with # are left out. Throws Error, with `name` and the line, if
/// one is not understood.
std::vector<ScriptStep> parse_script(std::string_view text, const std::string& name,
                                     std::span<const ScriptLine> lines = script_lines());

}  // namespace headlight
