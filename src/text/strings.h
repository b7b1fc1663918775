// Words, lists and numbers as a sentence has them, and text from files made fit for a message.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace headlight {

/// Writes "1 node", "2 nodes". `many` is the plural, where it is not `one` with an s.
std::string counted(std::int64_t n, std::string_view one, std::string_view many = {});

/// Returns the text without the blanks and line ends around it.
std::string_view trimmed(std::string_view text);

/// True if the list has an item that equals the value.
template <typename Value, typename List>
bool is_among(const Value& value, const List& list) {
    return std::ranges::find(list, value) != std::ranges::end(list);
}

/// Writes "a, b, c": the items, or the result of `of` for each of them, with `between` between two.
template <typename Items, typename Of = std::identity>
std::string joined(const Items& items, std::string_view between = ", ", Of of = {}) {
    std::string text;
    bool is_first = true;
    for (const auto& item : items) {
        if (!std::exchange(is_first, false)) text += between;
        fmt::format_to(std::back_inserter(text), "{}", std::invoke(of, item));
    }
    return text;
}

/// Writes "a, b and 3 more": at most so many of the items, as joined() has them.
template <typename Items, typename Of = std::identity>
std::string joined_few(const Items& items, std::size_t most, Of of = {}) {
    const std::span all(items);
    const std::string few = joined(all.first(std::min(most, all.size())), ", ", of);
    return all.size() > most ? fmt::format("{} and {} more", few, all.size() - most) : few;
}

/// Returns the text with `to` wherever it had `from`, which is not empty.
std::string replaced_all(std::string text, std::string_view from, std::string_view to);

/// Appends the part to the text, after `between` unless the text is empty.
void append_part(std::string& text, std::string_view between, std::string_view part);

/// Writes “cat”; a word that is or has a quotation mark stands between others: «"», but “didn't”.
std::string quoted_word(std::string_view word);

/// Returns the place of the first quoted word; npos if there is none.
std::size_t find_quoted_word(std::string_view text);

/// True for characters that would break a line, change the text direction, or control a terminal.
bool is_unprintable(char32_t character);

/// Returns text of several lines, for a terminal: all characters but line ends and tabs are as in
/// printable(), however long the text is.
std::string printable_lines(std::string_view text);

/// Returns one line of valid UTF-8: control characters are \n, \t, \x1b, bytes that are not UTF-8
/// are �, and a long text is shortened with "…".
std::string printable(std::string_view text);

/// Returns the same line between ' and '.
std::string in_quotes(std::string_view text);

/// Writes "'none', 'causal'".
std::string list_in_quotes(std::span<const std::string_view> texts);

/// Writes "; did you mean 'heads'?", or "" if none of the texts is near.
std::string suggestion(std::string_view text, std::span<const std::string_view> known);

/// Returns the text with &, <, > and " as XML and HTML write them in an element or an attribute.
std::string xml_escaped(std::string_view text);

}  // namespace headlight
