#include <doctest/doctest.h>

#include "core/error.h"
#include "figure/words/formula.h"

namespace headlight::tex_formula_test {
namespace {

std::string refusal(const char* tex) {
    try {
        formula_from_tex(tex);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("formula_from_tex: what is usual in TeX becomes characters") {
    const auto check = [](const char* tex, const char* formula) {
        CHECK(formula_from_tex(tex) == formula);
    };
    check("x_i + x_{ij}^2", "x_i + x_{ij}^2");
    check(R"(\alpha_{ij} \in \mathbb{R}^{n \times d})", "α_{ij} ∈ ℝ^{n × d}");
    check(R"(\frac{Q K^T}{\sqrt{d_k}})", "(Q K^T)/√d_k");
    check(R"(\frac{a}{b+1})", "a/(b+1)");
    check(R"(\sqrt{a + b})", "√(a + b)");
    check("√{d_k}", "√d_k");
    check(R"(\text{softmax}\left(S\right))", "softmax(S)");
    check(R"(\{a \_ b\})", R"(\{a \_ b\})");
    check("W_Q^{h}", "W_Q^{h}");
    check("", "");
}

TEST_CASE("formula_from_tex: what is not known is named") {
    CHECK(refusal(R"(\foo{x})").find(R"(\foo is not known)") != std::string::npos);
    CHECK(refusal("x_{i").find("a { has no }") != std::string::npos);
    CHECK(refusal("x}").find("a } has no {") != std::string::npos);
    CHECK(refusal(R"(\frac{a} b)").find(R"(\frac is not followed by {…})") != std::string::npos);
}

}  // namespace headlight::tex_formula_test
