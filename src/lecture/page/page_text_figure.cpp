// Arranges spans into words, words into lines, and lines into marks.
#include "lecture/page/page_text_figure.h"

#include <algorithm>
#include <utility>

#include "paint/labels.h"
#include "paint/words/formula.h"
#include "text/utf8.h"
#include "text/words.h"

namespace headlight {
namespace {

// Lengths in multiples of the size of the words.
constexpr float kLinePitch = 1.4f, kBaseline = 1.02f;
constexpr float kGapOfParagraphs = 0.6f, kGapOfItems = 0.2f, kGapOfFormulas = 0.45f;
constexpr float kIndent = 1.2f;
constexpr float kLargeFormula = 1.35f, kCodeSize = 0.92f;

/// Letters in one style, or a formula.
struct Piece {
    std::string text;
    Font font = Font::Regular;
    Color color{};
    float scale = 1;  // of the size of the words
    bool is_formula = false;
    bool has_blank_before = false;

    bool is_alike(const Piece& other) const {
        return font == other.font && color == other.color && scale == other.scale && !is_formula &&
               !other.is_formula;
    }
};
using Pieces = std::vector<Piece>;  // of a word, or of a line

/// Collects the words of a block: pieces without a place for a line's end between them.
class WordCollector {
  public:
    explicit WordCollector(const Theme& theme) : theme_(theme) {}

    std::vector<Pieces> collect(const std::vector<TextSpan>& spans) {
        for (const TextSpan& span : spans) add(span);
        end_word();
        return std::move(words_);
    }

  private:
    void add(const TextSpan& span) {
        using Kind = TextSpan::Kind;
        Piece piece = style_of(span);
        if (span.kind == Kind::Formula) {
            piece.text = span.text;
            return add_piece(std::move(piece));
        }
        const bool is_open = span.kind == Kind::Value && span.expression;
        const std::string text = is_open ? "{" + span.text + "}" : span.text;
        for (std::size_t at = 0; at < text.size();) {
            const CodePoint c = decode_code_point(text, at);
            const std::string_view letter = std::string_view(text).substr(at, c.size_bytes);
            if (letter == " " && span.kind != Kind::Value) {
                take_letters(piece);
                end_word();
                has_blank_ = true;
            } else {
                if (is_ideograph_word(letter)) {
                    take_letters(piece);
                    end_word();
                }
                piece.text += letter;
            }
            at += c.size_bytes;
        }
        take_letters(piece);
    }

    Piece style_of(const TextSpan& span) const {
        using Kind = TextSpan::Kind;
        Piece piece;
        piece.color = span.is_emphasis ? theme_.accent : theme_.text;
        if (span.is_warning) piece.color = theme_.warning;
        if (span.is_bold || span.kind == Kind::Value) piece.font = Font::Bold;
        if (span.kind == Kind::Code) piece.font = Font::Mono, piece.scale = kCodeSize;
        if (span.kind == Kind::Formula) piece.font = Font::Math, piece.is_formula = true;
        return piece;
    }

    void take_letters(Piece& piece) {
        if (piece.text.empty()) return;
        add_piece(piece);
        piece.text.clear();
    }

    void add_piece(Piece piece) {
        piece.has_blank_before = std::exchange(has_blank_, false);
        word_.push_back(std::move(piece));
    }

    void end_word() {
        if (!word_.empty()) words_.push_back(std::exchange(word_, {}));
    }

    const Theme& theme_;
    std::vector<Pieces> words_;
    Pieces word_;
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
        std::vector<Pieces> words = WordCollector(look_.theme).collect(block.spans);
        if (block.kind == TextBlock::Kind::Formula) return paint_formula(std::move(words));
        const float left = block.kind == TextBlock::Kind::Item ? paint_label(block) : 0;
        Pieces line;
        for (const Pieces& word : words) {
            Pieces longer = joined(line, word);
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
    void paint_formula(std::vector<Pieces> words) {
        Pieces line;
        for (const Pieces& word : words) line = joined(line, word);
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

    /// Returns the line with one more word; pieces that are alike become one.
    static Pieces joined(Pieces line, const Pieces& word) {
        for (const Piece& piece : word) {
            const bool has_blank = piece.has_blank_before && !line.empty();
            if (!line.empty() && line.back().is_alike(piece)) {
                line.back().text += (has_blank ? " " : "") + piece.text;
            } else {
                line.push_back(piece);
                line.back().has_blank_before = has_blank;
            }
        }
        return line;
    }

    float blank_width(float size) const { return look_.measure(" ", size, Font::Regular); }

    FormulaStyle formula_style(const Piece& piece, float size) const {
        return {size * piece.scale, piece.color, piece.font};
    }

    float width_of(const Piece& piece, float size) const {
        if (piece.is_formula)
            return formula_width(piece.text, formula_style(piece, size), look_.measure);
        return look_.measure(piece.text, size * piece.scale, piece.font);
    }
    float width_of(const Pieces& line, float size) const {
        float width = 0;
        for (const Piece& piece : line)
            width += width_of(piece, size) + (piece.has_blank_before ? blank_width(size) : 0);
        return width;
    }

    /// Returns the largest size up to `size` that fits; letters do not shrink exactly as their size
    /// does.
    float fitting_size(const Pieces& line, float room, float size) const {
        constexpr int kMostTries = 20;
        for (int k = 0; k < kMostTries; ++k) {
            const float width = width_of(line, size);
            if (width <= room) break;
            size *= 0.995f * room / width;
        }
        return size;
    }

    void paint_line(const Pieces& line, float left, float full_size) {
        const float size = fitting_size(line, look_.width - left, full_size);
        Point at{left, y_ + kBaseline * full_size};
        for (const Piece& piece : line) {
            if (piece.has_blank_before) at.x += blank_width(size);
            if (piece.is_formula)
                add_formula(figure_, at, piece.text, formula_style(piece, size), look_.measure);
            else
                figure_.add(TextMark{at, piece.text, size * piece.scale, piece.color, piece.font});
            at.x += width_of(piece, size);
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
