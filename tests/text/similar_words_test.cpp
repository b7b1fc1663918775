#include <doctest/doctest.h>

#include "text/words.h"

namespace headlight::alike_words_test {
namespace {

const std::vector<std::string> kWords = {"<unknown>", "street", "strand", "tired", "économique",
                                         "1992",      "at",     "dog",    "bird",  "Paris"};

std::string alike(std::string_view word) {
    const auto found = SimilarWords(kWords).find(word);
    return found ? kWords[*found] : "";
}

}  // namespace

TEST_CASE("SimilarWords: a word is found by the letters that it shares") {
    CHECK(alike("streets") == "street");
    CHECK(alike("Strets") == "street");
    CHECK(alike("tird") == "tired");
    CHECK(alike("dogs") == "dog");
    CHECK(alike("ÉCONOMIQUES") == "économique");
    CHECK(alike("paris") == "Paris");
}

TEST_CASE(
    "SimilarWords: other words, other first letters, digits, signs and short words find none") {
    for (const char* word : {"hamster", "fired", "1993", "att", "at", "a", "", "!", "<unknown>",
                             "unknown", "\xff\xfe", "dog1"})
        CHECK(alike(word) == "");
}

TEST_CASE("SimilarWords: of equally alike words the first is found") {
    const SimilarWords words({"card", "cart"});
    CHECK(words.find("car") == 0u);
}

}  // namespace headlight::alike_words_test
