#include "core/error.h"

#include <doctest/doctest.h>
#include <string>

namespace headlight::error_test {

TEST_CASE("an error keeps its place apart from what is wrong, and says both") {
    const Error named("heads", "must be 1 or more");
    CHECK(std::string(named.what()) == "[heads] must be 1 or more");
    CHECK(named.place() == ErrorPlace{"heads"});
    CHECK(named.problem() == "must be 1 or more");

    const Error in_text({"a.json", 3, "heads.0"}, "must be a number");
    CHECK(std::string(in_text.what()) == "[a.json] line 3, heads.0: must be a number");
    CHECK(in_text.place().line == 3);
    CHECK(in_text.problem() == "must be a number");
    CHECK(in_text.without_name() == "line 3, heads.0: must be a number");

    CHECK(std::string(Error({"a.csv", 2}, "is empty").what()) == "[a.csv] line 2: is empty");
    CHECK(std::string(Error({"a.json", 0, "heads"}, "no").what()) == "[a.json] heads: no");
}

}  // namespace headlight::error_test
