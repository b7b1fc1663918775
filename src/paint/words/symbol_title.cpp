#include "paint/words/symbol_title.h"

#include "paint/labels.h"
#include "paint/words/formula.h"
#include "paint/words/plain_formula.h"

namespace headlight {

float add_symbol_title(Figure& figure, TextMark title, const std::string& symbol, float width,
                       const MeasureText& measure, CutTexts* cut) {
    const std::string plain = plain_formula(symbol);
    const FormulaStyle style{title.size, title.color, title.font};
    const bool has_scripts = symbol.find_first_of("_^") != std::string::npos;
    float before = 0;
    if (has_scripts && title.text.starts_with(plain)) {
        before = formula_width(symbol, style, measure);
        if (before > width) before = 0;
    }
    if (before > 0) {
        add_formula(figure, title.at, symbol, style, measure);
        title.text.erase(0, plain.size());
        title.at.x += before;
    }
    if (cut)
        cut->shorten(title, width - before, measure);
    else
        shorten(title, width - before, measure);
    if (title.text.empty()) return before;
    const float rest = measure(title.text, title.size, title.font);
    figure.add(std::move(title));
    return before + rest;
}

}  // namespace headlight
