#include "style/style_rules.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "style/style_scan.h"

namespace headlight::style {
namespace {

constexpr int kLongestFunction = 100, kShortFunction = 30;

using Rooms = std::set<std::string>;

/// A → B: A may include B, and what B may.
const std::map<std::string, Rooms>& arrows() {
    static const std::map<std::string, Rooms> arrows = {
        {"core", {}},
        {"text", {}},
        {"graph", {"text"}},
        {"model", {"core", "text", "graph"}},
        {"figure", {"core", "graph"}},
        {"learn", {"model"}},
        {"io", {"model", "figure", "learn"}},
        {"download", {"io"}},
        {"expression", {"io"}},
        {"views", {"expression"}},
        {"app_state", {"views"}},
        {"present", {"app_state"}},
        {"render", {"figure"}},
        {"ui", {"present", "render", "download"}},
        {"app", {"ui"}},
        {"cli", {"present", "app", "download"}},
        {"page", {"app"}},
        {"main", {"cli"}},
    };
    return arrows;
}

void collect_reachable(const std::string& room, Rooms& reached) {
    if (!reached.insert(room).second) return;
    const auto found = arrows().find(room);
    if (found == arrows().end()) return;
    for (const std::string& next : found->second) collect_reachable(next, reached);
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// What a line may not match. A line that matches contains one of the parts, which are found much
/// faster than the pattern.
struct Forbidden {
    std::regex pattern;
    std::vector<std::string> parts;
    std::string what;
};

bool is_in(const Forbidden& forbidden, const std::string& line) {
    const auto contains = [&](const std::string& part) {
        return line.find(part) != std::string::npos;
    };
    return std::ranges::any_of(forbidden.parts, contains) &&
           std::regex_search(line, forbidden.pattern);
}

/// A finding for every line of `text` that matches.
std::vector<Finding> find_lines(const std::string& file, const std::string& text,
                                const Forbidden& forbidden) {
    std::vector<Finding> findings;
    int number = 0;
    for (const std::string& line : split_lines(text)) {
        ++number;
        if (is_in(forbidden, line)) findings.push_back({file, number, forbidden.what});
    }
    return findings;
}

/// Commands use scenes; only one of them pictures the window itself.
bool is_against_window(const std::string& file, const std::string& target) {
    return target == "ui" && room_of(file) == "cli" && file != "src/cli/export_command.cpp";
}

/// Empty if `file` may include `path`; otherwise the reason.
std::string reason_against(const std::string& file, const std::string& path) {
    const std::string room = room_of(file);
    static const std::set<std::string> common = {"core/bits.h", "core/error.h", "core/matrix.h",
                                                 "core/numeric/read_digits.h", "core/pieces.h"};
    if (common.count(path) > 0) return {};
    if (path.rfind("embedded_", 0) == 0) return {};  // generated
    const std::string target = path.substr(0, path.find('/'));
    if (path.find('/') == std::string::npos || arrows().count(target) == 0) {
        return "\"" + path + "\" is not written from src/";
    }
    Rooms reached;
    collect_reachable(room, reached);
    if (reached.count(target) > 0 && !is_against_window(file, target)) return {};
    return room + " may not include \"" + path + "\"";
}

struct Vocabulary {
    Forbidden elsewhere;
    Rooms places;  // rooms, or single files, that may use it
};

const std::vector<Vocabulary>& vocabularies() {
    static const std::vector<Vocabulary> all = {
        {{std::regex(R"(\bImGui::)"), {"ImGui::"}, "ImGui:: belongs into ui and app"},
         {"ui", "app", "page"}},
        {{std::regex(R"(\bSetKeyboardFocusHere\b)"),
          {"SetKeyboardFocusHere"},
          "the keyboard is led by focus_next_item, since ImGui 1.90.1 needs help"},
         {"src/ui/compat.cpp"}},
        {{std::regex(R"(\bgl[A-Z]\w+\()"), {"gl"}, "OpenGL calls belong into render"}, {"render"}},
        {{std::regex(R"(\bglfw[A-Z]|<GLFW/)"), {"glfw", "GLFW"}, "GLFW belongs into app"}, {"app"}},
        {{std::regex(R"(\bnlohmann\b)"), {"nlohmann"}, "nlohmann-json belongs into io"},
         {"io", "src/figure/theme.cpp"}},  // the theme's colours are a JSON asset
        {{std::regex(R"(<curl/|\bcurl_\w+\(|<sys/socket\.h>|<netdb\.h>)"),
          {"curl", "socket", "netdb"},
          "the network belongs into download"},
         {"download"}},
        {{std::regex(R"(<(fstream|filesystem)>)"),
          {"<f"},
          "files belong into io and what builds on it"},
         {"io", "download", "views", "app_state", "present", "render", "ui", "app", "cli", "page",
          "main"}},
        {{std::regex(R"(<(thread|future|mutex|condition_variable)>)"),
          {"<thread", "<future", "<mutex", "<condition"},
          "core, text, graph and figure know no threads"},
         {"model", "io", "render", "ui", "app", "cli", "main", "src/core/progress.h",
          "src/app_state/training_run.h", "src/app_state/training_run.cpp"}},
    };
    return all;
}

}  // namespace

std::string report(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings) {
        text += finding.file + ":" + std::to_string(finding.line) + ": " + finding.what + "\n";
    }
    return text;
}

std::string room_of(const std::string& file) {
    if (file.rfind("src/", 0) != 0) return {};
    const std::size_t slash = file.find('/', 4);
    return slash == std::string::npos ? "main" : file.substr(4, slash - 4);
}

std::vector<Finding> check_includes(const std::string& file, const std::string& text) {
    static const std::regex include(R"re(^\s*#\s*include\s*"([^"]+)")re");
    std::vector<Finding> findings;
    int number = 0;
    for (const std::string& line : split_lines(without_comments(text))) {
        ++number;
        std::smatch match;
        if (line.find("include") == std::string::npos) continue;
        if (!std::regex_search(line, match, include)) continue;
        const std::string reason = reason_against(file, match[1]);
        if (!reason.empty()) findings.push_back({file, number, reason});
    }
    return findings;
}

std::vector<Finding> check_length(const std::string& file, const std::string& text) {
    const int longest = ends_with(file, ".h") ? kLongestHeader : kLongestSource;
    const int lines = static_cast<int>(split_lines(text).size());
    if (lines <= longest) return {};
    return {
        {file, lines, std::to_string(lines) + " lines; the limit is " + std::to_string(longest)}};
}

std::vector<Finding> check_comments(const std::string& file, const std::string& text) {
    static constexpr const char* kClauses[] = {"What ", "Of ", "That ", "Those ", "The same "};
    std::vector<Finding> findings;
    bool goes_on = false;  // the line before was a comment
    int number = 0;
    for (const std::string& line : split_lines(text)) {
        ++number;
        const std::size_t begin = line.find_first_not_of(" /");
        const std::size_t mark = line.find_first_not_of(' ');
        const bool is_comment = mark != std::string::npos && line.compare(mark, 2, "//") == 0;
        if (is_comment && !goes_on && begin != std::string::npos)
            for (const char* clause : kClauses)
                if (line.compare(begin, std::string(clause).size(), clause) == 0)
                    findings.push_back({file, number,
                                        "the comment begins with '" + std::string(clause) +
                                            "' and is no sentence"});
        goes_on = is_comment;
    }
    return findings;
}

std::vector<Finding> check_functions(const std::string& file, const std::string& text) {
    std::vector<Finding> findings;
    for (const Function& function : functions_in(text)) {
        if (function.length <= kLongestFunction) continue;
        findings.push_back({file, function.line,
                            function.name + " has " + std::to_string(function.length) +
                                " lines; the limit is " + std::to_string(kLongestFunction)});
    }
    return findings;
}

std::vector<Finding> check_macros(const std::string& file, const std::string& text) {
    static const Forbidden define = {
        std::regex(R"(^\s*#\s*define\b)"), {"define"}, "a macro is defined"};
    return find_lines(file, without_comments(text), define);
}

std::vector<Finding> check_pragma_once(const std::string& file, const std::string& text) {
    if (!ends_with(file, ".h")) return {};
    const std::vector<std::string> lines = split_lines(without_comments(text));
    if (std::ranges::find(lines, "#pragma once") != lines.end()) return {};
    return {{file, 1, "a header without #pragma once"}};
}

std::vector<Finding> check_vocabulary(const std::string& file, const std::string& text) {
    std::vector<Finding> findings;
    const std::string code = without_comments(text);
    for (const Vocabulary& vocabulary : vocabularies()) {
        const Rooms& places = vocabulary.places;
        if (places.count(room_of(file)) > 0 || places.count(file) > 0) continue;
        const auto found = find_lines(file, code, vocabulary.elsewhere);
        findings.insert(findings.end(), found.begin(), found.end());
    }
    return findings;
}

std::vector<Finding> check_arithmetic(const std::string& file, const std::string& text) {
    static const Forbidden flag = {std::regex(R"(fast-math|-Ofast|finite-math-only|unsafe-math)"),
                                   {"math", "-Ofast"},
                                   "-inf and NaN are legal numbers here"};
    return find_lines(file, text, flag);
}

bool most_are_short(const std::vector<int>& lengths) {
    const auto is_short = [](int length) { return length <= kShortFunction; };
    const auto n_short = std::count_if(lengths.begin(), lengths.end(), is_short);
    return static_cast<std::size_t>(n_short) * 10 >= lengths.size() * 9;
}

}  // namespace headlight::style
