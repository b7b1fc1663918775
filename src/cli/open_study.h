// A study file, opened and evaluated for one command.
#pragma once

#include <string>
#include <string_view>

#include "cli/commands.h"
#include "model/evaluate.h"

namespace headlight {

/// Throws Error if the file cannot be read or is not a study.
Document open_study(const std::string& file);

/// Evaluates the document. Notes the cells set by hand that the study has no place for.
Trace evaluate_study(const Document& document, const Watched& watched, const Streams& streams);

/// One line for the person who called: "headlight: note: …".
void write_note(const Streams& streams, std::string_view text);

}  // namespace headlight
