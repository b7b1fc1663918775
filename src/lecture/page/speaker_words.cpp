#include "lecture/page/speaker_words.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "lecture/page/page_scope.h"
#include "lecture/page/page_text.h"

namespace headlight {
namespace {

/// Every line is read by itself: notes keep their lines.
struct NoteLine {
    std::string written;
    std::optional<PageText> text;  // absent: it cannot be read
};

std::vector<NoteLine> read_notes(const std::string& notes, const std::string& source_name) {
    std::vector<NoteLine> lines;
    for (std::size_t at = 0; at <= notes.size();) {
        const std::size_t end = std::min(notes.find('\n', at), notes.size());
        NoteLine line{notes.substr(at, end - at), {}};
        try {
            line.text = read_page_text(line.written, source_name);
        } catch (const Error&) {  // stays as it is written
        }
        lines.push_back(std::move(line));
        at = end + 1;
    }
    return lines;
}

std::string words_of(const NoteLine& line, const PageScope* scope) {
    if (!line.text) return line.written;
    if (expressions_in(*line.text).empty()) return plain_text(*line.text);
    if (!scope) return line.written;
    try {
        return plain_text(fill(*line.text, scope->scope()));
    } catch (const Error&) {
        return line.written;
    }
}

std::vector<Expression> expressions_in(const std::vector<NoteLine>& lines) {
    std::vector<Expression> all;
    for (const NoteLine& line : lines)
        if (line.text)
            for (Expression& expression : expressions_in(*line.text))
                all.push_back(std::move(expression));
    return all;
}

}  // namespace

std::string filled_notes(const PageSource& source, OpenPage& page) {
    const std::vector<NoteLine> lines =
        read_notes(source.lecture.pages[page.index].notes, source.name);
    std::vector<Expression> expressions = expressions_in(lines);
    std::optional<PageScope> scope;
    if (page.space && !expressions.empty()) scope.emplace(source, page, std::move(expressions));
    std::string words;
    for (const NoteLine& line : lines)
        words += (&line == &lines.front() ? "" : "\n") + words_of(line, scope ? &*scope : nullptr);
    return words;
}

std::string answer_for_speaker(const PageSource& source, OpenPage& page, const PageTask& task) {
    if (task.kind == PageTask::Kind::Choice) return "";
    if (task.kind == PageTask::Kind::Goal) {
        std::string changes;
        for (const Directive& change : task.solution)
            changes += (changes.empty() ? "Solution: " : "; ") + change.key + " " + change.value;
        return changes;
    }
    try {
        const PageScope scope(source, page, {task.expression});
        return "Right: " + right_answer(task, scope.scope());
    } catch (const Error&) {
        return "";
    }
}

}  // namespace headlight
