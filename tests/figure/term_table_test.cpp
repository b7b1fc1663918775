#include <cmath>
#include <doctest/doctest.h>

#include "core/compute.h"
#include "core/mechanisms/transformer.h"
#include "figure/words/arithmetic.h"

namespace headlight::term_table_test {
namespace {

const std::string kHead = "blocks.0.attn.heads.0";

Trace example() {
    StackSettings settings;
    settings.mask.causal = Switch::On;
    return compute(plan_sentences({{"it", "was", "too", "tired"}}, settings, 1), {},
                   {.everything = true, .globs = {}}, nullptr);
}

ArithmeticStep step_of(const Trace& trace, const std::string& path, Index row, Index column) {
    return arithmetic_steps(trace, trace.id_at(path), row, column).back();
}

std::string text_of(const TermRow& row) {
    std::string text;
    for (const TermPiece& piece : row.pieces) text += piece.text;
    for (const std::string& number : row.numbers) text += " | " + number;
    return text;
}

}  // namespace

TEST_CASE("TermTable: a softmax has one row per key, and masked ones have −∞ and 0") {
    const Trace trace = example();
    const ArithmeticStep step = step_of(trace, kHead + ".pattern", 2, 1);
    const TermTable table(trace, step, TermOrder::AsComputed);
    CHECK(table.is_softmax());
    CHECK(table.title() == "Softmax of 4 scores");
    REQUIRE(table.size() == 4);
    CHECK(text_of(table.row(3, TermForm::Wide)) == "tired | −∞ | −∞ | 0 | 0");
    CHECK(text_of(table.row(3, TermForm::Compact)) == "tired | −∞ | 0 | 0");
    Scalar sum = 0;
    for (Index k = 0; k < 4; ++k) {
        const TermRow row = table.row(k, TermForm::Wide);
        CHECK(row.is_current == (k == 1));
        CHECK(row.share == doctest::Approx((*trace.at(kHead + ".pattern").value)(2, k)));
        CHECK(row.numbers.size() == table.headers(TermForm::Wide).size());
        REQUIRE(!row.cells.empty());
        CHECK(trace[row.cells[0].tensor].path() == kHead + ".pattern");
        CHECK(row.cells[0].column == k);
        sum += row.share;
    }
    CHECK(sum == doctest::Approx(1));
}

TEST_CASE("TermTable: sorted by size, the largest come first, whatever their sign") {
    const Trace trace = example();
    const ArithmeticStep step = step_of(trace, kHead + ".scores", 2, 1);
    const TermTable sorted(trace, step, TermOrder::Strongest);
    const TermTable plain(trace, step, TermOrder::AsComputed);
    REQUIRE(sorted.size() == 8);
    CHECK(sorted.title() == "Q·K: 8 terms");
    CHECK(sorted.remark() == "Q·K is their sum; ÷ √8 gives S");
    Scalar all = 0;
    for (Index k = 0; k < 8; ++k) {
        all += std::abs(sorted.row(k, TermForm::Wide).share);
        CHECK(plain.row(k, TermForm::Wide).cells[0].column == k);
        if (k > 0)
            CHECK(std::abs(sorted.row(k - 1, TermForm::Wide).share) >=
                  std::abs(sorted.row(k, TermForm::Wide).share));
    }
    CHECK(all == doctest::Approx(1));
}

TEST_CASE("TermTable: each factor of a term leads to its cell") {
    const Trace trace = example();
    const ArithmeticStep step = step_of(trace, kHead + ".scores", 2, 1);
    const TermTable table(trace, step, TermOrder::AsComputed);
    for (const TermForm form : {TermForm::Compact, TermForm::Wide}) {
        const TermRow row = table.row(3, form);
        REQUIRE(row.cells.size() == 2);
        CHECK(trace[row.cells[0].tensor].path() == kHead + ".q");
        CHECK(trace[row.cells[1].tensor].path() == kHead + ".k");
        CHECK(row.cells[1].row == 1);
        CHECK(row.pieces.front().cell == 0);
        CHECK(row.pieces.back().cell == 1);
    }
    CHECK(table.row(3, TermForm::Wide).pieces[0].text == "Q(too, 3)");
}

TEST_CASE("has_table: there is one if there is more than one term") {
    const Trace trace = example();
    CHECK(has_table(step_of(trace, kHead + ".scores", 0, 0)));
    CHECK(!has_table(step_of(trace, "embed", 0, 0)));
}

}  // namespace headlight::term_table_test
