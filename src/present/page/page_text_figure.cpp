#include "present/page/page_text_figure.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "core/error.h"
#include "figure/labels.h"
#include "figure/words/formula.h"
#include "text/utf8.h"
#include "text/words.h"

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

namespace {

// Lengths in multiples of the size of the words.
constexpr float kLinePitch = 1.4f, kBaseline = 1.02f;
constexpr float kGapOfParagraphs = 0.6f, kGapOfItems = 0.2f, kGapOfFormulas = 0.45f;
constexpr float kIndent = 1.2f;
constexpr float kLargeFormula = 1.35f, kCodeSize = 0.92f;

/// Letters in one style, or a formula.
struct Fragment {
    std::string text;
    Font font = Font::Regular;
    Color color{};
    float scale = 1;  // of the size of the words
    bool is_formula = false;
    bool has_blank_before = false;

    bool is_alike(const Fragment& other) const {
        return font == other.font && color == other.color && scale == other.scale && !is_formula &&
               !other.is_formula;
    }
};
using Fragments = std::vector<Fragment>;  // of a word, or of a line

/// Collects the words of a block: fragments without a place for a line's end between them.
class WordCollector {
  public:
    explicit WordCollector(const Theme& theme) : theme_(theme) {}

    std::vector<Fragments> collect(const std::vector<TextSpan>& spans) {
        for (const TextSpan& span : spans) add(span);
        end_word();
        return std::move(words_);
    }

  private:
    void add(const TextSpan& span) {
        using Kind = TextSpan::Kind;
        Fragment fragment = style_of(span);
        if (span.kind == Kind::Formula) {
            fragment.text = span.text;
            return add_fragment(std::move(fragment));
        }
        const bool is_open = span.kind == Kind::Value && span.expression;
        const std::string text = is_open ? "{" + span.text + "}" : span.text;
        for (std::size_t at = 0; at < text.size();) {
            const CodePoint c = decode_code_point(text, at);
            const std::string_view letter = std::string_view(text).substr(at, c.size_bytes);
            if (letter == " " && span.kind != Kind::Value) {
                take_letters(fragment);
                end_word();
                has_blank_ = true;
            } else {
                if (is_ideograph_word(letter)) {
                    take_letters(fragment);
                    end_word();
                }
                fragment.text += letter;
            }
            at += c.size_bytes;
        }
        take_letters(fragment);
    }

    Fragment style_of(const TextSpan& span) const {
        using Kind = TextSpan::Kind;
        Fragment fragment;
        fragment.color = span.is_emphasis ? theme_.accent : theme_.text;
        if (span.is_warning) fragment.color = theme_.warning;
        if (span.is_bold || span.kind == Kind::Value) fragment.font = Font::Bold;
        if (span.kind == Kind::Code) fragment.font = Font::Mono, fragment.scale = kCodeSize;
        if (span.kind == Kind::Formula) fragment.font = Font::Math, fragment.is_formula = true;
        return fragment;
    }

    void take_letters(Fragment& fragment) {
        if (fragment.text.empty()) return;
        add_fragment(fragment);
        fragment.text.clear();
    }

    void add_fragment(Fragment fragment) {
        fragment.has_blank_before = std::exchange(has_blank_, false);
        word_.push_back(std::move(fragment));
    }

    void end_word() {
        if (!word_.empty()) words_.push_back(std::exchange(word_, {}));
    }

    const Theme& theme_;
    std::vector<Fragments> words_;
    Fragments word_;
    bool has_blank_ = false;
};

class TextPainter {
  public:
    explicit TextPainter(const TextLook& look) : look_(look) { figure_.width = look.width; }

    Figure paint(const PageText& text) {
        for (std::size_t k = 0; k < text.blocks.size(); ++k) {
            if (k > 0) y_ += look_.size * gap_between(text.blocks[k - 1], text.blocks[k]);
            paint_block(text.blocks[k]);
        }
        figure_.height = y_;
        return std::move(figure_);
    }

  private:
    static float gap_between(const TextBlock& above, const TextBlock& below) {
        using Kind = TextBlock::Kind;
        if (above.kind == Kind::Item && below.kind == Kind::Item) return kGapOfItems;
        const bool has_formula = above.kind == Kind::Formula || below.kind == Kind::Formula;
        return has_formula ? kGapOfFormulas : kGapOfParagraphs;
    }

