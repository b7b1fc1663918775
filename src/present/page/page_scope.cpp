#include "present/page/page_scope.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"

namespace headlight {
namespace {

ExpressionSide side_of_workspace(const Workspace& space) {
    return {.trace = *space.trace,
            .components = space.components,
            .shown = space.selection.chosen,
            .head = space.selection.head,
            .document = &space.session.document()};
}

void watch(std::vector<std::string>& watched, const std::vector<Expression>& expressions,
           const NameScope& names, ScopeSide side) {
    for (const Expression& expression : expressions)
        for (std::string& path : needed_paths(expression, names, side))
            watched.push_back(std::move(path));
}

[[noreturn]] void fail_computing(const ErrorPlace& place, const Workspace& space) {
    throw Error(place, "the study cannot be computed: {}", space.session.why_no_trace());
}

}  // namespace

ExpressionScope empty_scope() {
    static const Trace nothing;
    static const Components no_components;
    return {.a = {.trace = nothing, .components = no_components}, .b = nullptr, .before = nullptr};
}

ExpressionScope workspace_scope(const Workspace& space, std::optional<ExpressionSide>& b) {
    if (!space.trace) fail_computing("study", space);
    const Comparison& comparison = space.comparison.now();
    if (comparison.is_on() && comparison.trace)
        b.emplace(ExpressionSide{*comparison.trace, comparison.components,
                                 comparison.path_in_b(space.selection.chosen), space.selection.head,
                                 comparison.document});
    return {.a = side_of_workspace(space), .b = b ? &*b : nullptr, .before = nullptr};
}

void evaluate_before(const PageSource& source, OpenPage& page,
                     const std::vector<Expression>& expressions) {
    const bool is_read = std::ranges::any_of(expressions, [](const Expression& expression) {
        return expression.text.find("before.") != std::string::npos;
    });
    if (!is_read || !page.space) return;
    const auto document = page.index > 0 ? source.documents.at(page.index - 1) : nullptr;
    if (!page.before || page.before->document != document)
        page.before = document ? std::make_shared<PageBefore>(document) : nullptr;
    if (!page.before) return;
    Workspace& before = page.before->space;
    before.selection = page.space->selection;
    settle(before);
    if (!before.trace) return;
    watch(before.exported, expressions, side_of_workspace(before).names(), ScopeSide::Before);
    settle(before);
}

PageScope::PageScope(const PageSource& source, OpenPage& page,
                     const std::vector<Expression>& expressions) {
    if (!page.space && !expressions.empty())
        throw Error(expressions.front().where, "the page has no study whose numbers could be read");
    if (expressions.empty() && (!page.space || !page.space->trace)) {
        scope_.emplace(empty_scope());
        return;
    }
    Workspace& space = *page.space;
    const ErrorPlace place =
        expressions.empty() ? ErrorPlace(source.name) : expressions.front().where;
    if (!space.trace) fail_computing(place, space);
    std::vector<std::string> needed;
    watch(needed, expressions, side_of_workspace(space).names(), ScopeSide::A);
    watch(needed, expressions, side_of_workspace(space).names(), ScopeSide::B);
    const std::size_t n_watched = page.watched.size();
    watch_also(page, needed);
    if (!page.is_live || page.watched.size() != n_watched) settle(space);
    if (!space.trace) fail_computing(place, space);
    scope_.emplace(workspace_scope(space, side_b_));
    evaluate_before(source, page, expressions);
    add_before(page);
}

PageScope::PageScope(const OpenPage& page) {
    if (!page.space) {
        scope_.emplace(empty_scope());
        return;
    }
    scope_.emplace(workspace_scope(*page.space, side_b_));
    add_before(page);
}

void PageScope::add_before(const OpenPage& page) {
    if (!page.before || !page.before->space.trace) return;
    page.before->space.selection = page.space->selection;
    side_before_.emplace(side_of_workspace(page.before->space));
    scope_->before = &*side_before_;
}

namespace {

std::string_view text_before(std::string_view text, std::string_view mark) {
    return text.substr(0, std::min(text.find(mark), text.size()));
}

}  // namespace

/// "column 8 of 'argmax(answer)': the result is not a number (NaN), as of ∞ − ∞"
std::string why_missing(const Error& error) {
    std::string_view why = error.problem();
    constexpr std::string_view kEndOfPlace = "': ";
    if (why.starts_with("column "))
        if (const std::size_t end = why.find(kEndOfPlace); end != std::string_view::npos)
            why.remove_prefix(end + kEndOfPlace.size());
    return std::string(text_before(text_before(why, "; "), ", as of "));
}

std::string missing_values_words(const Faults& faults, const StudyNow& study) {
    std::vector<std::string> reasons;
    for (const Error& fault : faults) {
        std::string why = study.is_changed ? why_missing(fault) : fault.without_name();
        if (std::ranges::find(reasons, why) == reasons.end()) reasons.push_back(std::move(why));
    }
    const std::string begin =
        std::string(kNoValue) + (study.is_changed ? " has no value now: " : " has no value: ");
    std::string words;
    for (const std::string& why : reasons) words += (words.empty() ? begin : "; ") + why;
    return words;
}

PageText with_warning(PageText text, const std::string& warning) {
    if (warning.empty()) return text;
    TextBlock block;
    block.spans.push_back({.text = warning, .is_warning = true});
    text.blocks.push_back(std::move(block));
    return text;
}

std::string why_no_answer(const PageSource& source, OpenPage& page, const PageTask& task) {
    if (task.kind == PageTask::Kind::Choice || !page.space) return "";
    try {
        const PageScope scope(source, page, {task.expression});
        if (task.kind == PageTask::Kind::Goal)
            static_cast<void>(holds(task.expression, scope.scope()));
        else
            static_cast<void>(asked_value(task, scope.scope()));
        return "";
    } catch (const Error& error) {
        return why_missing(error);
    }
}

std::string no_answer_words(const std::string& why, const std::string& warning) {
    if (why.empty()) return "";
    const std::string words = "The question has no answer now";
    return warning.find(why) == std::string::npos ? fmt::format("{}: {}", words, why) : words + ".";
}

}  // namespace headlight
