// Oddities of recorded patterns are reported, never repaired.
#pragma once

#include <string>
#include <vector>

#include "core/compute.h"
#include "model/document.h"

namespace headlight {

/// True if the patterns have so few cells that all are read when a file is opened.
bool is_small_recording(std::uint64_t n_cells);

/// Oddities of all patterns of the shown text, at most a few of them.
std::vector<std::string> all_faults(const RecordedStudy& study);

/// Returns oddities of the watched patterns, and of the patterns that watched tensors are made
/// from. There are none if all patterns were checked when the file was opened: then the study's
/// notes have them.
std::vector<std::string> faults_of_watched(const RecordedStudy& study, const Trace& trace,
                                           const Watched& watched);

}  // namespace headlight
