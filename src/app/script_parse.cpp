#include "app/script_parse.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <utility>

#include "core/error.h"
#include "text/strings.h"

namespace headlight {
namespace {

std::vector<std::string_view> split_at_blanks(std::string_view text) {
    std::vector<std::string_view> words;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        const std::size_t end = std::min(text.find(' '), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return words;
}

bool is_placeholder(std::string_view word) {
    return std::ranges::all_of(word, [](unsigned char c) { return std::isupper(c); });
}

/// Cuts the blanks at the beginning of a line. Those at its end stay: they may be typed.
std::string_view without_margin(std::string_view line) {
    while (line.ends_with('\r')) line.remove_suffix(1);
    while (line.starts_with(' ') || line.starts_with('\t') || line.starts_with('\r'))
        line.remove_prefix(1);
    return line;
}

/// Cuts the text of a placeholder from the front of the line: up to the next word of the usage, one
/// word if that is a placeholder as well, or all. Nothing if that word is missing.
std::optional<std::string_view> cut(std::string_view& line, std::optional<std::string_view> next) {
    std::size_t end = line.size();
    if (next) end = line.find(is_placeholder(*next) ? " " : fmt::format(" {} ", *next));
    if (end == std::string_view::npos || end == 0) return std::nullopt;
    const std::string_view text = line.substr(0, end);
    line.remove_prefix(end);
    if (!line.empty()) line.remove_prefix(1);
    return trimmed(text);
}

/// Returns the last text of a line: for TEXT all that follows one blank; any other has no blanks
/// around it.
std::optional<std::string_view> rest_after(std::string_view line, std::string_view placeholder) {
    const std::string_view text = placeholder == "TEXT" ? line : trimmed(line);
    return text.empty() ? std::nullopt : std::optional(text);
}

/// A line of a script, and its place.
struct PlacedLine {
    std::string_view text;
    int number;
    const std::string& name;
};

ScriptStep parse_line(const PlacedLine& placed, std::span<const ScriptLine> lines) {
    const auto& [text, number, name] = placed;
    for (const ScriptLine& line : lines)
        if (auto texts = match_line(line.usage, text))
            return {number, std::string(trimmed(text)), &line, std::move(*texts)};
    const std::string_view verb = split_at_blanks(text).front();
    std::string usages;
    std::vector<std::string_view> verbs;
    for (const ScriptLine& line : lines) {
        verbs.push_back(split_at_blanks(line.usage).front());
        if (verbs.back() == verb) append_part(usages, " or ", line.usage);
    }
    const std::string where = fmt::format("{}:{}", name, number);
    if (!usages.empty())
        throw Error(where, "{} is not understood; write {}", in_quotes(std::string(trimmed(text))),
                    usages);
    throw Error(where, "no line begins with {}{}", in_quotes(std::string(verb)),
                suggestion(verb, verbs));
}

}  // namespace

std::optional<std::vector<std::string>> match_line(std::string_view usage, std::string_view line) {
    const std::vector<std::string_view> words = split_at_blanks(usage);
    std::vector<std::string> texts;
    line = without_margin(line);
    for (std::size_t k = 0; k < words.size(); ++k) {
        const bool is_last = k + 1 == words.size();
        const auto next = is_last ? std::nullopt : std::optional(words[k + 1]);
        const bool stands_for_text = is_placeholder(words[k]);
        if (words[k] != "TEXT" || !is_last) line = without_margin(line);
        const auto text = is_last ? rest_after(line, words[k])
                                  : cut(line, stands_for_text ? next : std::optional("X"));
        if (!text || (!stands_for_text && *text != words[k])) return std::nullopt;
        if (stands_for_text) texts.emplace_back(*text);
    }
    return texts;
}

std::vector<ScriptStep> parse_script(std::string_view text, const std::string& name,
                                     std::span<const ScriptLine> lines) {
    std::vector<ScriptStep> steps;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = without_margin(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (trimmed(line).empty() || line.front() == '#') continue;
        steps.push_back(parse_line({line, number, name}, lines));
    }
    return steps;
}

}  // namespace headlight
