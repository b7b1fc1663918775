// What every command has in common: help, version, usage errors, broken studies, exit codes.
#include "cli/command_line.h"

#include <doctest/doctest.h>

#include "headlight_run.h"
#include "io/files/file.h"

namespace headlight::command_line_test {
namespace {

using Args = std::vector<std::string>;

const std::vector<Args> kCommands = {{},
                                     {"new"},
                                     {"new", "sentence"},
                                     {"new", "alignment"},
                                     {"new", "graph"},
                                     {"new", "image"},
                                     {"list"},
                                     {"run"},
                                     {"export"},
                                     {"window"},
                                     {"explain"},
                                     {"doctor"}};

Args with(Args args, const Args& more) {
    args.insert(args.end(), more.begin(), more.end());
    return args;
}

/// Every command that opens `study`, with its other arguments.
std::vector<Args> calls_on(const std::string& study, const std::string& output) {
    return {{"list", study},
            {"run", study, "-o", output + ".npz"},
            {"export", study, "--tensor", "embed", "-o", output + ".csv"},
            {"explain", study, "embed", "0", "0"}};
}

}  // namespace

TEST_CASE("command line: --help of every command goes to standard output, with an example") {
    for (const Args& command : kCommands) {
        const Ran ran = headlight_run(with(command, {"--help"}));
        INFO(ran.out);
        CHECK(ran.code == kExitDone);
        CHECK(contains(ran.out, "Usage: headlight"));
        CHECK(contains(ran.out, "Example:\n  headlight "));
        CHECK(ran.err == "");
    }
}

TEST_CASE("command line: --help lists every command and the limits of every option") {
    const std::string help = headlight_run({"--help"}).out;
    for (const char* name : {"new", "list", "run", "export", "window", "explain", "doctor"})
        CHECK(contains(help, std::string("\n  ") + name + " "));
    const std::string sentence = headlight_run({"new", "sentence", "--help"}).out;
    CHECK(contains(sentence, "--heads,--n-heads NUMBER"));
    CHECK(contains(sentence, "Attention heads in each layer, 1 to 256 [4]"));
    CHECK(contains(sentence, "scaled_dot|dot|cosine|bilinear|additive"));
    CHECK(contains(sentence, "\nScore:\n"));
}

TEST_CASE("command line: a wrong --limit is an error of the program, not of its command") {
    const Ran ran = headlight_run({"--limit", "abc", "list", "attention"});
    CHECK(ran.code == kExitUsage);
    CHECK(ran.err.starts_with("headlight: --limit: 'abc' is not a size"));
    CHECK(contains(ran.err, "See `headlight --help`."));
}

TEST_CASE("command line: --ground is no option, --background is one") {
    const TemporaryFolder folder;
    const auto code = [&](const char* option) {
        return headlight_run({"export", small_sentence(folder), "--tensor", "embed", "-o",
                              folder.file("a.svg"), option, "white"})
            .code;
    };
    CHECK(code("--ground") == kExitUsage);
    CHECK(code("--background") == kExitDone);
}

TEST_CASE("command line: --version") {
    const Ran ran = headlight_run({"--version"});
    CHECK(ran.code == kExitDone);
    CHECK(ran.out == "Headlight " HEADLIGHT_VERSION "\n");
}

TEST_CASE(
    "command line: an invalid command line is refused with exit code 2 and a pointer to the help") {
    const std::vector<std::pair<Args, std::string>> refused = {
        {{"list"}, "headlight list: STUDY is required\nSee `headlight list --help`.\n"},
        {{"list", "a", "b"}, "headlight list: "},
        {{"list", "a", "--colour"}, "--colour"},
        {{"new"}, "headlight new: "},
        {{"new", "sentence"}, "headlight new sentence: TEXT is required"},
        {{"new", "sentence", "a", "--heads", "257"},
         "--heads: '257' is not a number from 1 to 256"},
        {{"new", "sentence", "a", "--heads", "two"}, "--heads: 'two' is not a number"},
        {{"new", "sentence", "a", "--heads", "2.5"}, "--heads: '2.5' is not a number"},
        {{"new", "sentence", "a", "--norm", "pro"}, "--norm: 'pro' is not one of none|pre|post"},
        {{"new", "sentence", "a", "--d-k", "8,0"},
         "--d-k: '8,0' is not a number from 0 to 100000, or"},
        {{"new", "sentence", "a", "--temperature", "0"}, "'0' is not a number from 0.01 to 100"},
        {{"new", "alignment", "a"}, "headlight new alignment: TARGET is required"},
        {{"new", "gatv3"},
         "'gatv3' is not a study; `headlight new --list` prints them; did you mean 'gatv2'?"},
        {{"new", "sentance", "a b"}, "headlight new: "},
        {{"new", "sentence", "a", "--residual", "yes"}, "is not one of on|off"},
        {{"new", "sentence", "a", "--seed", "99999999999999999999"}, "--seed: "},
        {{"new", "graph", "a", "--slope", "nan"}, "--slope: 'nan' is not a number from 0 to 1"},
        {{"run", "a"}, "--output is required"},
        {{"export", "a", "--tensor", "b"}, "--output is required"},
        {{"export", "a", "-o", "c.png", "--width", "9km"}, "'9km' is not a width such as 85mm"},
        {{"export", "a", "-o", "c.png", "--width", "1mm"}, "'1mm' is not a width such as 85mm"},
        {{"export", "a", "-o", "c.png", "--dpi", "1e6"}, "is not a number from 18 to 1200"},
        {{"export", "a", "-o", "c.png", "--range", "1:0"}, "'1:0' is not standard, fitted or"},
        {{"export", "a", "-o", "c.png", "--decimals", "7"},
         "'7' is not one of automatic|0|1|2|3|4|5|6"},
        {{"export", "a", "-o", "c.png", "--zoom", "2:1"}, "'2:1' is not a zoom, a row and"},
        {{"export", "a", "--tensor", "b", "-o", "c.png", "--size", "9x9"}, "is not a size such as"},
        {{"export", "a", "--tensor", "b", "-o", "c.png", "--size", "big"}, "is not a size such as"},
        {{"window", "-o", "a.png", "--theme", "blue"}, "is not one of light|dark"},
        {{"window", "-o", "a.png", "--scale", "0"}, "is not a number from 0.5 to 4"},
        {{"explain", "a", "b"}, "ROW is required"},
        {{"lst"}, "'lst' is neither a command nor a file; did you mean 'list'?"},
        {{"doctor", "--fix"}, "headlight doctor: "}};
    for (const auto& [args, part] : refused) {
        const Ran ran = headlight_run(args);
        INFO(part, " in: ", ran.err);
        CHECK(ran.code == kExitUsage);
        CHECK(contains(ran.err, part));
        CHECK(contains(ran.err, "--help`."));
        CHECK(ran.out == "");
    }
}

TEST_CASE("command line: a missing study is named with the reason, and nothing is written") {
    const TemporaryFolder folder;
    const std::string study = folder.file("no study.headlight");
    for (const Args& args : calls_on(study, folder.file("out"))) {
        const Ran ran = headlight_run(args);
        CHECK(ran.code == kExitError);
        CHECK(ran.err ==
              "headlight: [" + study + "] cannot be opened: No such file or directory\n");
        CHECK(ran.out == "");
    }
    CHECK(folder.is_empty());
}

TEST_CASE(
    "command line: a broken study is refused with the line and the reason, and nothing is "
    "written") {
    const TemporaryFolder folder;
    const std::string study =
        folder.with("broken.headlight", "{\"kind\": \"sentence\",\n \"txt\": \"a cat\"}\n");
    for (const Args& args : calls_on(study, folder.file("out"))) {
        const Ran ran = headlight_run(args);
        CHECK(ran.code == kExitError);
        CHECK(contains(ran.err, "[" + study + "] line "));
        CHECK(contains(ran.err, "txt"));
        CHECK(ran.out == "");
    }
    CHECK(!std::filesystem::exists(folder.file("out.npz")));
    CHECK(!std::filesystem::exists(folder.file("out.csv")));
}

TEST_CASE("command line: an output that cannot be written is an error with its name") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    for (const Args& args : std::vector<Args>{
             {"run", study, "-o", folder.file("missing folder/out.npz")},
             {"new", "sentence", "a cat", "-o", folder.file("missing folder/b.headlight")}}) {
        const Ran ran = headlight_run(args);
        CHECK(ran.code == kExitError);
        CHECK(contains(ran.err, "[" + args.back() + "] cannot be written"));
    }
}

TEST_CASE("command line: a failed command leaves the output as it was") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    const std::string output = folder.with("values.npz", "old");
    CHECK(headlight_run({"run", study, "--tensor", "nothing*", "-o", output}).code == kExitError);
    CHECK(read_file(output) == "old");
    CHECK(headlight_run({"run", study, "-o", output}).code == kExitDone);
    CHECK(read_file(output).starts_with("PK"));
}

}  // namespace headlight::command_line_test
