#include "lecture/tasks/task_text.h"

#include <utility>

namespace headlight {
namespace {

/// All parts of a task's text, in the order of the page.
std::vector<PageText*> parts_of_task(TaskText& text) {
    std::vector<PageText*> parts{&text.question};
    for (PageText& choice : text.choices) parts.push_back(&choice);
    for (PageText& hint : text.hints) parts.push_back(&hint);
    return parts;
}

/// Values are bold in a text. Among choices that would tell which of them was computed, and that is
/// often the right one.
void make_choices_alike(TaskText& text) {
    using Kind = TextSpan::Kind;
    for (PageText& choice : text.choices)
        for (TextBlock& block : choice.blocks)
            for (TextSpan& span : block.spans)
                if (span.kind == Kind::Value) span.kind = Kind::Words;
}

}  // namespace

TaskText read_task_text(const PageTask& task, const std::string& source_name, Faults* faults) {
    TaskText text{.question = read_page_text(task.question, source_name, {task.line}, faults)};
    for (TextBlock& block : text.question.blocks)
        for (TextSpan& span : block.spans) span.is_bold = true;
    for (const TaskChoice& choice : task.choices)
        text.choices.push_back(read_page_text(choice.text, source_name, {choice.line}, faults));
    for (const TaskHint& hint : task.hints)
        text.hints.push_back(read_page_text(hint.text, source_name, {hint.line}, faults));
    return text;
}

std::vector<Expression> expressions_in(const TaskText& text) {
    TaskText copy = text;
    std::vector<Expression> all;
    for (const PageText* part : parts_of_task(copy))
        for (Expression& expression : expressions_in(*part)) all.push_back(std::move(expression));
    return all;
}

TaskText fill(TaskText text, const ExpressionScope& scope, Faults* faults) {
    for (PageText* part : parts_of_task(text)) *part = fill(std::move(*part), scope, faults);
    make_choices_alike(text);
    return text;
}

TaskText without_values(TaskText text) {
    for (PageText* part : parts_of_task(text)) *part = without_values(std::move(*part));
    make_choices_alike(text);
    return text;
}

std::vector<PageText> names_to_order(const PageTask& task, const ExpressionScope& scope) {
    const Value row = asked_value(task, scope);
    std::vector<PageText> names;
    for (Eigen::Index k = 0; k < row.numbers.cols(); ++k)
        names.push_back(plain_words(name_in_row(row, k).text));
    return names;
}

PageText plain_words(std::string words) {
    TextSpan span;
    span.text = std::move(words);
    TextBlock block;
    block.spans.push_back(std::move(span));
    return {{std::move(block)}};
}

}  // namespace headlight
