// Formulas as marks: one line, with subscripts and superscripts; and their notation from TeX.
#include "figure/words/formula.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "figure/labels.h"

namespace headlight {
namespace {

constexpr float kScriptSize = 0.72f;  // of the size around it
constexpr float kDrop = 0.22f;        // the drop of a subscript, in sizes of its base
constexpr float kRise = 0.38f;
constexpr float kSmallest = 0.5f;  // scripts of scripts shrink no further, of the whole size

/// A recursive descent over the text that emits one mark for each run of characters.
class Typesetter {
  public:
    Typesetter(Figure& figure, const std::string& text, const FormulaStyle& style,
               const MeasureText& measure)
        : figure_(figure), text_(text), style_(style), measure_(measure) {}

    /// Sets everything up to the closing brace, or to the end. Returns the right end of the text.
    float set_until_brace(Point at, float size) {
        float script_start = at.x;  // scripts of one symbol begin at the same place
        float low_end = at.x, high_end = at.x;
        while (next_ < text_.size() && text_[next_] != '}') {
            const char c = text_[next_];
            if (c == '_' || c == '^') {
                ++next_;
                const float shift = c == '_' ? kDrop * size : -kRise * size;
                float& end = c == '_' ? low_end : high_end;
                end = set_script({std::max(end, script_start), at.y + shift}, size);
            } else {
                at.x = std::max(low_end, high_end);
                at.x = set_run(at, size, take_run());
                script_start = low_end = high_end = at.x;
            }
        }
        return std::max(low_end, high_end);
    }

    bool at_end() const { return next_ >= text_.size(); }
    void skip() { ++next_; }

  private:
    float set_script(Point at, float size) {
        const float smaller = std::max(size * kScriptSize, style_.size * kSmallest);
        if (at_end()) return at.x;
        if (text_[next_] != '{') return set_run(at, smaller, take_character());
        ++next_;
        const float end = set_until_brace(at, smaller);
        if (!at_end()) ++next_;
        return end;
    }

    float set_run(Point at, float size, const std::string& run) {
        const float width = measure_(run, size, style_.font);
        if (run.find_first_not_of(' ') != std::string::npos)
            figure_.add(TextMark{at, run, size, style_.color, style_.font});
        return at.x + width;
    }

    std::string take_character() {
        if (text_[next_] == '\\' && next_ + 1 < text_.size()) ++next_;
        const std::size_t start = next_++;
        while (next_ < text_.size() && (text_[next_] & 0xc0) == 0x80) ++next_;
        return text_.substr(start, next_ - start);
    }

    std::string take_run() {
        std::string run;
        while (!at_end() && text_[next_] != '_' && text_[next_] != '^' && text_[next_] != '}')
            run += take_character();
        return run;
    }

