// An option as a text: its name, its possible values, and the function that takes a value over. The
// command line and the pages of lectures read the same options.
#pragma once

#include <fmt/format.h>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/numeric/read_digits.h"
#include "core/numeric/short_number.h"
#include "model/settings/setting_names.h"
#include "text/strings.h"

namespace headlight {

enum class ViewId;

/// Takes a text's meaning over, or returns false.
using Accept = std::function<bool(const std::string& text)>;

struct TextOption {
    std::string names;    // "--heads,--n-heads"
    std::string what;     // "Attention heads in each layer, 1 to 16 [4]"
    std::string type;     // "NUMBER", "none|pre|post"
    std::string refusal;  // "is not a number from 1 to 16"
    Accept accept;
    enum class Given { Once, OftenAsWell } given = Given::Once;
    std::vector<ViewId> views = {};  // it can change these; empty: all, or it is of none
};

/// Reads a number that takes the whole text; returns nothing if it does not, or is not between the
/// limits.
template <typename Number>
std::optional<Number> number_between(std::string_view text, Number low, Number high) {
    Number number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = read_digits(text.data(), end, number);
    if (failure != std::errc() || rest != end || !(number >= low && number <= high))
        return std::nullopt;
    return number;
}

/// "none|pre|post"
template <typename Choice, std::size_t n>
std::string words_text(const EnumNames<Choice, n>& words) {
    return joined(words, "|", [](const auto& choice) { return choice.first; });
}

template <typename Choice, std::size_t n>
std::optional<Choice> choice_named(std::string_view text, const EnumNames<Choice, n>& words) {
    for (const auto& [word, meaning] : words)
        if (word == text) return meaning;
    return std::nullopt;
}

/// Adds the usual value, " [4]", after the description of an option.
inline std::string with_default(const std::string& text) {
    return fmt::format(" [{}]", text);
}

template <typename Number>
TextOption number_option(const char* name, Number& value, Number low, Number high,
                         const std::string& what) {
    const std::string range = fmt::format("{} to {}", fewest_digits(low), fewest_digits(high));
    return {name, fmt::format("{}, {}{}", what, range, with_default(fewest_digits(value))),
            "NUMBER", "is not a number from " + range,
            [&value, low, high](const std::string& text) {
                const auto number = number_between<Number>(text, low, high);
                if (number) value = *number;
                return number.has_value();
            }};
}

template <typename Choice, std::size_t n>
TextOption choice_option(const char* name, Choice& value, const EnumNames<Choice, n>& words,
                         const std::string& what) {
    const std::string known = words_text(words);
    return {name, what + with_default(std::string(word_for(words, value))), known,
            "is not one of " + known, [&value, &words](const std::string& text) {
                const auto choice = choice_named(text, words);
                if (choice) value = *choice;
                return choice.has_value();
            }};
}

}  // namespace headlight
