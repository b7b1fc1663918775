// Bad expressions: each error by its text, and bytes from strangers.
#include <array>
#include <doctest/doctest.h>
#include <random>

#include "expression_study.h"

using namespace headlight;

namespace {

struct BadExpression {
    const char *text, *error;  // after the column and the expression
    int column = 1;
};

constexpr BadExpression kBadExpressions[] = {
    {"", "the expression ends where a name or a number is missing"},
    {"1 +", "the expression ends where a name or a number is missing", 4},
    {"1 + )", "')' stands where a name or a number is missing", 5},
    {"1 2", "'2' stands where an operator is missing", 3},
    {"2x", "'x' stands where an operator is missing", 2},
    {"(1", "the expression ends where ')' is missing", 3},
    {"and 1", "'and' stands where a name or a number is missing"},
    {"1e999", "the number '1e999' is out of range"},
    {"'it", "the text that begins here has no end"},
    {"“„ü", "the text that begins here has no end"},
    {"pattern[it", "the expression ends where ']' is missing", 11},
    {"pattern[]", "']' stands where an index (a word, a number or *) is missing", 9},
    {"pattern[a b]", "an index with blanks or brackets stands in quotes: 'a b'", 9},
    {"pattern[1, 2, 3]", "there are at most two indices: [row, column]", 8},
    {"maxx(1)", "there is no function 'maxx'; did you mean 'max'?"},
    {"rank(1)", "it is rank(row, name), and not with 1 argument"},
    {"patern[it]",
     "nothing is called 'patern', and a text stands in quotes; did you mean 'pattern'?"},
    {"ln_3.out.x", "nothing is called 'ln_3.out.x', and a text stands in quotes"},
    {"1 + pattern[it, dogs]",
     "blocks.0.attn.heads.2.pattern has no column 'dogs'; it can be 0 to 10, or a token", 17},
    {"pattern[itt]",
     "blocks.0.attn.heads.2.pattern has no row 'itt'; it can be 0 to 10, or a token; did you "
     "mean 'it'?",
     9},
    {"pattern[it#3]", "blocks.0.attn.heads.2.pattern has no row 'it#3': there is 1 called 'it'", 9},
    {"pattern[it][11]",
     "nothing in the row is called '11'; it can be 0 to 10, or a name; did you mean 'it'?", 13},
    {"[1, 2][0, 1]", "a row of 2 numbers has one index", 7},
    {"(1)[0]", "a number has no index", 4},
    {"b.pattern", "b. is the compared study; nothing is compared here"},
    {"before.pattern", "before. is the page before; there is none"},
    {"settings.layer.attention.temperatur",
     "the study has no number setting 'layer.attention.temperatur'; did you mean "
     "'layer.attention.temperature'?"},
    {"settings.seed[1]", "a setting has no index"},
    {"1 / 0", "a division by zero", 3},
    {"∞ - ∞", "the result is not a number (NaN), as of ∞ − ∞, 0 · ∞ or √−1", 3},
    {"sqrt(-1)", "the result is not a number (NaN), as of ∞ − ∞, 0 · ∞ or √−1"},
    {"'a' + 1", "numbers are needed; a text is given", 5},
    {"(1 < 2) + 1", "numbers are needed; a condition is given", 9},
    {"1 and true", "a condition is needed; a number is given", 3},
    {"not 1", "a condition is needed; a number is given", 5},
    {"'a' < 'b'", "numbers are needed; a text is given", 5},
    {"'a' = (1 < 2)", "a text is compared with a condition", 5},
    {"[1, 2] + [1, 2, 3]", "the sizes do not fit: a row of 2 numbers and a row of 3 numbers", 8},
    {"W_Q @ W_K", "the sizes do not fit: 64 × 16 times 64 × 16", 5},
    {"2 @ W_K", "@ multiplies rows and matrices; a number goes with *", 3},
    {"argmax(pattern)",
     "this needs a row, such as pattern[it]; it was given a matrix of 11 × 11 numbers"},
    {"softmax(1)", "this needs a row or a matrix; it was given a number"},
    {"transpose([1])", "this needs a matrix; it was given a row of 1 number"},
    {"entropy(scores[it])",
     "entropy needs weights that are not negative and sum to 1, as softmax gives"},
    {"cosine([0, 0], [1, 0])", "a row of zeros only has no direction"},
    {"dot([1], [1, 2])", "the two have different sizes: a row of 1 number and a row of 2 numbers"},
    {"asymmetry(W_Q)", "only a square matrix can be symmetric"},
    {"near(1, 2, -1)", "the tolerance of near is a number that is not negative"},
    {"near('a', 'b', 1)", "near compares numbers"},
    {"all(1)", "a condition is needed; a number is given"},
    {"rank([1, 2], cat)", "nothing in the row is called 'cat'; it can be 0 to 1"},
    {"[]", "the list is empty"},
    {"[pattern]", "a list consists of numbers; a matrix of 11 × 11 numbers is given", 2},
    {"pattern[(1 < 2)]", "an index is a name or a number", 9},
};

void check_harmless_expression(const std::string& text) {
    CAPTURE(text);
    try {
        const Expression expression = read_expression(text, "t");
        static_cast<void>(needed_paths(expression, who_is_it().side().names()));
        static_cast<void>(value_text(evaluate(expression, who_is_it().scope()), "", "t"));
    } catch (const Error&) {
    }
}

}  // namespace

