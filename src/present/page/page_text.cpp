// Reads the text of a page into blocks and spans.
#include "present/page/page_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <utility>

#include "core/error.h"
#include "core/plan.h"
#include "figure/words/formula.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::size_t kMostFormula = 500;  // bytes
constexpr int kMostLevels = 3;
constexpr char kValueMark = '\1';  // no text has it
constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

int line_number(const LineNumbers& lines, std::size_t k) {
    if (lines.empty()) return static_cast<int>(k) + 1;
    if (k < lines.size()) return lines[k];
    return lines.back() + static_cast<int>(k + 1 - lines.size());
}

/// Reads the spans of one block. The text keeps its line ends, by which errors count lines.
class SpanReader {
  public:
    struct Source {
        std::string_view where;
        const LineNumbers& lines;
        std::size_t first_line = 0;  // of the text in `lines`
        Faults* faults = nullptr;    // null: an error is thrown
    };
    SpanReader(std::string_view text, const Source& source)
        : text_(text),
          where_(source.where),
          lines_(source.lines),
          first_line_(source.first_line),
          faults_(source.faults) {}

    std::vector<TextSpan> read() {
        while (at_ < text_.size()) take_one();
        flush();
        if (style_.is_bold)
            fail(bold_at_, "the ** that begins here has no end; \\* is an asterisk");
        if (style_.is_emphasis)
            fail(emphasis_at_, "the * that begins here has no end; \\* is an asterisk");
        return std::move(spans_);
    }

    /// Reads the whole text as one formula.
    std::vector<TextSpan> read_formula() {
        add_formula(0, text_);
        return std::move(spans_);
    }

  private:
    ErrorPlace place(std::size_t at) const {
        const auto before = std::count(text_.begin(), text_.begin() + std::ptrdiff_t(at), '\n');
        return {std::string(where_),
                line_number(lines_, first_line_ + static_cast<std::size_t>(before))};
    }
    [[noreturn]] void fail(std::size_t at, const std::string& what) const {
        throw Error(place(at), what);
    }

    void take_one() {
        const char c = text_[at_];
        const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
        if (c == '\\' && kPunctuation.find(next) != std::string_view::npos) {
            words_ += next;
            at_ += 2;
        } else if (c == '`') {
            const std::size_t begin = at_ + 1;
            add(TextSpan::Kind::Code, take_until('`', "\\` is a backquote"), begin);
        } else if (c == '$') {
            const std::size_t begin = at_ + 1;
            flush();
            add_formula(begin, take_until('$', "\\$ is a dollar sign"));
        } else if (c == '{') {
            const std::size_t begin = at_ + 1;
            flush();
            add_value(begin, take_until('}', "\\{ is a brace"));
        } else if (c == '*') {
            take_asterisks();
        } else {
            words_ += is_blank(c) ? ' ' : c;
            ++at_;
        }
    }

    /// Takes the text between here and the next `end`.
    std::string_view take_until(char end, const char* hint) {
        const std::size_t begin = at_ + 1;
        std::size_t close = begin;
        while (close < text_.size() && text_[close] != end)
            close += end == '$' && text_[close] == '\\' ? 2 : 1;
        if (close >= text_.size())
            fail(at_, fmt::format("the {} that begins here has no end; {}", text_[at_], hint));
        at_ = close + 1;
        return text_.substr(begin, close - begin);
    }

    /// ** and * begin before a letter and end after one; others are asterisks.
    void take_asterisks() {
        const bool is_double = text_.substr(at_).starts_with("**");
        const std::size_t begin = at_, size = is_double ? 2 : 1;
        bool& is_on = is_double ? style_.is_bold : style_.is_emphasis;
        const bool can_begin = begin + size < text_.size() && !is_blank(text_[begin + size]);
        const bool can_end = begin > 0 && !is_blank(text_[begin - 1]);
        at_ += size;
        if (is_on ? !can_end : !can_begin) {
            words_ += text_.substr(begin, size);
            return;
        }
        flush();
        is_on = !is_on;
        (is_double ? bold_at_ : emphasis_at_) = begin;
    }

    void flush() {
        if (words_.empty()) return;
        TextSpan span = style_;
        span.text = std::exchange(words_, {});
        spans_.push_back(std::move(span));
    }