    Figure& figure_;
    const std::string& text_;
    const FormulaStyle& style_;
    const MeasureText& measure_;
    std::size_t next_ = 0;
};

}  // namespace

float add_formula(Figure& figure, Point baseline, const std::string& formula,
                  const FormulaStyle& style, const MeasureText& measure) {
    Typesetter typesetter(figure, formula, style, measure);
    Point at = baseline;
    at.x = typesetter.set_until_brace(at, style.size);
    while (!typesetter.at_end()) {  // a stray closing brace is ignored
        typesetter.skip();
        at.x = typesetter.set_until_brace(at, style.size);
    }
    return at.x - baseline.x;
}

float formula_width(const std::string& formula, const FormulaStyle& style,
                    const MeasureText& measure) {
    Figure scratch;
    return add_formula(scratch, {}, formula, style, measure);
}

namespace {

/// Returns the places where the formula may be broken: blanks outside braces.
std::vector<std::size_t> find_breaks(const std::string& formula) {
    std::vector<std::size_t> blanks;
    int depth = 0;
    for (std::size_t at = 0; at < formula.size(); ++at) {
        if (formula[at] == '\\') {
            ++at;
            continue;
        }
        depth += (formula[at] == '{') - (formula[at] == '}');
        if (formula[at] == ' ' && depth == 0) blanks.push_back(at);
    }
    return blanks;
}

}  // namespace

std::vector<std::string> wrapped_formula(const std::string& formula, float width,
                                         const FormulaStyle& style, const MeasureText& measure) {
    std::vector<std::string> lines;
    std::size_t begin = 0, end = 0;  // of the line so far
    std::vector<std::size_t> breaks = find_breaks(formula);
    breaks.push_back(formula.size());
    for (const std::size_t next : breaks) {
        const bool fits =
            formula_width(formula.substr(begin, next - begin), style, measure) <= width;
        if (!fits && end > begin) {
            lines.push_back(formula.substr(begin, end - begin));
            begin = formula.find_first_not_of(' ', end);
            if (begin == std::string::npos) return lines;
        }
        end = std::max(next, begin);
    }
    if (end > begin) lines.push_back(formula.substr(begin, end - begin));
    return lines;
}

std::string shortened_formula(const std::string& formula, float max_width,
                              const FormulaStyle& style, const MeasureText& measure) {
    if (formula_width(formula, style, measure) <= max_width) return formula;
    std::vector<std::size_t> blanks = find_breaks(formula);
    for (; !blanks.empty(); blanks.pop_back()) {
        std::string shorter = formula.substr(0, blanks.back()) + " …";
        if (formula_width(shorter, style, measure) <= max_width) return shorter;
    }
    return "…";
}

namespace {

bool is_one_word(std::string_view text) {
    return std::ranges::all_of(
        text, [](unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; });
}

}  // namespace

std::string plain_formula(const std::string& formula) {
    std::string plain;
    std::size_t at = 0;
    while (at < formula.size()) {
        const std::size_t open = formula.find('{', at);
        const std::size_t close = formula.find('}', open);
        if (close == std::string::npos) break;
        const std::string script = formula.substr(open + 1, close - open - 1);
        plain += formula.substr(at, open - at);
        plain += is_one_word(script) ? script : fmt::format("({})", script);
        at = close + 1;
    }
    return plain + formula.substr(at);
}

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

namespace {

using Word = std::pair<std::string_view, std::string_view>;

constexpr std::array kSigns = {
    Word{"alpha", "α"},   Word{"beta", "β"},        Word{"gamma", "γ"},
    Word{"delta", "δ"},   Word{"epsilon", "ε"},     Word{"varepsilon", "ε"},
    Word{"zeta", "ζ"},    Word{"eta", "η"},         Word{"theta", "θ"},
    Word{"iota", "ι"},    Word{"kappa", "κ"},       Word{"lambda", "λ"},
    Word{"mu", "μ"},      Word{"nu", "ν"},          Word{"xi", "ξ"},
    Word{"pi", "π"},      Word{"rho", "ρ"},         Word{"sigma", "σ"},
    Word{"tau", "τ"},     Word{"phi", "φ"},         Word{"varphi", "φ"},
    Word{"chi", "χ"},     Word{"psi", "ψ"},         Word{"omega", "ω"},
    Word{"Gamma", "Γ"},   Word{"Delta", "Δ"},       Word{"Theta", "Θ"},
    Word{"Lambda", "Λ"},  Word{"Xi", "Ξ"},          Word{"Pi", "Π"},
    Word{"Sigma", "Σ"},   Word{"Phi", "Φ"},         Word{"Psi", "Ψ"},
    Word{"Omega", "Ω"},   Word{"in", "∈"},          Word{"notin", "∉"},
    Word{"times", "×"},   Word{"cdot", "·"},        Word{"cdots", "⋯"},
    Word{"ldots", "…"},   Word{"dots", "…"},        Word{"sum", "∑"},
    Word{"prod", "∏"},    Word{"infty", "∞"},       Word{"le", "≤"},
    Word{"leq", "≤"},     Word{"ge", "≥"},          Word{"geq", "≥"},
    Word{"ne", "≠"},      Word{"neq", "≠"},         Word{"approx", "≈"},
    Word{"to", "→"},      Word{"rightarrow", "→"},  Word{"leftarrow", "←"},
    Word{"mapsto", "↦"},  Word{"partial", "∂"},     Word{"nabla", "∇"},
    Word{"pm", "±"},      Word{"top", "⊤"},         Word{"odot", "⊙"},
    Word{"oplus", "⊕"},   Word{"otimes", "⊗"},      Word{"langle", "⟨"},
    Word{"rangle", "⟩"},  Word{"Vert", "‖"},        Word{"lVert", "‖"},
    Word{"rVert", "‖"},   Word{"mid", "|"},         Word{"forall", "∀"},
    Word{"exists", "∃"},  Word{"subset", "⊂"},      Word{"cup", "∪"},
    Word{"cap", "∩"},     Word{"sim", "∼"},         Word{"propto", "∝"},
    Word{"ell", "ℓ"},     Word{"prime", "′"},       Word{"quad", "  "},
    Word{"left", ""},     Word{"right", ""},        Word{"exp", "exp"},
    Word{"log", "log"},   Word{"ln", "ln"},         Word{"max", "max"},
    Word{"min", "min"},   Word{"argmax", "argmax"}, Word{"softmax", "softmax"},
    Word{"tanh", "tanh"}, Word{"sin", "sin"},       Word{"cos", "cos"},
};

/// Commands whose braces only say how the letters look.
constexpr std::array<std::string_view, 6> kFaces = {"text",   "mathrm",       "mathbf",
                                                    "mathit", "operatorname", "boldsymbol"};

constexpr std::array kSets = {Word{"R", "ℝ"}, Word{"N", "ℕ"}, Word{"Z", "ℤ"}, Word{"Q", "ℚ"},
                              Word{"C", "ℂ"}};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

template <std::size_t N>
const std::string_view* find_word(const std::array<Word, N>& words, std::string_view name) {
    const auto at = std::ranges::find(words, name, &Word::first);
    return at == words.end() ? nullptr : &at->second;
}

/// Returns the part in brackets if it consists of more than one thing.
std::string as_one(const std::string& part) {
    const bool is_several = part.find_first_of(" +-=/,") != std::string::npos ||
                            part.find("−") != std::string::npos ||
                            part.find("·") != std::string::npos;
    return is_several ? fmt::format("({})", part) : part;
}

class TexReader {
  public:
    explicit TexReader(std::string_view tex) : tex_(tex) {}

