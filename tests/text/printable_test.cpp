#include "text/printable.h"

#include <array>
#include <doctest/doctest.h>

namespace headlight::printable_test {

TEST_CASE("printable: any bytes become one line of valid text") {
    CHECK(printable("Größe Ж 😀") == "Größe Ж 😀");
    CHECK(printable("a\nb\tc\x01\x7F") == "a\\nb\\tc\\x01\\x7f");
    CHECK(printable("\xC3(") == "\xEF\xBF\xBD(");
    CHECK(in_quotes("a") == "'a'");
}

TEST_CASE("printable: a megabyte is shortened") {
    const std::string shown = printable(std::string(1'000'000, 'x'));
    CHECK(shown.ends_with("…"));
    CHECK(shown.size() < 250);
    CHECK(printable(std::string(200, 'x')) == std::string(200, 'x'));
}

TEST_CASE("suggestion: it is the nearest known text, or none") {
    constexpr std::array<std::string_view, 4> kKnown = {"n_heads", "d_model", "mask", "seed"};
    CHECK(suggestion("heads", kKnown) == "; did you mean 'n_heads'?");
    CHECK(suggestion("n_hedas", kKnown) == "; did you mean 'n_heads'?");
    CHECK(suggestion("sed", kKnown) == "; did you mean 'seed'?");
    CHECK(suggestion("temperature", kKnown).empty());
    CHECK(suggestion(std::string(100'000, 'a'), kKnown).empty());
}

}  // namespace headlight::printable_test
