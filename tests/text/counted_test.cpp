#include "text/counted.h"

#include <doctest/doctest.h>

namespace headlight::counted_test {

TEST_CASE("counted: one is singular, none and many are plural") {
    CHECK(counted(0, "text") == "0 texts");
    CHECK(counted(1, "text") == "1 text");
    CHECK(counted(2, "text") == "2 texts");
    CHECK(counted(1, "matrix", "matrices") == "1 matrix");
    CHECK(counted(3, "matrix", "matrices") == "3 matrices");
}

}  // namespace headlight::counted_test
