// Scripts: what a hand does in the window, written down line by line, and what must be seen then.
//
//     # The strongest key of “tired” is “cat”.
//     replace Sentence with The cat was tired
//     click cell blocks.0.attn.heads.0.pattern[tired, cat]
//     expect text tired → cat
//
// Goals: a script does what a hand can do and nothing else; it finds things by the names that the
// window gives them, never by pixels; the table of lines is the language, its check and its manual.
// Not goals: variables, loops, timing.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/driver.h"

namespace headlight {

struct ScriptFiles {
    std::filesystem::path script;  // files that it names are beside it
    std::filesystem::path output;  // folder of screenshots
    enum class Pictures { Compare, Accept } expected = Pictures::Compare;
};

/// What a line acts on.
struct ScriptStage {
    Driver& driver;
    const ScriptFiles& files;
};

/// One kind of line. In `usage` words in capitals stand for texts: "drag THING by X Y".
struct ScriptLine {
    const char *usage, *what;
    void (*run)(ScriptStage&, std::span<const std::string> texts);
};

/// All of them; of those that fit a line the first one counts.
std::span<const ScriptLine> script_lines();

/// The texts that stand for the words in capitals; nothing if the line does not fit.
std::optional<std::vector<std::string>> match_line(std::string_view usage, std::string_view line);

struct ScriptStep {
    int number = 0;    // of the line, from 1
    std::string text;  // of the line
    const ScriptLine* line = nullptr;
    std::vector<std::string> texts;
};

/// Empty lines and lines that begin with # are left out. Throws Error, with `name` and the line, if
/// one is not understood.
std::vector<ScriptStep> parse_script(std::string_view text, const std::string& name);

/// Throws Error, with the file and the line, if a step cannot be done or something else is seen
/// than expected; then a picture of the window lies in the output folder. Ends early if the window
/// is closed.
void run_script(Driver& driver, const std::vector<ScriptStep>& steps, const ScriptFiles& files);

/// "Ctrl+Shift+Z". Throws Error if there is no such key.
struct KeyStroke {
    Key key = Key::None;
    Modifier modifier = Modifier::None;
};
KeyStroke key_stroke(std::string_view text);

}  // namespace headlight
