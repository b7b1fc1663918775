// headlight get. Downloads from servers are tested in tests/download; here, from a folder.
#include <doctest/doctest.h>
#include <sstream>

#include "../io/models/golden_model.h"
#include "cli/command_line.h"
#include "headlight_run.h"

namespace headlight::get_command_test {
namespace {

/// What is asked on a terminal where that is typed, and what is done then.
struct Asked {
    int code = 0;
    std::string terminal;
};
Asked asked(const std::vector<std::string>& args, const std::string& typed) {
    std::ostringstream out, err, terminal;
    std::istringstream answers(typed);
    const int code = run_command_line(args, out, err, &terminal, &answers);
    return {code, terminal.str()};
}

}  // namespace

TEST_CASE("get: a model comes from a folder, and opens") {
    const GoldenModel golden("gpt2");
    const TemporaryFolder folder;
    const Ran ran = headlight_run(
        {"get", "us/tiny", "-o", folder.file("tiny"), "--from", golden.folder().string(), "--yes"});
    CHECK(ran.err == "");
    CHECK(contains(ran.out, golden.file("model.safetensors") + "\n    "));
    CHECK(contains(ran.out, " bytes; no checksum is known\n"));
    CHECK(contains(ran.out, "opens with: headlight " + folder.file("tiny")));
    const Ran logits = headlight_run({"logits", folder.file("tiny"), "--top", "1"});
    CHECK(logits.code == 0);
    CHECK(headlight_run({"get", "us/tiny", "-o", folder.file("tiny"), "--from",
                         golden.folder().string(), "--yes"})
              .code == 0);
}

TEST_CASE("get: nothing is downloaded before it was asked about") {
    const GoldenModel golden("gpt2");
    const TemporaryFolder folder;
    const std::vector<std::string> args = {
        "get", "us/tiny", "-o", folder.file("m"), "--from", golden.folder().string()};
    const Ran nobody = headlight_run(args);
    CHECK(nobody.code == 1);
    CHECK(contains(nobody.err, "nothing was downloaded: add --yes"));
    for (const char* no : {"n\n", "", "what\n"}) {
        const Asked answer = asked(args, no);
        CHECK(contains(answer.terminal, " kB into " + folder.file("m") + "? [y/N] "));
        CHECK(folder.is_empty());
    }
    CHECK(asked(args, "y\n").code == 0);
    CHECK(folder.count() == 1);
}

TEST_CASE("get: what cannot be asked for is refused by its name") {
    const TemporaryFolder folder;
    const GoldenModel golden("gpt2");
    CHECK(contains(headlight_run({"get"}).err, "needs the name of a model"));
    CHECK(contains(headlight_run({"get", "gpt5"}).err, "'gpt5' is not a model that is known"));
    const Ran other = headlight_run(
        {"get", "gpt2", "-o", folder.file("m"), "--from", golden.folder().string(), "--yes"});
    CHECK(other.code == 1);
    CHECK(contains(other.err, golden.file("model.safetensors") + "] is "));
    CHECK(contains(other.err, "but gpt2 has 548105171 bytes; it is another file"));
    CHECK(contains(headlight_run({"get", "gpt2", "--from", folder.file("nowhere")}).err,
                   "nowhere] has no gpt2: there is no config.json in openai-community/gpt2"));
    CHECK(contains(headlight_run({"get", "gpt2", "--from", "http://127.0.0.1:1"}).err,
                   "127.0.0.1 does not answer"));
    CHECK(folder.is_empty());
}

}  // namespace headlight::get_command_test
