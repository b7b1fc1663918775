// headlight export --what window.
#pragma once

#include "cli/commands.h"

namespace headlight {

/// The window itself, which is pixels only, as it is when the study is opened and what the options
/// say is chosen, held and compared. Throws Error if there is no such thing, or no OpenGL.
void export_window(const ExportStudy& options, const Streams& streams);

}  // namespace headlight
