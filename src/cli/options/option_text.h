// Numbers and words of options as text, and back.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "model/settings/setting_words.h"

namespace headlight {

/// A number that takes the whole text; nothing if it does not, or is not between the limits.
template <typename Number>
std::optional<Number> number_between(std::string_view text, Number low, Number high) {
    Number number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number);
    if (failure != std::errc() || rest != end || !(number >= low && number <= high))
        return std::nullopt;
    return number;
}

template <typename Number>
std::string short_text(Number number) {
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

/// "none|pre|post"
template <typename Choice, std::size_t n>
std::string words_text(const ChoiceWords<Choice, n>& words) {
    std::string text;
    for (const auto& [word, meaning] : words) text += (text.empty() ? "" : "|") + std::string(word);
    return text;
}

template <typename Choice, std::size_t n>
std::optional<Choice> choice_named(std::string_view text, const ChoiceWords<Choice, n>& words) {
    for (const auto& [word, meaning] : words)
        if (word == text) return meaning;
    return std::nullopt;
}

}  // namespace headlight
