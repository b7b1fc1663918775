#include "io/text/csv.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/files/limits.h"
#include "io/recognise.h"
#include "io/text/json_text.h"
#include "io/text/numbers_text.h"
#include "io/text/table.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace headlight {
namespace {

constexpr std::string_view kFormulaStarts = "=+-@";
constexpr std::string_view kCellEnds = ",;\t\r\n";

/// Returns valid UTF-8 without characters that could control the reader's terminal: \x1b is spelt
/// out, a zero byte becomes a blank. Tabs and line ends stay; their effect in a cell depends on the
/// format.
std::string without_controls(const std::string& text) {
    const std::string valid = repair_utf8(text);
    std::string result;
    for (std::size_t at = 0; at < valid.size();) {
        const CodePoint c = decode_code_point(valid, at);
        const std::string_view bytes = std::string_view(valid).substr(at, c.size_bytes);
        at += c.size_bytes;
        const bool ends_cell = kCellEnds.find(bytes) != std::string_view::npos;
        if (c.value == 0)
            result += ' ';
        else if (is_control(c.value) && !ends_cell)
            result += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c.value));
        else
            result += bytes;
    }
    return result;
}

/// Returns a text that no spreadsheet takes for a formula, not even one that cuts cells elsewhere.
std::string plain(const std::string& label) {
    std::string text;
    if (label.starts_with('\t') || label.starts_with('\r')) text = "'";
    bool may_begin_cell = text.empty();
    for (const char c : label) {
        if (may_begin_cell && kFormulaStarts.find(c) != std::string_view::npos) text += '\'';
        const bool stays_at_begin = may_begin_cell && (c == ' ' || c == '"');
        may_begin_cell = stays_at_begin || kCellEnds.find(c) != std::string_view::npos;
        text += c;
    }
    return text;
}

std::string between_quotes(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + "\"";
}

std::string csv_field(const std::string& label) {
    const std::string text = plain(without_controls(label));
    const bool needs_quotes = text.find_first_of(",;\t\"\r\n") != std::string::npos ||
                              text.starts_with(' ') || text.ends_with(' ');
    return needs_quotes ? between_quotes(text) : text;
}

std::string tsv_field(const std::string& label) {
    std::string text = plain(without_controls(label));
    std::ranges::replace_if(
        text, [](char c) { return c == '\t' || c == '\r' || c == '\n'; }, ' ');
    return text.find('"') != std::string::npos ? between_quotes(text) : text;
}

std::string as_it_is(const std::string& text) {
    std::string one_line = without_controls(text);
    std::ranges::replace_if(
        one_line, [](char c) { return c == '\t' || c == '\r' || c == '\n'; }, ' ');
    return one_line;
}

/// Puts a label between quotes where a comma, a quote or a line end would be read as more than
/// text.
std::string csv_as_it_is(const std::string& label) {
    const std::string text = without_controls(label);
    return text.find_first_of(",\"\r\n") == std::string::npos ? text : between_quotes(text);
}

struct CsvStyle {
    const char *between, *line_end;
    std::string (*field)(const std::string& label);
};

template <typename Rows>
std::string written(const Rows& rows, const CsvStyle& style, const Steps& steps) {
    std::string text;
    for (Index j = 0; j < rows.n_columns(); ++j)
        text += (j > 0 ? style.between : "") + style.field(rows.head(j));
    text += style.line_end;
    for (Index i = 0; i < rows.n_rows(); ++i) {
        for (Index j = 0; j < rows.n_columns(); ++j) {
            const auto number = rows.number(i, j);
            text += j > 0 ? style.between : "";
            text += number ? number_text(*number) : style.field(rows.text(i, j));
        }
        text += style.line_end;
        steps.advance(1.0 / static_cast<double>(rows.n_rows()));
    }
    return text;
}

constexpr const char* kCsvCorner = " \\ ";

}  // namespace

std::string write_csv(const Trace& trace, const Tensor& tensor, const Steps& steps) {
    return written(TensorRows{trace, tensor, kCsvCorner}, {",", "\r\n", csv_field}, steps);
}

std::string write_tsv(const Trace& trace, const Tensor& tensor, const Steps& steps) {
    return written(TensorRows{trace, tensor, kCsvCorner}, {"\t", "\n", tsv_field}, steps);
}

