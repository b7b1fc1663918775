#include "paint/words/tex_formula.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "core/error.h"

namespace headlight {
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
