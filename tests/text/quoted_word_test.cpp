#include "text/quoted_word.h"

#include <doctest/doctest.h>
#include <string>

namespace headlight::quoted_word_test {

TEST_CASE("quoted_word: a word that is a quotation mark stands between other ones") {
    CHECK(quoted_word("cat") == "“cat”");
    CHECK(quoted_word("didn't") == "“didn't”");
    CHECK(quoted_word("l’") == "“l’”");
    CHECK(quoted_word("\"") == "«\"»");
    CHECK(quoted_word("␣“") == "«␣“»");
    CHECK(quoted_word(",\"") == "«,\"»");
    for (const char* mark : {"'", "’", "␣`", "''"})
        CHECK(quoted_word(mark) == "«" + std::string(mark) + "»");
}

TEST_CASE("find_quoted_word: between either marks") {
    CHECK(find_quoted_word("Row “it”") == 4);
    CHECK(find_quoted_word("Row «\"»") == 4);
    CHECK(find_quoted_word("Row “«”") == 4);
    CHECK(find_quoted_word("Row") == std::string::npos);
}

}  // namespace headlight::quoted_word_test