std::string write_csv(const Table& table, ReadBy reader, const Steps& steps) {
    const auto field = reader == ReadBy::Shell ? csv_as_it_is : csv_field;
    return written(TableRows{table}, {",", "\n", field}, steps);
}

std::string write_tsv(const Table& table, ReadBy reader, const Steps& steps) {
    const auto field = reader == ReadBy::Shell ? as_it_is : tsv_field;
    return written(TableRows{table}, {"\t", "\n", field}, steps);
}

namespace {

/// One row of cells as they were written, without their quotes.
struct Line {
    std::size_t number = 0;  // of its first line in the file, from 1
    std::vector<std::string> cells;
};

/// True of the corner that Headlight writes: "query \\ key".
bool is_corner(std::string_view cell) {
    return cell.find(" \\ ") != std::string_view::npos;
}

/// Cuts a file into cells.
class Cells {
  public:
    Cells(std::string_view text, const std::string& source) : text_(text), source_(source) {
        if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
        const std::string_view first = text_.substr(0, text_.find_first_of("\r\n"));
        // The character after the corner that Headlight writes is the separator, whatever labels
        // hold.
        const std::size_t end = first.find_first_of("\t;,");
        if (end != std::string_view::npos && is_corner(first.substr(0, end))) {
            separator_ = first[end];
            return;
        }
        for (const char separator : {'\t', ';', ','})
            if (first.find(separator) != std::string_view::npos) {
                separator_ = separator;
                break;
            }
    }

    char separator() const { return separator_; }

    /// Returns the next row that is not empty; nothing at the end.
    std::optional<Line> next() {
        while (at_ < text_.size()) {
            Line line{line_, {}};
            do line.cells.push_back(cell());
            while (accept(separator_));
            if (line.cells.size() > kMaxTextColumns)
                fail(line.number, fmt::format("has more than {} columns", kMaxTextColumns));
            accept('\r');
            accept('\n');
            ++line_;
            if (line.cells.size() > 1 || !line.cells[0].empty()) return line;
        }
        return std::nullopt;
    }

    [[noreturn]] void fail(std::size_t line, const std::string& what) const {
        throw Error({source_, static_cast<std::int64_t>(line)}, what);
    }

  private:
    bool accept(char wanted) {
        if (at_ >= text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }

    std::string cell() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        if (accept('"')) return quoted();
        const std::string_view rest = text_.substr(at_);
        const char ends[] = {separator_, '\r', '\n'};
        std::string_view cell = rest.substr(0, rest.find_first_of(std::string_view(ends, 3)));
        at_ += cell.size();
        check(cell);
        if (cell.find('"') != std::string_view::npos)
            fail(line_,
                 fmt::format("a quote stands within {}; quote the whole cell", in_quotes(cell)));
        while (cell.ends_with(' ')) cell.remove_suffix(1);
        return std::string(cell);
    }

    /// Reads the rest of a quoted cell, after the first quote; two quotes are one, and line ends
    /// belong to the text.
    std::string quoted() {
        const std::size_t first_line = line_;
        std::string cell;
        while (true) {
            const std::size_t quote = text_.find('"', at_);
            if (quote == std::string_view::npos)
                fail(first_line, "a quote is opened and not closed");
            const std::string_view piece = text_.substr(at_, quote - at_);
            check(piece);
            cell += piece;
            if (cell.size() > kMaxLineBytes) fail(first_line, "a cell is longer than 16 MB");
            line_ += static_cast<std::size_t>(std::ranges::count(piece, '\n'));
            at_ = quote + 1;
            if (!accept('"')) break;
            cell += '"';
        }
        while (accept(' ')) {
        }
        const bool is_end = at_ == text_.size() || text_[at_] == separator_ || text_[at_] == '\r' ||
                            text_[at_] == '\n';
        if (!is_end) fail(line_, "more follows a closed quote; two quotes within a text are one");
        return cell;
    }

    void check(std::string_view cell) const {
        if (cell.size() > kMaxLineBytes) fail(line_, "a cell is longer than 16 MB");
        if (cell.find('\0') != std::string_view::npos)
            fail(line_, "holds a zero byte; this is no text");
        if (find_invalid_utf8(cell)) fail(line_, "is not UTF-8");
    }

