// Scripts: the actions of a hand in the window, written down line by line, and what must be seen
// then.
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
#include "app/script_parse.h"

namespace headlight {

struct ScriptFiles {
    std::filesystem::path script;  // files that it names are beside it
    std::filesystem::path output;  // folder of screenshots
    enum class Pictures { Compare, Accept } expected = Pictures::Compare;
};

/// The things that a line acts on.
struct ScriptStage {
    Driver& driver;
    const ScriptFiles& files;
};

/// Runs the steps. Throws Error, with the file and the line, if a step cannot be done or something
/// else is seen than expected; then a picture of the window lies in the output folder. Ends early
/// if the window is closed.
void run_script(Driver& driver, const std::vector<ScriptStep>& steps, const ScriptFiles& files);

/// A key with its modifiers, "Ctrl+Shift+Z". Throws Error if there is no such key.
struct KeyStroke {
    Key key = Key::None;
    Modifier modifier = Modifier::None;
};
KeyStroke key_stroke(std::string_view text);

}  // namespace headlight
