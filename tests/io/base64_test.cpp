#include "io/text/base64.h"

#include <doctest/doctest.h>

namespace headlight::base64_test {

TEST_CASE("base64: the examples of RFC 4648, and bytes above 127") {
    CHECK(base64("") == "");
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foo") == "Zm9v");
    CHECK(base64("foobar") == "Zm9vYmFy");
    CHECK(base64("\xff\xfe\xfd") == "//79");
}

}  // namespace headlight::base64_test
