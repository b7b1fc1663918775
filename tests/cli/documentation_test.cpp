// Every example in docs/commands.md is run, and what it prints is compared with what is written.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "headlight_run.h"
#include "io/files/file.h"
#include "source_folder.h"

namespace headlight::documentation_test {
namespace {

/// A command of a ```console block and the lines under it; "…" stands for any number of lines.
struct Example {
    std::string command;
    std::vector<std::string> output;
};

std::vector<Example> examples_in(const std::string& text) {
    std::vector<Example> examples;
    std::istringstream lines(text);
    bool is_console = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```"))
            is_console = line == "```console";
        else if (is_console && line.starts_with("$ "))
            examples.push_back({line.substr(2), {}});
        else if (is_console)
            examples.back().output.push_back(line);
    }
    return examples;
}

/// Splits a command like a shell, for the quotes in these examples.
std::vector<std::string> words_of(const std::string& command) {
    std::vector<std::string> words;
    char quote = 0;
    bool is_open = false;
    for (const char c : command) {
        if (quote == 0 && c == ' ') {
            is_open = false;
            continue;
        }
        if (!is_open) words.emplace_back();
        is_open = true;
        if (quote == 0 && (c == '"' || c == '\''))
            quote = c;
        else if (c == quote)
            quote = 0;
        else
            words.back() += c;
    }
    return words;
}

std::vector<std::string> split_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Takes a number without its sign from the front of the text; returns it and its last place.
std::pair<double, double> take_number(std::string_view& text) {
    std::size_t end = 0;
    double last_place = 1;
    bool has_point = false;
    while (end < text.size() && (is_digit(text[end]) || (text[end] == '.' && !has_point))) {
        if (has_point) last_place /= 10;
        has_point = has_point || text[end] == '.';
        ++end;
    }
    const double number = std::stod(std::string(text.substr(0, end)));
    text.remove_prefix(end);
    return {number, last_place};
}

/// True if lines are equal up to one unit in the last place of a number: processors round sums
/// differently.
bool same_line(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        if (is_digit(a[0]) && is_digit(b[0])) {
            const auto [number_a, place_a] = take_number(a);
            const auto [number_b, place_b] = take_number(b);
            if (std::abs(number_a - number_b) > 1.01 * std::max({place_a, place_b, 1e-6}))
                return false;
        } else {
            if (a[0] != b[0]) return false;
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    return a.empty() && b.empty();
}

void check_output(const std::vector<std::string>& written, const std::vector<std::string>& real) {
    std::size_t at = 0;
    bool may_skip = false;
    for (const std::string& line : written) {
        if (line == "…") {
            may_skip = true;
            continue;
        }
        while (may_skip && at < real.size() && !same_line(line, real[at])) ++at;
        REQUIRE(at < real.size());
        INFO(real[at]);
        CHECK_MESSAGE(same_line(line, real[at]), line);
        ++at;
        may_skip = false;
    }
    CHECK((may_skip || at == real.size()));
}

/// The working folder, for the relative paths in the examples.
class WorkingFolder {
  public:
    explicit WorkingFolder(const std::string& folder) : before_(std::filesystem::current_path()) {
        std::filesystem::current_path(folder);
    }
    ~WorkingFolder() {
        std::error_code ignored;
        std::filesystem::current_path(before_, ignored);
    }
    WorkingFolder(const WorkingFolder&) = delete;
    WorkingFolder& operator=(const WorkingFolder&) = delete;

  private:
    std::filesystem::path before_;
};

void check_example(const Example& example) {
    std::vector<std::string> words = words_of(example.command);
    INFO(example.command);
    if (words[0] == "cat") {  // the file of the examples that follow
        std::string text;
        for (const std::string& line : example.output) text += line + "\n";
        return write_file(words[1], text);
    }
    REQUIRE(words[0] == "headlight");
    words.erase(words.begin());
    const Ran ran = headlight_run(words);
    check_output(example.output, split_lines(ran.out + ran.err));
}

}  // namespace

TEST_CASE("docs: a number that is off by more than its last place, or another word, is noticed") {
    CHECK(same_line("x = 0.646, y", "x = 0.647, y"));
    CHECK_FALSE(same_line("x = 0.646, y", "x = 0.649, y"));
    CHECK_FALSE(same_line("x = 0.646, y", "x = 0.646, z"));
    CHECK_FALSE(same_line("x = 0.646", "x = 0.646 and more"));
    CHECK_FALSE(same_line("3 rows", "5 rows"));
}

TEST_CASE("docs/commands.md: every example prints what the page shows") {
    const std::filesystem::path file = source_folder() / "docs/commands.md";
    const std::vector<Example> examples = examples_in(read_file(file));
    CHECK(examples.size() >= 10);
    const TemporaryFolder folder;
    const WorkingFolder here(folder.file(""));
    for (const Example& example : examples) check_example(example);
}

}  // namespace headlight::documentation_test
