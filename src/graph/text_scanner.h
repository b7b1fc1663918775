// Text from outside that is read piece by piece rather than line by line.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

#include "graph/text_lines.h"

namespace headlight {

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