    void paint_block(const TextBlock& block) {
        std::vector<Fragments> words = WordCollector(look_.theme).collect(block.spans);
        if (block.kind == TextBlock::Kind::Formula) return paint_formula(std::move(words));
        const float left = block.kind == TextBlock::Kind::Item ? paint_label(block) : 0;
        Fragments line;
        for (const Fragments& word : words) {
            Fragments longer = joined(line, word);
            if (!line.empty() && width_of(longer, look_.size) > look_.width - left) {
                paint_line(line, left, look_.size);
                longer = joined({}, word);
            }
            line = std::move(longer);
        }
        if (!line.empty() || block.kind == TextBlock::Kind::Item)
            paint_line(line, left, look_.size);
    }

    /// Draws a formula with a line for itself, in the middle; its parts stay together.
    void paint_formula(std::vector<Fragments> words) {
        Fragments line;
        for (const Fragments& word : words) line = joined(line, word);
        const float size = kLargeFormula * look_.size;
        const float rest = look_.width - width_of(line, size);
        paint_line(line, std::max(0.0f, rest / 2), size);
    }

    /// Draws the label of an item, and returns where its words begin.
    float paint_label(const TextBlock& block) {
        const float size = look_.size, most = look_.width / 2;
        const float left = std::min(kIndent * size * static_cast<float>(block.level), most / 2);
        const float width = look_.measure(block.label, size, Font::Regular);
        const float room = std::min(std::max(kIndent * size, width + 0.45f * size), most - left);
        const float scale = std::min(1.0f, 0.9f * room / width);
        figure_.add(TextMark{{left, y_ + kBaseline * size},
                             block.label,
                             size * scale,
                             look_.theme.muted,
                             Font::Regular});
        return left + room;
    }

    /// Returns the line with one more word; fragments that are alike become one.
    static Fragments joined(Fragments line, const Fragments& word) {
        for (const Fragment& fragment : word) {
            const bool has_blank = fragment.has_blank_before && !line.empty();
            if (!line.empty() && line.back().is_alike(fragment)) {
                line.back().text += (has_blank ? " " : "") + fragment.text;
            } else {
                line.push_back(fragment);
                line.back().has_blank_before = has_blank;
            }
        }
        return line;
    }

    float blank_width(float size) const { return look_.measure(" ", size, Font::Regular); }

    FormulaStyle formula_style(const Fragment& fragment, float size) const {
        return {size * fragment.scale, fragment.color, fragment.font};
    }

    float width_of(const Fragment& fragment, float size) const {
        if (fragment.is_formula)
            return formula_width(fragment.text, formula_style(fragment, size), look_.measure);
        return look_.measure(fragment.text, size * fragment.scale, fragment.font);
    }
    float width_of(const Fragments& line, float size) const {
        float width = 0;
        for (const Fragment& fragment : line)
            width += width_of(fragment, size) + (fragment.has_blank_before ? blank_width(size) : 0);
        return width;
    }

    /// Returns the largest size up to `size` that fits; letters do not shrink exactly as their size
    /// does.
    float fitting_size(const Fragments& line, float room, float size) const {
        constexpr int kMostTries = 20;
        for (int k = 0; k < kMostTries; ++k) {
            const float width = width_of(line, size);
            if (width <= room) break;
            size *= 0.995f * room / width;
        }
        return size;
    }

    void paint_line(const Fragments& line, float left, float full_size) {
        const float size = fitting_size(line, look_.width - left, full_size);
        Point at{left, y_ + kBaseline * full_size};
        for (const Fragment& fragment : line) {
            if (fragment.has_blank_before) at.x += blank_width(size);
            if (fragment.is_formula)
                add_formula(figure_, at, fragment.text, formula_style(fragment, size),
                            look_.measure);
            else
                figure_.add(TextMark{at, fragment.text, size * fragment.scale, fragment.color,
                                     fragment.font});
            at.x += width_of(fragment, size);
        }
        y_ += kLinePitch * full_size;
    }

    const TextLook& look_;
    Figure figure_;
    float y_ = 0;
};

}  // namespace

Figure text_figure(const PageText& text, const TextLook& look) {
    return TextPainter(look).paint(text);
}

}  // namespace headlight
