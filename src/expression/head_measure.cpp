#include "expression/head_measure.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/error.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr const char* kReady[] = {"special: mean(on_special(pattern))",
                                  "punctuation: mean(on_punctuation(pattern))",
                                  "same word: mean(on_same_word(pattern))"};

/// Returns the text before a colon that is in no quotes, brackets or call.
std::string_view name_before_colon(std::string_view text) {
    const std::size_t colon = text.find(':');
    const bool is_name = colon != std::string_view::npos &&
                         text.substr(0, colon).find_first_of("\"'([") == std::string_view::npos;
    return is_name ? text.substr(0, colon) : std::string_view();
}

/// Returns the path of the pattern; short names are looked for beside it.
std::string pattern_path(const std::string& attention, int head) {
    return fmt::format("{}.heads.{}.pattern", attention, head);
}

Value value_of_head(const HeadMeasure& measure, const MeasuredHead& of) {
    const ExpressionSide side{of.trace, of.components, pattern_path(of.attention, of.head), of.head,
                              of.document};
    return evaluate(measure.expression, {side});
}

bool is_number(const Value& value) {
    return value.shape == Value::Shape::Single && !value.is_text();
}

}  // namespace

std::span<const char* const> ready_measures() {
    return kReady;
}

HeadMeasure read_head_measure(std::string_view text, const ErrorPlace& where) {
    for (const std::string_view ready : kReady)
        if (trimmed(text) == name_before_colon(ready)) return read_head_measure(ready, where);
    const std::string_view named = name_before_colon(text);
    const std::string_view expression =
        trimmed(named.empty() ? text : text.substr(named.size() + 1));
    const std::string_view name = named.empty() ? expression : trimmed(named);
    return {std::string(name), read_expression(expression, where)};
}

std::string why_no_metric(const HeadMeasure& measure, const MeasuredHead& of) {
    const Value value = value_of_head(measure, of);
    if (is_number(value)) return "";
    return fmt::format("a metric is one number for each head; '{}' is {}{}",
                       measure.expression.text, kind_text(value),
                       value.is_text() ? "" : "; say mean(…) of it");
}

double measure_head(const HeadMeasure& measure, const MeasuredHead& of) {
    const Value value = value_of_head(measure, of);
    if (!is_number(value)) throw Error(measure.expression.where, why_no_metric(measure, of));
    const double number = value.number();
    if (!std::isfinite(number))
        throw Error(measure.expression.where, "{} is infinite, which no mean can count",
                    in_quotes(measure.expression.text));
    return number;
}

void check_names(const HeadMeasure& measure, const Plan& plan, const Components& components) {
    const std::string& text = measure.expression.text;
    try {
        check_names(measure.expression, {plan, components});
    } catch (const Error& error) {
        std::vector<std::string_view> names;
        for (const std::string_view ready : kReady) names.push_back(name_before_colon(ready));
        const std::string message = error.what(), near = suggestion(text, names);
        if (near.empty() || message.find("did you mean") != std::string::npos) throw;
        throw Error(measure.expression.where, "nothing is called {}{}", in_quotes(text), near);
    }
    const bool has_heads = std::ranges::any_of(
        components, [](const Component& component) { return component.n_heads > 0; });
    if (has_heads && measured_paths(measure, plan, components).empty())
        throw Error(measure.expression.where, "{} reads no matrix of a head, so it measures none",
                    in_quotes(text));
}

std::vector<std::string> measured_paths(const HeadMeasure& measure, const Plan& plan,
                                        const Components& components) {
    std::vector<std::string> paths;
    for (const Component& component : components)
        for (int h = 0; h < component.n_heads; ++h) {
            const NameScope names{plan, components, pattern_path(component.path, h), h};
            for (std::string& path : needed_paths(measure.expression, names))
                if (!is_among(path, paths)) paths.push_back(std::move(path));
        }
    return paths;
}

}  // namespace headlight