TEST_CASE("expressions: every error says where and what") {
    for (const BadExpression& bad : kBadExpressions) {
        const std::string text = bad.text;
        CHECK(who_is_it().error(text) ==
              "[t] column " + std::to_string(bad.column) + " of '" + text + "': " + bad.error);
    }
    CHECK(a_graph().error("pattern[0, 9]") ==
          "[t] column 1 of 'pattern[0, 9]': there is no such edge: '0' reads '9'");
}

TEST_CASE("expressions: an ambiguous name lists what it can mean") {
    const ExpressionStudy& study = who_is_it();
    const ExpressionScope scope{{study.trace, study.components, "", -1}};
    CHECK_THROWS_WITH_AS(evaluate_expression("blocks.0.attn.out[9] @ pattern[9]", scope, "t"),
                         "[t] column 24 of 'blocks.0.attn.out[9] @ pattern[9]': 'pattern' is "
                         "ambiguous: blocks.0.attn.heads.0.pattern, "
                         "blocks.0.attn.heads.1.pattern, blocks.0.attn.heads.2.pattern, "
                         "blocks.0.attn.heads.3.pattern, …",
                         Error);
    CHECK_THROWS_WITH_AS(evaluate_expression("settings.seed", scope, "t"),
                         "[t] column 1 of 'settings.seed': there are no settings here", Error);
}

TEST_CASE("expressions: a claim is one condition") {
    const ExpressionScope scope = who_is_it().scope();
    CHECK_THROWS_WITH_AS(holds(read_expression("1 + 1", "t"), scope),
                         "[t] column 1 of '1 + 1': a condition is needed, such as "
                         "pattern[it, cat] > 0.5; this is a number",
                         Error);
    CHECK_THROWS_WITH_AS(holds(read_expression("[1] = 1", "t"), scope),
                         "[t] column 1 of '[1] = 1': this is a row of 1 condition; say all(…) or "
                         "any(…) of it",
                         Error);
}

TEST_CASE("expressions: depth and length are limited") {
    const auto nested = [](int n, const char* open) {
        std::string text;
        for (int k = 0; k < n; ++k) text += open;
        return text + "1";
    };
    for (const char* open : {"(", "[", "-", "not ", "2^", "abs(", "a[(", "-("})
        CHECK(who_is_it().error(nested(200, open)).find("nested deeper than 50 levels") !=
              std::string::npos);
    CHECK(who_is_it().error(nested(3000, "1+")).find("more than 2000 characters") !=
          std::string::npos);
    CHECK(who_is_it().error(nested(900, "1+")).find("too many operators in a row") !=
          std::string::npos);
    CHECK(who_is_it().number(nested(400, "1+")) == 401);
}

TEST_CASE("expressions: random bytes and mutations only throw Error") {
    std::mt19937 random(7);
    const auto below = [&](std::size_t n) { return random() % n; };
    constexpr std::array kSeeds{"pattern[it, cat] > 0.5 and argmax(pattern[it]) = cat",
                                "near(pattern @ v, z, 0.0001)",
                                "sum(A[*, “cat”]) / rows(A) ^ -2",
                                "all(not (S[it] ≥ -∞ or [1, 2][0] != 3e2))",
                                "rank(pattern[it#2], didn't) + max(1, 2, settings.seed)",
                                "pattern[(argmax(S[it])), *]"};
    constexpr std::string_view kBytes = "()[],'\"#*@^+-/<>=!. 019eEabZ_\x80\xe2\xff\n";
    for (int round = 0; round < 4000; ++round) {
        std::string text = kSeeds[below(kSeeds.size())];
        if (round % 4 == 0) {
            text.assign(below(40), ' ');
            for (char& c : text) c = static_cast<char>(below(256));
        }
        for (std::size_t n = below(4); n > 0 && !text.empty(); --n) {
            const std::size_t at = below(text.size());
            if (below(3) == 0)
                text.erase(at, 1 + below(5));
            else if (below(2) == 0)
                text.insert(at, 1, kBytes[below(kBytes.size())]);
            else
                text[at] = kBytes[below(kBytes.size())];
        }
        check_harmless_expression(text);
    }
}
