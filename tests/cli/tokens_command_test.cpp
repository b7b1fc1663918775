#include <doctest/doctest.h>

#include "cli/command_line.h"
#include "headlight_run.h"
#include "source_folder.h"

namespace headlight::tokens_command_test {
namespace {

std::string golden_kind(const char* kind) {
    return (source_folder() / "tests/golden/tokenizers" / kind).string();
}

}  // namespace

TEST_CASE("tokens: one a line, with id, piece, the piece as it is read, and bytes") {
    const Ran ran = headlight_run({"tokens", golden_kind("llama3"), "a\nb"});
    REQUIRE(ran.code == kExitDone);
    CHECK(ran.err.empty());
    CHECK(ran.out.starts_with("0\t420\t<|begin|>\t<|begin|>\t-\n1\t"));
    CHECK(contains(ran.out, "\tĊ\t⏎\t"));
    const Ran bare = headlight_run({"tokens", "--no-specials", golden_kind("llama3"), "a\nb"});
    CHECK(!contains(bare.out, "<|begin|>"));
}

TEST_CASE("tokens: as JSON, with both texts") {
    const Ran ran = headlight_run({"tokens", "--json", golden_kind("bert"), "The", "cat"});
    REQUIRE(ran.code == kExitDone);
    CHECK(contains(ran.out,
                   "\"piece\": \"[CLS]\", \"shown\": \"[CLS]\", \"type\": 0, \"special\": true}"));
    CHECK(contains(ran.out, "\"text\": 2, \"begin\": 0, \"end\": "));
    const Ran empty = headlight_run({"tokens", "--json", golden_kind("gpt2"), ""});
    CHECK(empty.out == "[]\n");
}

TEST_CASE(
    "tokens: bytes that are not UTF-8 are read as � with a note, a folder without is refused") {
    const Ran ran = headlight_run({"tokens", golden_kind("gpt2"), "a\xFF"});
    CHECK(ran.code == kExitDone);
    CHECK(ran.err == "headlight: note: TEXT: bytes that are not UTF-8 are read as �\n");
    const TemporaryFolder folder;
    const Ran none = headlight_run({"tokens", folder.file(""), "a"});
    CHECK(none.code == kExitError);
    CHECK(contains(none.err, "has no tokenizer"));
}

}  // namespace headlight::tokens_command_test
