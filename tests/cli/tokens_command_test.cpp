#include <doctest/doctest.h>

#include "../io/models/golden_model.h"
#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/files/file.h"
#include "source_folder.h"

namespace headlight::tokens_command_test {
namespace {

std::string golden_kind(const char* kind) {
    return (golden_folder("tokenizers") / kind).string();
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

TEST_CASE("tokens: the type of a token is that of the study, also after a typed separator") {
    const GoldenModel golden("bert");
    const std::string model = golden.folder().native(), text = "The cat [SEP] was tired";
    const TemporaryFolder folder;
    const std::string study = folder.file("a.headlight"), csv = folder.file("types.csv");
    REQUIRE(headlight_run({"new", "model", model, text, "-o", study}).code == kExitDone);
    REQUIRE(headlight_run({"export", study, "--tensor", "types", "-o", csv}).code == kExitDone);
    std::vector<std::string> of_study, of_tokens;
    const std::vector<std::string> rows = lines_of(read_file(csv));
    for (std::size_t k = 1; k < rows.size(); ++k)
        of_study.push_back(rows[k].substr(rows[k].rfind(',') + 1, 1));
    const std::string json = headlight_run({"tokens", "--json", model, text}).out;
    for (std::size_t at = 0; (at = json.find("\"type\": ", at)) != std::string::npos; ++at)
        of_tokens.push_back(json.substr(at + 8, 1));
    CHECK(of_tokens.size() > 4);
    CHECK(of_tokens.back() == "1");
    CHECK(of_study == of_tokens);
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
