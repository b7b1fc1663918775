// The output of a command: a table that it prints or writes as a file, a figure that it draws
// itself, and the count that it has made so far, kept in a file beside the output.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>

#include "cli/options.h"
#include "core/analyses/head_metrics.h"
#include "core/progress.h"
#include "figure/figure_look.h"
#include "io/text/csv.h"
#include "io/text/json_view.h"
#include "io/text/table.h"
#include "views/view_figure.h"

namespace headlight {

/// The outputs of a command: results, notes, and progress while the user waits at a terminal.
struct Streams {
    std::ostream& out;
    std::ostream& err;
    std::ostream* terminal = nullptr;  // null: there is none
    std::istream* answers = nullptr;   // the typed answers; null: nobody can be asked
};

/// While it exists, the last line of the terminal shows the progress, after an initial delay. It
/// leaves the line empty. Null: there is no terminal, and it does nothing.
class ProgressLine {
  public:
    explicit ProgressLine(std::ostream* terminal,
                          std::chrono::milliseconds patience = std::chrono::seconds(1));

    /// The progress of the work.
    Progress& progress() { return progress_; }

  private:
    void show_progress(std::ostream& terminal, const std::stop_token& stop,
                       std::chrono::milliseconds patience) const;

    Progress progress_;
    std::jthread worker_;  // ends before the progress that it reads
};

struct TableOptions {
    bool json = false;            // printed as JSON, else as CSV
    bool may_be_picture = false;  // the command draws its table as a picture, too
    /// The reader of the printed table; one that strangers have written is for spreadsheets there
    /// as well.
    ReadBy reader = ReadBy::Shell;
};

/// Adds --json, for commands that print a table.
void add_json_flag(Options& command, bool& json);

/// Throws Error unless the file's extension is that of a format that the command writes, and if
/// JSON is asked for, and a file.
void check_table_output(const std::optional<std::string>& output, const TableOptions& options = {});

/// Writes the table to the results, or as a file in the format of its extension.
void write_table(const Table& table, const std::optional<std::string>& output,
                 const Streams& streams, const TableOptions& options = {});

/// Notes that options of how pictures look were given where no picture is written.
void note_idle_look(const FigureLook& look, const std::optional<std::string>& output,
                    const Streams& streams);

/// Lays the figure out in the look and writes it in the format of the file's extension. Notes what
/// had no room. Throws Error if the file is no picture's.
void write_picture(const std::filesystem::path& file, const FigureLook& look,
                   const MakeFigure& make, const Streams& streams);

/// Writes a view of a study.
void write_picture(const std::filesystem::path& file, const ViewFigure& view);

/// The file OUTPUT.part: a checksum in the first line, and JSON. A file that is damaged, was
/// counted by another version of the program or answers another question is never used: it is set
/// aside, so that the command counts anew and nothing is lost.
class KeptCount {
  public:
    KeptCount() = default;  // keeps nothing
    explicit KeptCount(const std::string& output) : file_(output + ".part") {}

    bool keeps() const { return !file_.empty(); }
    const std::filesystem::path& file() const { return file_; }

    void write(std::string_view json) const;
    /// Returns the JSON, whole as it was written; nothing if there is none.
    std::optional<std::string> read(const Streams& streams) const;
    /// Renames the file to OUTPUT.part~ and notes why: "was counted of another study".
    void set_aside(const std::string& why, const Streams& streams) const;
    void remove() const;

  private:
    std::filesystem::path file_;
};

inline constexpr std::int64_t kMostCounted = std::int64_t(1) << 50;

/// Returns the moments as JSON. Their numbers are texts, since numbers in JSON are read as Scalars.
std::string moments_json(const Moments& moments);
/// Reads the moments. Throws Error, naming the place, unless moments_json made it.
Moments moments_in(const JsonView& view);
std::uint64_t checksum_in(const JsonView& view);

}  // namespace headlight
