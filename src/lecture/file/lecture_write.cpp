#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "lecture/file/indented_mark.h"
#include "lecture/file/lecture_lines.h"
#include "lecture/lecture.h"

namespace headlight {
namespace {

/// Calls `take` for every line of the text; none of an empty one.
void for_lines(const std::string& text, const auto& take) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        take(text.substr(at, end - at));
        at = end + 1;
    }
}

void add_text(std::string& out, const std::string& text) {
    if (text.empty()) return;
    out += '\n';
    for_lines(text, [&](const std::string& line) {
        const bool is_special =
            !line.empty() && (line[0] == '#' || line[0] == '>' || line[0] == '\\' ||
                              line.starts_with("```") || is_indented_mark(line));
        out += (is_special ? "\\" : "") + line + '\n';
    });
}

void add_directives(std::string& out, const Directives& directives) {
    if (directives.empty()) return;
    out += "\n```headlight\n";
    for (const Directive& directive : directives)
        out += directive.key + ": " + directive.value + '\n';
    out += "```\n";
}

int count_lines(std::string_view text) {
    return static_cast<int>(std::ranges::count(text, '\n'));
}

/// Of blocks that begin after so many lines. Returns how many there are after them.
int number_blocks(int n_before, const std::map<std::string, std::string>& blocks,
                  std::map<std::string, int>& lines) {
    constexpr int kEmptyAndFence = 2, kEnd = 1;
    lines.clear();
    for (const auto& [name, inside] : blocks) {
        n_before += kEmptyAndFence;
        lines[name] = n_before + 1;
        n_before += count_lines(inside) + kEnd;
    }
    return n_before;
}

}  // namespace

/// What stands inside the file comes last, and may be large: its lines are counted alone.
void number_lines(Lecture& lecture) {
    Lecture words{.title = lecture.title,
                  .text = lecture.text,
                  .directives = lecture.directives,
                  .pages = lecture.pages};
    const std::string text = write_lecture(words);
    Faults faults;
    Lecture read;
    const bool is_read = attempt(&faults, [&] { read = read_lecture(text, "", &faults); });
    if (!is_read || !faults.empty() || !(read == words)) return;
    lecture.text_lines = std::move(read.text_lines);
    lecture.directives = std::move(read.directives);
    lecture.pages = std::move(read.pages);
    const int n_lines = number_blocks(count_lines(text), lecture.studies, lecture.study_lines);
    number_blocks(n_lines, lecture.curves, lecture.curve_lines);
}

std::string write_lecture(const Lecture& lecture) {
    std::string out = "# " + lecture.title + '\n';
    add_text(out, lecture.text);
    add_directives(out, lecture.directives);
    for (const LecturePage& page : lecture.pages) {
        out += "\n## " + page.title + '\n';
        add_text(out, page.text);
        if (!page.notes.empty()) out += '\n';
        for_lines(page.notes, [&](const std::string& line) {
            out += line.empty() ? ">\n" : "> " + line + '\n';
        });
        add_directives(out, page.directives);
    }
    for (const auto& [name, study] : lecture.studies)
        out += "\n```study " + name + '\n' + study + "```\n";
    for (const auto& [name, curve] : lecture.curves)
        out += "\n```curve " + name + '\n' + curve + "```\n";
    return out;
}

}  // namespace headlight
