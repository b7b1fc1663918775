// One tensor into a file, by its extension.
#pragma once

#include "cli/commands.h"
#include "core/trace.h"
#include "io/exporters.h"

namespace headlight {

/// Returns what the picture has no room for; "": nothing. Throws Error if the tensor has no values
/// or the file cannot be written.
std::string write_tensor(const Exporter& exporter, const Trace& trace, const Tensor& tensor,
                         const std::string& output, const FigureLook& look);

}  // namespace headlight
