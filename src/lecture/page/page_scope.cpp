#include "lecture/page/page_scope.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace headlight {
namespace {

ExpressionSide side_of_workspace(const Workspace& space) {
    return {.trace = *space.page,
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
    if (!space.page) fail_computing("study", space);
    const Comparison& comparison = space.comparison;
    if (comparison.is_on() && comparison.trace())
        b.emplace(ExpressionSide{*comparison.trace(), comparison.components(),
                                 comparison.path_in_b(space.selection.chosen), space.selection.head,
                                 comparison.document()});
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
    if (!before.page) return;
    watch(before.exported, expressions, side_of_workspace(before).names(), ScopeSide::Before);
    settle(before);
}

PageScope::PageScope(const PageSource& source, OpenPage& page,
                     const std::vector<Expression>& expressions) {
    if (!page.space && !expressions.empty())
        throw Error(expressions.front().where, "the page has no study whose numbers could be read");
    if (expressions.empty() && (!page.space || !page.space->page)) {
        scope_.emplace(empty_scope());
        return;
    }
    Workspace& space = *page.space;
    const ErrorPlace place =
        expressions.empty() ? ErrorPlace(source.name) : expressions.front().where;
    if (!space.page) fail_computing(place, space);
    std::vector<std::string> needed;
    watch(needed, expressions, side_of_workspace(space).names(), ScopeSide::A);
    watch(needed, expressions, side_of_workspace(space).names(), ScopeSide::B);
    const std::size_t n_watched = page.watched.size();
    watch_also(page, needed);
    if (!page.is_live || page.watched.size() != n_watched) settle(space);
    if (!space.page) fail_computing(place, space);
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
    if (!page.before || !page.before->space.page) return;
    page.before->space.selection = page.space->selection;
    side_before_.emplace(side_of_workspace(page.before->space));
    scope_->before = &*side_before_;
}

}  // namespace headlight
