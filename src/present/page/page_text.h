// PageText: the text of a page as data: paragraphs, lists, formulas, and values filled in.
//
//     Most of *it* goes to **cat**: $A_{ij}$ = {pattern[it, cat]:2}.
//
// Goals: one reading for the slide and for the pages that are written for a browser. Not goals:
// HTML inside the text; the positions of marks (page_text_figure.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expression/expression.h"
#include "present/lecture.h"

namespace headlight {

/// A piece of a paragraph in one style.
struct TextSpan {
    enum class Kind {
        Words,
        Code,     // `code`
        Formula,  // $x_i$, in the notation of figure/words/formula.h
        Value,    // {expression}: `text` is as it was written, or after fill() the value
    };

    Kind kind = Kind::Words;
    std::string text = {};
    bool is_bold = false, is_emphasis = false;
    bool is_in_formula = false;                 // a value, or what follows one: {= expression}
    std::optional<Expression> expression = {};  // of a value that is not filled in
    std::string format = {};                    // of the value
    bool is_warning = false;                    // in the colour of one
};

struct TextBlock {
    enum class Kind { Paragraph, Item, Formula };  // Formula: a line for itself, $$x$$

    Kind kind = Kind::Paragraph;
    std::string label = {};  // of an item: "•", "1."
    int level = 0;           // of an item in a list in a list
    int line = 0;            // in the file
    std::vector<TextSpan> spans = {};
};

struct PageText {
    std::vector<TextBlock> blocks;
};

/// The line in the file of each line of a text; they need not follow each other. Lines after the
/// last number follow it. None: from 1.
using LineNumbers = std::vector<int>;

/// Reads a text, in which a single end of a line is a blank. Throws Error naming `where` and the
/// line if something has no end, or an expression cannot be read. With `faults` each of these is
/// added there, and left out of the text.
PageText read_page_text(std::string_view text, std::string_view where,
                        const LineNumbers& lines = {}, Faults* faults = nullptr);

/// Returns the expressions whose values are to be filled in.
std::vector<Expression> expressions_in(const PageText& text);

/// Stands in place of a value that cannot be given.
inline constexpr const char* kNoValue = "—";

/// Returns the text with values in place of expressions. Throws Error naming the line. With
/// `faults` each of these is added there, and kNoValue stands in its place.
PageText fill(PageText text, const ExpressionScope& scope, Faults* faults = nullptr);
/// Returns the text with kNoValue in place of all expressions.
PageText without_values(PageText text);

/// Returns only the words, one line for each block.
std::string plain_text(const PageText& text);

}  // namespace headlight
