// Recording: attention that any framework has dumped, as NPZ, NPY or safetensors.
//
// Goals: a file of any size opens at once; only patterns that are looked at are read; oddities of
// the numbers are reported, never repaired. Not goals: outputs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/compute.h"
#include "io/arrays/array_file.h"
#include "io/text/json_view.h"
#include "model/document.h"

namespace headlight {

/// Returns oddities of the watched patterns, and of the patterns that watched tensors are made
/// from. There are none if all patterns were checked when the file was opened: then the study's
/// notes have them.
std::vector<std::string> faults_of_watched(const RecordedStudy& study, const Trace& trace,
                                           const Watched& watched);

/// True if has_attention(arrays), or if the file holds the index of several texts.
bool is_recording(const std::filesystem::path& file, const StoredArrays& arrays);

/// The number of bytes at the start of a table that suffice to recognise it.
inline constexpr std::size_t kBeginningOfTable = std::size_t{64} << 10;

/// True of the start of a CSV or TSV with labels for rows and columns, which differ unless
/// Headlight has written it, and with rows that sum to 1.
bool is_attention_table(std::string_view beginning);

/// The patterns [layers, heads, n, n], [heads, n, n] of one layer, or one such array a layer in the
/// order of the numbers in their names; a batch of one is understood. Where a source is read they
/// are n × m (recorded_arrays.h). Tokens are those of `tokens`, a file or, for ids, the folder of
/// their model; else of an array or a metadata entry "tokens", else of a file beside it:
/// NAME.tokens.json, NAME.tokens.txt, NAME.json, NAME.txt; else numbers. Those of the source are in
/// an array or an entry "source", else in NAME.source.json or NAME.source.txt. Throws Error, naming
/// the file, for anything else.
RecordedStudy open_recording(const std::filesystem::path& file,
                             const std::filesystem::path& tokens = {});

/// Opens the first text of a recording of several texts whose index was read from `file`. Throws
/// Error if the index says what docs/formats.md does not allow, or a shard is missing; of the
/// shards, only those of the first text are opened. open_recording above opens such files, too.
RecordedStudy open_recording(const JsonSource& index, const std::filesystem::path& file);

/// Opens a recording from bytes in memory; tokens that they lack are numbered. An index is read if
/// it is the metadata of a safetensors file.
RecordedStudy read_recording(const ByteSource& bytes);

/// Opens the file of a study that was saved, which may be named relative to `folder`. Throws Error
/// if its patterns are not of the study's shape any more, or a text has other tokens.
void reopen_recording(RecordedStudy& study, const std::filesystem::path& folder);

/// Reads a file of tokens. JSON: ["The", "cat"], or an object with such a list as "tokens". Text:
/// one token a line, or, if those are not `n_wanted`, between white space. Throws Error, naming the
/// file, for anything else.
std::vector<std::string> read_token_file(const std::filesystem::path& file, std::size_t n_wanted);

/// Reads tokens from the bytes of a file that `source` names.
std::vector<std::string> read_tokens(const std::string& bytes, const std::string& source,
                                     std::size_t n_wanted);

/// Reads tokens from JSON in a text that `source` names.
std::vector<std::string> parse_tokens(const std::string& json, const std::string& source);

}  // namespace headlight