    std::string_view text_;
    const std::string& source_;
    char separator_ = ',';
    std::size_t at_ = 0, line_ = 1;
};

bool is_nan(const std::string& cell) {
    return cell == "nan" || cell == "NaN";
}

bool is_number(const std::string& cell) {
    return parse_typed_number(cell).has_value() || is_nan(cell);
}

class CsvReader {
  public:
    CsvReader(std::string_view bytes, const std::string& source)
        : cells_(bytes, source), source_(source) {}

    CsvMatrix read() {
        std::optional<Line> line = cells_.next();
        if (!line) throw Error(source_, "holds no number");
        std::optional<Line> second = cells_.next();
        find_labels(*line, second);
        if (has_head_) {
            result_.columns.assign(line->cells.begin() + has_labels_, line->cells.end());
            line = std::move(second), second.reset();
        }
        if (!line) throw Error(source_, "holds labels and no number");
        columns_ = line->cells.size();
        for (; line; line = second ? std::exchange(second, std::nullopt) : cells_.next())
            take(*line);
        const std::size_t n_columns = columns_ - has_labels_;
        result_.values.resize(static_cast<Index>(numbers_.size() / n_columns),
                              static_cast<Index>(n_columns));
        std::ranges::copy(numbers_, result_.values.data());
        return std::move(result_);
    }

  private:
    /// A file from Headlight has both row and column labels. In other files, cells that are not
    /// numbers are labels.
    void find_labels(const Line& first, const std::optional<Line>& second) {
        const bool is_ours = is_corner(first.cells[0]);
        const auto& cells = first.cells;
        const bool is_label = !is_number(cells[0]);
        const bool stands_alone = cells.size() == 1 || (second && is_number(second->cells[0]));
        result_.is_ours = is_ours;
        has_head_ = is_ours || !std::all_of(cells.begin() + 1, cells.end(), is_number) ||
                    (is_label && stands_alone);
        const Line& body = has_head_ && second ? *second : first;
        has_labels_ = body.cells.size() > 1 && (is_ours || !is_number(body.cells[0]));
    }

    void take(const Line& line) {
        if (line.cells.size() != columns_)
            cells_.fail(line.number,
                        fmt::format("has {}, the rows above have {}",
                                    counted(std::ssize(line.cells), "cell"), columns_));
        result_.lines.push_back(static_cast<std::size_t>(line.number));
        if (has_labels_) result_.rows.push_back(line.cells[0]);
        for (std::size_t j = has_labels_; j < line.cells.size(); ++j)
            numbers_.push_back(number(line, j));
        if (numbers_.size() > kMaxTextCells)
            cells_.fail(line.number, fmt::format("at most {} numbers are read of a text; take NPY",
                                                 kMaxTextCells));
    }

    Scalar number(const Line& line, std::size_t j) {
        const std::string& cell = line.cells[j];
        const bool may_be_comma = cells_.separator() != ',';
        const auto number = may_be_comma ? parse_typed_number(cell) : parse_number(cell);
        result_.has_decimal_commas |= may_be_comma && cell.find(',') != std::string::npos;
        if (number) return *number;
        if (is_nan(cell)) return std::numeric_limits<Scalar>::quiet_NaN();
        const std::string place = fmt::format("column {}: ", j + 1);
        cells_.fail(
            line.number,
            place + (cell.empty() ? "is empty"
                                  : in_quotes(cell) + " is not a number that a cell can have"));
    }

    Cells cells_;
    const std::string& source_;
    bool has_head_ = false, has_labels_ = false;
    std::size_t columns_ = 0;
    std::vector<Scalar> numbers_;
    CsvMatrix result_;
};

}  // namespace

CsvMatrix read_csv(std::string_view bytes, const std::string& source) {
    if (bytes.empty()) throw Error(source, "is empty");
    if (const std::string other = recognised_as(bytes); !other.empty())
        throw Error(source, "is no text with numbers{}", other);
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
        throw Error(source, "is in UTF-16; save it as UTF-8");
    return CsvReader(bytes, source).read();
}

}  // namespace headlight
