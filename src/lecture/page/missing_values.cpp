#include "lecture/page/missing_values.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

#include "lecture/page/page_scope.h"

namespace headlight {
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

std::string missing_values_words(const Faults& faults, StudyIs study) {
    const bool is_changed = study == StudyIs::Changed;
    std::vector<std::string> reasons;
    for (const Error& fault : faults) {
        std::string why = is_changed ? why_missing(fault) : fault.without_name();
        if (std::ranges::find(reasons, why) == reasons.end()) reasons.push_back(std::move(why));
    }
    const std::string begin =
        std::string(kNoValue) + (is_changed ? " has no value now: " : " has no value: ");
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
