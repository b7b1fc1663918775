// A text file from outside, line by line or piece by piece, and the cells of a line.
//
// Goals: every refusal names the file and the line; nothing is copied.
// Not goals: JSON, XML.
#pragma once

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

/// The longest line that is read.
inline constexpr std::size_t kMaxTextLineBytes = std::size_t{16} << 20;

class TextLines {
  public:
    /// `format` and `source` begin the messages: "[edge list] friends.edges:3: …". Throws Error if
    /// the text is UTF-16.
    TextLines(std::string_view text, std::string format, std::string_view source);

    /// Goes to the next line; false at the end. Lines end with LF, CR LF or CR. Throws Error if the
    /// line is not UTF-8, has a NUL byte or is too long.
    bool next();
    std::string_view line() const { return line_; }
    int number() const { return number_; }

    [[noreturn]] void fail(const std::string& what) const;        // with the line
    [[noreturn]] void fail_whole(const std::string& what) const;  // without
    /// `what` is a format of libfmt.
    template <typename First, typename... Rest>
    [[noreturn]] void fail(fmt::format_string<First, Rest...> what, First&& first,
                           Rest&&... rest) const {
        fail(fmt::format(what, std::forward<First>(first), std::forward<Rest>(rest)...));
    }

  private:
    void check() const;

    std::string_view rest_, line_;
    std::string format_;
    std::string_view source_;
    int number_ = 0;
};

/// The character between the cells of a line.
enum class Separator { Unknown, Blank, Tab, Comma, Semicolon };

/// Returns a tab, else a semicolon, else a comma, else blanks; Unknown where there is nothing of
/// the kind. Separators in quotes do not count.
Separator detect_separator(std::string_view line);

/// Cells of a line, views into it or into this object. With Blank, runs of blanks separate, commas
/// and semicolons belong to a cell, and a # before a cell ends the line; else each separator
/// counts, blanks around a cell do not, empty cells at the end are left out, and a cell may stand
/// in quotes.
class Cells {
  public:
    const std::vector<std::string_view>& split(std::string_view line, Separator separator);
    /// Throws Error, with the line, if a cell of it begins with a quote that is not closed.
    void check_quotes(const TextLines& lines) const;

  private:
    void split_blank(std::string_view line);
    std::string_view take_cell(std::string_view& line, char separator);

    std::vector<std::string_view> cells_;
    std::deque<std::string> unescaped_;
    std::string_view open_;  // the cell with a quote that is not closed
};

/// Returns a cell that begins or ends with a comma or a semicolon, which are meant as separators or
/// as part of a name where blanks separate; "" if there is none.
std::string_view find_doubtful(const std::vector<std::string_view>& cells);
/// Throws Error, with the line, if blanks separate and there is such a cell.
void check_separators(const TextLines& lines, const std::vector<std::string_view>& cells,
                      Separator separator);

/// The lines of a table that are neither empty nor comments, as cells. If the separator is not
/// known, the first line with more than one cell decides. Throws Error as TextLines does.
class TableLines {
  public:
    TableLines(std::string_view text, std::string format, std::string_view source,
               Separator separator = Separator::Unknown)
        : lines_(text, std::move(format), source), separator_(separator) {}

    bool next();
    const std::vector<std::string_view>& cells() const { return *now_; }
    /// Checks quotes as Cells does. Do not call it where a text is only tested for its format.
    void check_quotes() const { cells_.check_quotes(lines_); }
    Separator separator() const { return separator_; }
    const TextLines& lines() const { return lines_; }

  private:
    TextLines lines_;
    Cells cells_;
    const std::vector<std::string_view>* now_ = nullptr;
    Separator separator_;
};

bool is_utf8(std::string_view text);
std::string ascii_lower(std::string_view text);  // of ASCII letters
/// True of a line that is only a comment: it begins with # or %.
bool is_comment(std::string_view line);

/// Reads a text from outside piece by piece rather than line by line.
class TextScanner {
  public:
    /// Throws Error as TextLines does if a line is not text.
    TextScanner(std::string_view text, const std::string& format, std::string_view source)
        : rest_(text), here_("", format, source) {
        constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
        TextLines lines(text, format, source);
        while (lines.next()) {
        }
        if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
    }

    bool is_at_end() const { return rest_.empty(); }
    bool is_here(std::string_view text) const { return rest_.starts_with(text); }
    char next() const { return rest_.empty() ? '\0' : rest_.front(); }
    std::string_view rest() const { return rest_; }

    std::string_view take(std::size_t n_bytes) {
        const std::string_view taken = rest_.substr(0, n_bytes);
        line_ += static_cast<int>(std::ranges::count(taken, '\n'));
        rest_.remove_prefix(taken.size());
        return taken;
    }
    /// Takes the text up to the first of these characters, or to the end.
    std::string_view take_until(std::string_view characters) {
        return take(std::min(rest_.find_first_of(characters), rest_.size()));
    }
    void skip(std::string_view characters) {
        take(std::min(rest_.find_first_not_of(characters), rest_.size()));
    }
    /// Goes past `text` and returns true if it is here.
    bool take_if(std::string_view text) {
        if (!is_here(text)) return false;
        take(text.size());
        return true;
    }

    [[noreturn]] void fail(const std::string& what) const {
        here_.fail_whole(fmt::format("line {}: {}", line_, what));
    }

  private:
    std::string_view rest_;
    TextLines here_;  // its messages have the format and the source
    int line_ = 1;
};

}  // namespace headlight
