// Scripts: the actions of a hand in the window, written down line by line, and what must be seen
// then, among it expected pictures, with a tolerance.
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
#include <vector>

#include "app/driver.h"
#include "app/script_parse.h"
#include "io/pictures/png_image.h"

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

/// Expected pictures are stored with each pixel the mean of kShrink × kShrink ones. An incomplete
/// rest at the right and at the bottom is dropped.
inline constexpr int kShrink = 4;
Pixels shrunk(const Pixels& pixels, int by);

/// The distance of two pictures of one size, in steps of 0 … 255 of a colour.
struct PictureDifference {
    double mean = 0;   // over all pixels
    double worst = 0;  // mean of the worst block of 4 × 4 pixels
};
PictureDifference difference(const Pixels& a, const Pixels& b);

/// True if the difference is small enough to come from other versions of the same libraries, with
/// the same fonts.
bool is_slight(const PictureDifference& difference);

}  // namespace headlight
