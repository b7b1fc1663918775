#include <doctest/doctest.h>

#include "figure/words/formula.h"

namespace headlight::plain_formula_test {

TEST_CASE("plain formula: words lose their braces; longer expressions get parentheses") {
    CHECK(plain_formula("H a_{src}") == "H a_src");
    CHECK(plain_formula("10000^{f/d}") == "10000^(f/d)");
    CHECK(plain_formula("x_{ij} + y_{i+1}") == "x_ij + y_(i+1)");
    CHECK(plain_formula("S = Q K^T / √d_k") == "S = Q K^T / √d_k");
    CHECK(plain_formula("x_{αβ}") == "x_αβ");
}

TEST_CASE("plain formula: unclosed braces and empty texts do not change") {
    CHECK(plain_formula("") == "");
    CHECK(plain_formula("x_{a") == "x_{a");
    CHECK(plain_formula("a}") == "a}");
}

}  // namespace headlight::plain_formula_test
