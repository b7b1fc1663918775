// A table that a command prints or writes as a file, and a figure that it draws itself.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/options/options.h"
#include "cli/output/streams.h"
#include "io/text/csv.h"
#include "io/text/table.h"
#include "paint/figure_look.h"
#include "scene/figures/view_figure.h"

namespace headlight {

/// Yes if the command draws its table as a picture, too.
enum class MayBePicture { No, Yes };
/// Throws Error unless the file's extension is that of a format that the command writes.
void check_is_table_name(const std::optional<std::string>& output,
                         MayBePicture may_be = MayBePicture::No);

/// The form in which a table is printed.
enum class PrintAs { Csv, Json };
/// Adds --json, for commands that print a table.
void add_json_flag(Options& command, bool& json);
/// Returns the form. Throws Error if JSON is asked for, and a file.
PrintAs print_as(bool json, const std::optional<std::string>& output);

/// Writes the table to the results, or as a file in the format of its extension. `reader` reads the
/// printed table; one that strangers have written is for spreadsheets there as well.
void write_table(const Table& table, const std::optional<std::string>& output,
                 const Streams& streams, PrintAs form = PrintAs::Csv,
                 ReadBy reader = ReadBy::Shell);

/// Notes that options of how pictures look were given where no picture is written.
void note_idle_look(const FigureLook& look, const std::optional<std::string>& output,
                    const Streams& streams);

/// Lays the figure out in the look and writes it in the format of the file's extension. Notes what
/// had no room. Throws Error if the file is no picture's.
void write_picture(const std::filesystem::path& file, const FigureLook& look,
                   const MakeFigure& make, const Streams& streams);

/// Writes a view of a study.
void write_picture(const std::filesystem::path& file, const ViewFigure& view);

}  // namespace headlight