    void add(TextSpan::Kind kind, std::string_view text, std::size_t begin) {
        flush();
        if (text.empty()) fail(begin, "there is nothing between the two signs");
        TextSpan span = style_;
        span.kind = kind;
        span.text = text;
        std::ranges::replace(span.text, '\n', ' ');
        spans_.push_back(std::move(span));
    }

    /// A formula is one span, or several if it has values: {= expression}.
    void add_formula(std::size_t begin, std::string_view formula) {
        if (formula.size() > kMostFormula)
            fail(begin, fmt::format("the formula has more than {} characters", kMostFormula));
        if (trimmed(formula).empty()) fail(begin, "the formula is empty");
        if (formula.find(kValueMark) != std::string_view::npos)
            fail(begin, "the formula has a control character");
        const std::size_t n_before = spans_.size();
        std::vector<std::size_t> values;
        const std::string read = formula_without_values(begin, formula, values);
        std::size_t n_values = 0;
        for (std::size_t at = 0; at < read.size();) {
            const std::size_t mark = std::min(read.find(kValueMark, at), read.size());
            if (mark > at)
                add(TextSpan::Kind::Formula, std::string_view(read).substr(at, mark - at), begin);
            at = mark + 1;
            if (mark == read.size()) break;
            const std::size_t open = values[n_values++] + 2;
            add_value(begin + open, formula.substr(open, formula.find('}', open) - open));
            spans_.back().is_in_formula = true;
        }
        for (std::size_t k = n_before + 1; k < spans_.size(); ++k) spans_[k].is_in_formula = true;
    }

    /// Returns the formula in the notation of formulas, with a mark in place of each value;
    /// `values` gets the places where they begin.
    std::string formula_without_values(std::size_t begin, std::string_view formula,
                                       std::vector<std::size_t>& values) const {
        std::string tex;
        for (std::size_t at = 0; at < formula.size();) {
            const std::size_t open = std::min(formula.find("{=", at), formula.size());
            tex += formula.substr(at, open - at);
            if (open == formula.size()) break;
            const std::size_t close = formula.find('}', open);
            if (close == std::string_view::npos)
                fail(begin + open, "the {= that begins here has no end");
            values.push_back(open);
            tex += kValueMark;
            at = close + 1;
        }
        try {
            return formula_from_tex(tex);
        } catch (const Error& error) {
            fail(begin, fmt::format("{}: {}", error.problem(), printable(formula)));
        }
    }

    /// In "pattern[it, cat]:2" the text after the last colon is the format, unless it is in
    /// brackets or quotes.
    void add_value(std::size_t begin, std::string_view text) {
        const ErrorPlace where = place(begin);
        TextSpan span = style_;
        span.kind = TextSpan::Kind::Value;
        span.text = text;
        const std::size_t colon = text.rfind(':');
        if (colon != std::string_view::npos &&
            text.find_first_of("]'\"", colon) == std::string_view::npos) {
            span.format = trimmed(text.substr(colon + 1));
            attempt(faults_, [&] { check_format(span.format, where); });
            text = text.substr(0, colon);
        }
        std::string expression(trimmed(text));
        std::ranges::replace(expression, '\n', ' ');
        attempt(faults_, [&] { span.expression = read_expression(expression, where); });
        spans_.push_back(std::move(span));
    }

    std::string_view text_, where_;
    const LineNumbers& lines_;
    std::size_t first_line_;
    Faults* faults_;
    std::size_t at_ = 0, bold_at_ = 0, emphasis_at_ = 0;
    TextSpan style_;
    std::string words_;
    std::vector<TextSpan> spans_;
};

/// Reads lines into blocks.
class BlockReader {
  public:
    BlockReader(std::string_view where, const LineNumbers& lines, Faults* faults)
        : where_(where), lines_(lines), faults_(faults) {}

    PageText read(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            take_line(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
            ++at_;
        }
        end_block();
        return std::move(page_);
    }

  private:
    void take_line(std::string_view line) {
        const std::string_view words = trimmed(line);
        if (words.empty()) return end_block();
        if (words.starts_with("$$")) return take_formula(words);
        const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
        if (const std::size_t size = label_size(words); size > 0) {
            end_block();
            block_ = {TextBlock::Kind::Item, std::string(words.substr(0, size)),
                      std::min(static_cast<int>(indent) / 2, kMostLevels - 1), here()};
            first_ = at_;
            if (block_.label == "-") block_.label = "•";
            text_ = trimmed(words.substr(size));
            is_open_ = true;
            return;
        }
        if (!is_open_) {
            block_ = {TextBlock::Kind::Paragraph, {}, 0, here()};
            first_ = at_;
        }
        if (is_open_) text_ += '\n';
        text_ += words;
        is_open_ = true;
    }

