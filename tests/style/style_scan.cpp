#include "style/style_scan.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

namespace headlight::style {
namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Length of the literal that starts at `at`, quotes included; 0 if none starts there.
std::size_t raw_string_length(const std::string& text, std::size_t at) {
    if (text.compare(at, 2, "R\"") != 0 || (at > 0 && is_word(text[at - 1]))) return 0;
    const std::size_t open = text.find('(', at);
    if (open == std::string::npos) return 0;
    const std::string close = text.substr(at + 2, open - at - 2).insert(0, 1, ')') + '"';
    const std::size_t end = text.find(close, open);
    return end == std::string::npos ? text.size() - at : end + close.size() - at;
}

std::size_t quoted_length(const std::string& text, std::size_t at) {
    const char quote = text[at];
    if (quote != '"' && quote != '\'') return 0;
    if (quote == '\'' && at > 0 && std::isxdigit(static_cast<unsigned char>(text[at - 1])) != 0) {
        return 0;  // 1'000
    }
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != quote && text[end] != '\n') {
        end += text[end] == '\\' ? 2 : 1;
    }
    return std::min(end + 1, text.size()) - at;
}

std::size_t comment_length(const std::string& text, std::size_t at) {
    if (text.compare(at, 2, "//") == 0) return std::min(text.find('\n', at), text.size()) - at;
    if (text.compare(at, 2, "/*") != 0) return 0;
    const std::size_t end = text.find("*/", at + 2);
    return (end == std::string::npos ? text.size() : end + 2) - at;
}

void blank(std::string& text, std::size_t from, std::size_t length) {
    for (std::size_t k = from; k < from + length; ++k) {
        if (text[k] != '\n') text[k] = ' ';
    }
}

enum class Literals { Keep, Blank };

std::string blank_comments(std::string text, Literals literals) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t comment = comment_length(text, at);
        blank(text, at, comment);
        std::size_t literal = comment > 0 ? 0 : raw_string_length(text, at);
        if (comment == 0 && literal == 0) literal = quoted_length(text, at);
        if (literals == Literals::Blank) blank(text, at, literal);
        at += std::max<std::size_t>(1, comment + literal);
    }
    return text;
}

void blank_preprocessor(std::string& text) {
    std::size_t at = 0;
    bool continued = false;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::size_t first = text.find_first_not_of(" \t", at);
        if (continued || (first < end && text[first] == '#')) {
            continued = end > at && text[end - 1] == '\\';
            blank(text, at, end - at);
        }
        at = end + 1;
    }
}

/// What an opening brace opens; the text before it decides.
enum class Opens { Scope, Function, Value };

Opens what_opens(const std::string& head) {
    static const std::regex scope(R"(^\s*(template\s*<.*>\s*)?(inline\s+)?(namespace|class|struct)"
                                  R"(|union|enum|extern)\b[^()]*$)");
    static const std::regex member_value(R"(\)[\s\w]*:(?!:)[\s\S]*[\w>]\s*$)");
    static const std::regex assigned(R"(=\s*$)");
    if (head.find_first_not_of(" \n\t") == std::string::npos) return Opens::Scope;
    if (std::regex_search(head, scope)) return Opens::Scope;
    if (std::regex_search(head, member_value) || std::regex_search(head, assigned)) {
        return Opens::Value;
    }
    return head.find(')') == std::string::npos ? Opens::Value : Opens::Function;
}

std::size_t closing_brace(const std::string& code, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < code.size(); ++at) {
        if (code[at] == '{') ++depth;
        if (code[at] == '}' && --depth == 0) return at;
    }
    return code.size() - 1;
}

std::string name_in(const std::string& head) {
    static const std::regex name(R"(([\w:~]+|operator\s*\S+)\s*\()");
    std::smatch match;
    return std::regex_search(head, match, name) ? match[1].str() : "a function without a name";
}

int count_lines(const std::string& code, std::size_t from, std::size_t to) {
    return static_cast<int>(std::count(code.begin() + static_cast<std::ptrdiff_t>(from),
                                       code.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
}

}  // namespace

std::string without_comments(const std::string& text) {
    return blank_comments(text, Literals::Keep);
}

std::string code_only(const std::string& text) {
    std::string code = blank_comments(text, Literals::Blank);
    blank_preprocessor(code);
    return code;
}

std::vector<std::string> split_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::vector<Function> functions_in(const std::string& text) {
    const std::string code = code_only(text);
    std::vector<Function> functions;
    std::string head;
    for (std::size_t at = 0; at < code.size(); ++at) {
        if (code[at] == ';' || code[at] == '}') {
            head.clear();
        } else if (code[at] != '{') {
            head += code[at];
        } else if (const Opens opens = what_opens(head); opens == Opens::Scope) {
            head.clear();
        } else {
            const std::size_t end = closing_brace(code, at);
            if (opens == Opens::Function) {
                functions.push_back(
                    {name_in(head), count_lines(code, 0, at) + 1, count_lines(code, at, end) + 1});
                head.clear();
            } else {
                head += "{}";
            }
            at = end;
        }
    }
    return functions;
}

}  // namespace headlight::style
