// The headers of an answer.
#include <doctest/doctest.h>
#include <initializer_list>

#include "download/http.h"

namespace headlight::http_answer_test {
namespace {

HttpAnswer answer_with(std::initializer_list<const char*> lines) {
    HttpAnswer answer;
    for (const char* line : lines) read_header(answer, line);
    return answer;
}

}  // namespace

TEST_CASE("an answer says status, length, range and marks, whatever the case of their names") {
    const HttpAnswer answer = answer_with(
        {"HTTP/1.1 206 Partial Content\r\n", "content-LENGTH:  100\r\n",
         "Content-Range: bytes 50-149/150\r\n", "ETag: W/\"abc\"\r\n", "x-repo-commit: 607a\r\n",
         "X-Linked-Size: 7\r\n", "X-Linked-ETag: \"def\"\r\n", "\r\n"});
    CHECK(answer.status == 206);
    CHECK(answer.length == 100u);
    CHECK(answer.first == 50u);
    CHECK(answer.whole == 150u);
    CHECK(answer.tag == "abc");
    CHECK(answer.is_hub);
    CHECK(answer.linked_size == 7u);
    CHECK(answer.linked_tag == "def");
}

TEST_CASE("what an answer says badly is as if it were not said") {
    const HttpAnswer answer =
        answer_with({"HTTP/2 200\r\n", "Content-Length: -1\r\n", "Content-Range: bytes */150\r\n",
                     "X-Linked-Size: 99999999999999999999999\r\n", "no colon\r\n", ": x\r\n", "",
                     "Content-Range: pages 1-2/3"});
    CHECK(answer.status == 200);
    CHECK_FALSE(answer.length.has_value());
    CHECK_FALSE(answer.first.has_value());
    CHECK_FALSE(answer.linked_size.has_value());
    CHECK(answer_with({"HTTP/1.1 many\r\n"}).status == 0);
}

TEST_CASE("the answer of a proxy before that of the server does not count") {
    const HttpAnswer answer = answer_with(
        {"HTTP/1.1 200 Connection established", "ETag: \"proxy\"", "", "HTTP/1.1 404 Not Found"});
    CHECK(answer.status == 404);
    CHECK(answer.tag.empty());
}

TEST_CASE("every refusal says what to do") {
    const auto reason = [](long status) { return reason_of(HttpAnswer{.status = status}); };
    CHECK(reason(401).find("accept terms") != std::string::npos);
    CHECK(reason(403).find("(status 403)") != std::string::npos);
    CHECK(reason(404) == "is not there (status 404); another source can be given with --from");
    CHECK(reason(429).find("wait some minutes") != std::string::npos);
    CHECK(reason(503).find("try again later") != std::string::npos);
    CHECK(reason(418).find("not understood (status 418)") != std::string::npos);
}

}  // namespace headlight::http_answer_test
