// A table that a command prints, or writes as a file.
#pragma once

#include <optional>
#include <string>

#include "cli/output/streams.h"
#include "io/text/table.h"

namespace headlight {

/// Whether a command draws its table as a picture, too.
enum class MayBePicture { No, Yes };
/// Throws Error unless the file's extension is that of a format that the command writes.
void check_is_table_name(const std::optional<std::string>& output,
                         MayBePicture may_be = MayBePicture::No);

/// As CSV to the results, or as a file in the format of its extension.
void write_table(const Table& table, const std::optional<std::string>& output,
                 const Streams& streams);

}  // namespace headlight
