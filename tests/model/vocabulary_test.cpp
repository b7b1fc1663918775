#include "model/vocabulary.h"

#include <doctest/doctest.h>

namespace headlight::vocabulary_test {
namespace {

WordTable french() {
    return word_table(std::make_shared<const Words>(
        Words{std::string(kUnknownWord), "l'", "n'", "accord", "a", "été", "aujourd'hui"}));
}

}  // namespace

TEST_CASE("word table: a word is found as written, in lower case, with either apostrophe") {
    const WordTable table = french();
    CHECK(table.find_row("accord") == 3);
    CHECK(table.find_row("Été") == 5);
    CHECK(table.find_row("Aujourd’hui") == 6);
    CHECK(table.find_row("traité") == 0);
    CHECK(table.find_row("accords") == 3);
    CHECK(table.find_row("<pad>") == kNoRow);
    CHECK_FALSE(word_table(SharedNames()));
}

TEST_CASE("fit_to_table: words are parted and joined at apostrophes as the table has them") {
    const auto fitted = [](const Words& words) { return fit_to_table(words, french()); };
    CHECK(fitted({"L'accord", "n’a"}) == Words{"L'", "accord", "n’", "a"});
    CHECK(fitted({"l", "'", "accord"}) == Words{"l'", "accord"});
    CHECK(fitted({"aujourd'hui"}) == Words{"aujourd'hui"});
    CHECK(fitted({"n'l'accord"}) == Words{"n'", "l'", "accord"});
    CHECK(fitted({"d'accord", "'", "l'"}) == Words{"d'accord", "'", "l'"});
    CHECK(fitted({"l'accords"}) == Words{"l'", "accords"});
    CHECK(fitted({"l'eau"}) == Words{"l'", "eau"});
    CHECK(fit_to_table({"l'accord"}, {}) == Words{"l'accord"});
}

}  // namespace headlight::vocabulary_test
