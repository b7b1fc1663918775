#include <algorithm>
#include <string>

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
        const bool is_special = !line.empty() && (line[0] == '#' || line[0] == '>' ||
                                                  line[0] == '\\' || line.starts_with("```"));
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

}  // namespace

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
