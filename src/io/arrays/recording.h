// Recording: attention that any framework has dumped, as NPZ, NPY or safetensors.
//
// Goals: a file of any size opens at once; only patterns that are looked at are read; oddities of
// the numbers are reported. Not goals: cross-attention, values and outputs.
#pragma once

#include <filesystem>

#include "core/compute.h"
#include "io/arrays/array_file.h"
#include "model/document.h"

namespace headlight {

/// True if there is an array that looks like attention: at least three dimensions, the last two of
/// one size.
bool has_attention(const StoredArrays& arrays);

/// The patterns [layers, heads, n, n], [heads, n, n] of one layer, or one such array a layer in the
/// order of the numbers in their names; a batch of one is understood. Tokens are those of `tokens`,
/// else of an array or a metadata entry "tokens", else of a file beside it: NAME.tokens.json,
/// NAME.tokens.txt, NAME.json, NAME.txt; else numbers. Throws Error, naming the file, for anything
/// else.
RecordedStudy open_recording(const std::filesystem::path& file,
                             const std::filesystem::path& tokens = {});

/// The same for bytes in memory; tokens that they lack are numbered.
RecordedStudy read_recording(const ByteSource& bytes);

/// Oddities of the watched patterns, and of the patterns that watched tensors are made from. None
/// for a small file: its oddities are in the study's notes since it was opened.
std::vector<std::string> faults_of_watched(const RecordedStudy& study, const Trace& trace,
                                           const Watched& watched);

/// Opens the file of a study that was saved, which may be named relative to `folder`. Throws Error
/// if its patterns are not of the study's shape any more.
void reopen_recording(RecordedStudy& study, const std::filesystem::path& folder);

}  // namespace headlight