    std::string read() {
        std::string formula = read_until_end();
        if (at_ < tex_.size()) throw Error("formula", "a } has no { before it; \\} is a brace");
        return formula;
    }

  private:
    /// Reads up to the end, or to a brace that closes.
    std::string read_until_end() {
        std::string formula;
        while (at_ < tex_.size() && tex_[at_] != '}') {
            const char c = tex_[at_];
            if (c == '\\') {
                formula += read_command();
            } else if (c == '{') {
                const bool is_script = formula.ends_with('_') || formula.ends_with('^');
                const std::string group = read_group();
                formula += is_script ? "{" + group + "}" : group;
            } else {
                formula += c;
                ++at_;
            }
        }
        return formula;
    }

    /// Reads the text between braces.
    std::string read_group() {
        ++at_;
        std::string group = read_until_end();
        if (at_ >= tex_.size()) throw Error("formula", "a { has no }; \\{ is a brace");
        ++at_;
        return group;
    }

    std::string read_command() {
        ++at_;
        if (at_ >= tex_.size()) return "\\\\";
        if (!is_letter(tex_[at_])) return read_character();
        const std::size_t begin = at_;
        while (at_ < tex_.size() && is_letter(tex_[at_])) ++at_;
        const std::string_view name = tex_.substr(begin, at_ - begin);
        if (const std::string_view* sign = find_word(kSigns, name)) return std::string(*sign);
        if (name == "sqrt") return "√" + as_one(read_argument(name));
        if (name == "frac") {
            const std::string above = as_one(read_argument(name));
            return fmt::format("{}/{}", above, as_one(read_argument(name)));
        }
        if (name == "mathbb") {
            const std::string set = read_argument(name);
            const std::string_view* sign = find_word(kSets, set);
            return sign ? std::string(*sign) : set;
        }
        if (std::ranges::find(kFaces, name) != kFaces.end()) return read_argument(name);
        throw Error(
            "formula",
            "\\{} is not known; letters and signs such as α, ∈ and √ can be typed as they are",
            name);
    }

    /// Reads a character: \_ \^ \{ \} \\ are characters of the notation; \, and \; are narrow
    /// blanks.
    std::string read_character() {
        const char c = tex_[at_++];
        if (std::string_view("_^{}\\").find(c) != std::string_view::npos) return {'\\', c};
        if (c == ',' || c == ';' || c == ' ') return " ";
        return c == '!' ? "" : std::string(1, c);
    }

    std::string read_argument(std::string_view of) {
        while (at_ < tex_.size() && tex_[at_] == ' ') ++at_;
        if (at_ >= tex_.size() || tex_[at_] != '{')
            throw Error("formula", "\\" + std::string(of) + " is not followed by {…}");
        return read_group();
    }

    std::string_view tex_;
    std::size_t at_ = 0;
};

}  // namespace

std::string formula_from_tex(std::string_view tex) {
    return TexReader(tex).read();
}

}  // namespace headlight