    /// Returns the size of a label: 1 for "- ", 3 for "12. "; 0 if the line begins no item.
    static std::size_t label_size(std::string_view line) {
        if (line.starts_with("- ")) return 1;
        constexpr std::size_t kMostDigits = 3;
        const std::size_t n_digits = std::min(line.find_first_not_of("0123456789"), line.size());
        const bool is_number = n_digits > 0 && n_digits <= kMostDigits;
        return is_number && line.substr(n_digits).starts_with(". ") ? n_digits + 1 : 0;
    }

    void take_formula(std::string_view formula) {
        end_block();
        attempt(faults_, [&] {
            if (formula.size() < 4 || !formula.ends_with("$$"))
                throw Error({std::string(where_), here()},
                            "a line that begins with $$ is a formula, and ends with $$");
            formula = trimmed(formula.substr(2, formula.size() - 4));
            SpanReader reader(formula, {where_, lines_, at_, faults_});
            page_.blocks.push_back(
                {TextBlock::Kind::Formula, {}, 0, here(), reader.read_formula()});
        });
    }

    void end_block() {
        if (!std::exchange(is_open_, false)) return;
        attempt(faults_, [&] {
            block_.spans = SpanReader(text_, {where_, lines_, first_, faults_}).read();
        });
        text_.clear();
        page_.blocks.push_back(std::move(block_));
    }

    int here() const { return line_number(lines_, at_); }

    std::string_view where_;
    const LineNumbers& lines_;
    std::size_t at_ = 0, first_ = 0;  // lines of the text: this one, the first of the block
    Faults* faults_;
    PageText page_;
    TextBlock block_;
    std::string text_;
    bool is_open_ = false;
};

/// Returns the text for a span's expression.
using TextOfValue = std::function<std::string(const TextSpan& span)>;

std::vector<TextSpan> filled_spans(std::vector<TextSpan> spans, const TextOfValue& text_of) {
    std::vector<TextSpan> result;
    for (TextSpan& span : spans) {
        if (span.expression) {
            span.text = text_of(span);
            span.expression.reset();
            if (span.is_in_formula) {
                span.kind = TextSpan::Kind::Formula;
                span.text = name_in_formula(span.text);
            }
        }
        const bool is_joined =
            span.is_in_formula && !result.empty() && result.back().kind == TextSpan::Kind::Formula;
        if (is_joined)
            result.back().text += span.text;
        else
            result.push_back(std::move(span));
    }
    return result;
}

}  // namespace

PageText read_page_text(std::string_view text, std::string_view where, const LineNumbers& lines,
                        Faults* faults) {
    return BlockReader(where, lines, faults).read(text);
}

std::vector<Expression> expressions_in(const PageText& text) {
    std::vector<Expression> expressions;
    for (const TextBlock& block : text.blocks)
        for (const TextSpan& span : block.spans)
            if (span.expression) expressions.push_back(*span.expression);
    return expressions;
}

PageText fill(PageText text, const ExpressionScope& scope, Faults* faults) {
    const auto text_of = [&](const TextSpan& span) {
        std::string value = kNoValue;
        attempt(faults, [&] {
            value =
                value_text(evaluate(*span.expression, scope), span.format, span.expression->where);
        });
        return value;
    };
    for (TextBlock& block : text.blocks)
        block.spans = filled_spans(std::move(block.spans), text_of);
    return text;
}

PageText without_values(PageText text) {
    for (TextBlock& block : text.blocks)
        block.spans =
            filled_spans(std::move(block.spans), [](const TextSpan&) { return kNoValue; });
    return text;
}

std::string plain_text(const PageText& text) {
    std::string plain;
    for (const TextBlock& block : text.blocks) {
        if (!plain.empty()) plain += '\n';
        if (!block.label.empty()) plain += block.label + " ";
        for (const TextSpan& span : block.spans)
            plain += span.kind == TextSpan::Kind::Formula ? plain_formula(span.text) : span.text;
    }
    return plain;
}

}  // namespace headlight
