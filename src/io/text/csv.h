// CSV and TSV: one matrix with its row and column labels, or a table, for spreadsheets. [RFC 4180]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/trace.h"
#include "io/text/table.h"

namespace headlight {

/// Writes a matrix with its labels. The first line has the column labels, the first column the row
/// labels, and the corner names both ("query \ key"). Numbers have the fewest digits that give the
/// same number back, a point in every locale, and are "-inf", "inf" or "nan" where there are no
/// digits. A label that a spreadsheet would take for a formula (it begins with = + - @, tab or CR)
/// gets a ' in front, and so does any text that would begin a cell if cells were cut at another
/// character within it. A zero byte becomes a blank, another control character \x1b. The tensor
/// must have values.
std::string write_csv(const Trace& trace, const Tensor& tensor, const Steps& steps = {});
/// Writes the same with tabs and plain line ends. A tab or a line end in a label becomes a blank;
/// only a label with a quote in it stands between quotes.
std::string write_tsv(const Trace& trace, const Tensor& tensor, const Steps& steps = {});

/// The reader of a table: a spreadsheet, for which texts are written as above, or a shell, for
/// which they are as they are, so that a command takes a word as it was printed.
enum class ReadBy { Spreadsheet, Shell };

/// Writes a table, whose first line has the names of the columns. Line ends are plain; a cell
/// without a number is empty.
std::string write_csv(const Table& table, ReadBy reader, const Steps& steps = {});
std::string write_tsv(const Table& table, ReadBy reader, const Steps& steps = {});

struct CsvMatrix {
    Matrix values;
    std::vector<std::string> rows = {};     // their labels; none: it has no first column of labels
    std::vector<std::string> columns = {};  // the labels in the first line
    bool is_ours = false;                   // its corner is the one that write_csv writes
    std::vector<std::size_t> lines = {};    // of the text, from 1: where each row stands
    bool has_decimal_commas = false;        // "0,5" was taken for 0.5
};

/// Reads a matrix of numbers, with or without labels in its first line and column: the output of
/// write_csv is read back to the last bit. Cells are separated by tabs, else semicolons, else
/// commas, as the first line has them; beside tabs and semicolons a comma is a decimal comma.
/// Throws Error, naming `source`, line and column.
CsvMatrix read_csv(std::string_view bytes, const std::string& source);

}  // namespace headlight
