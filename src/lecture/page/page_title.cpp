#include "lecture/page/page_title.h"

#include <cctype>
#include <map>
#include <utility>

#include "core/error.h"
#include "paint/labels.h"
#include "paint/words/formula.h"

namespace headlight {
namespace {

/// Returns the formula between the $ at `open` and the next one; nothing if that is no formula.
std::optional<std::string> formula_at(std::string_view title, std::size_t open,
                                      std::size_t& close) {
    close = title.find('$', open + 1);
    if (close == std::string_view::npos || close == open + 1) return std::nullopt;
    const std::string_view inside = title.substr(open + 1, close - open - 1);
    if (inside.front() == ' ' || inside.back() == ' ') return std::nullopt;
    try {
        return formula_from_tex(inside);
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Returns the length of the mark of bold, emphasis or code that opens here; 0 if none does. A star
/// between letters is a star.
std::size_t opening_mark(std::string_view title, std::size_t at, std::size_t& close) {
    const char sign = title[at];
    if (sign != '*' && sign != '`') return 0;
    if (at > 0 && std::isalnum(static_cast<unsigned char>(title[at - 1]))) return 0;
    const std::string_view mark = title.substr(at, title.substr(at).starts_with("**") ? 2 : 1);
    const std::size_t first = at + mark.size();
    close = title.find(mark, first + 1);
    const bool is_open = first < title.size() && title[first] != ' ' && title[first] != sign;
    return is_open && close != std::string_view::npos && title[close - 1] != ' ' ? mark.size() : 0;
}

FormulaStyle style_of(const TextMark& mark, const TextSpan& span) {
    const bool is_formula = span.kind == TextSpan::Kind::Formula;
    return {mark.size, mark.color, is_formula ? Font::Math : mark.font};
}

float span_width(const TextMark& mark, const TextSpan& span, const MeasureText& measure) {
    return span.kind == TextSpan::Kind::Formula
               ? formula_width(span.text, style_of(mark, span), measure)
               : measure(span.text, mark.size, mark.font);
}

}  // namespace

std::vector<TextSpan> title_spans(std::string_view title) {
    std::vector<TextSpan> spans;
    std::string words;
    const auto flush = [&] {
        if (!words.empty()) spans.push_back({.text = std::exchange(words, {})});
    };
    std::map<std::size_t, std::size_t> ends;  // of marks, and how long they are
    for (std::size_t at = 0; at < title.size();) {
        std::size_t close = 0;
        const auto end = ends.find(at);
        const std::size_t opened = end == ends.end() ? opening_mark(title, at, close) : 0;
        if (opened > 0) ends[close] = opened;
        if (opened > 0 || end != ends.end()) {
            at += opened > 0 ? opened : end->second;
            continue;
        }
        const auto formula = title[at] == '$' ? formula_at(title, at, close) : std::nullopt;
        if (!formula) {
            words += title[at++];
            continue;
        }
        flush();
        spans.push_back({.kind = TextSpan::Kind::Formula, .text = *formula});
        at = close + 1;
    }
    flush();
    return spans;
}

std::string plain_title(const std::string& title) {
    std::string plain;
    for (const TextSpan& span : title_spans(title))
        plain += span.kind == TextSpan::Kind::Formula ? plain_formula(span.text) : span.text;
    return plain;
}

float title_width(const TextMark& title, const MeasureText& measure) {
    float width = 0;
    for (const TextSpan& span : title_spans(title.text)) width += span_width(title, span, measure);
    return width;
}

void add_title(Figure& figure, TextMark title, float width, const MeasureText& measure) {
    const std::vector<TextSpan> spans = title_spans(title.text);
    if (title_width(title, measure) > width) {
        title.text = plain_title(title.text);
        shorten(title, width, measure);
        return figure.add(std::move(title));
    }
    for (const TextSpan& span : spans) {
        TextMark mark = title;
        mark.text = span.text;
        title.at.x += span_width(title, span, measure);
        if (span.kind == TextSpan::Kind::Formula)
            add_formula(figure, mark.at, span.text, style_of(mark, span), measure);
        else
            figure.add(std::move(mark));
    }
}

}  // namespace headlight
