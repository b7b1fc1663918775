#include <cstdlib>
#include <doctest/doctest.h>
#include <limits>

#include "../recorded_shard.h"
#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/arrays/npy.h"
#include "io/files/file.h"

namespace headlight::recorded_command_test {
namespace {

const std::string kPattern = "blocks.0.attn.heads.1.pattern";

/// One layer of two heads and three tokens. In head 0 tokens read themselves, in head 1 the first.
std::string recording(Index n_nan = 0) {
    Matrix values = Matrix::Zero(6, 3);
    for (Index i = 0; i < 3; ++i) values(i, i) = values(3 + i, 0) = 1;
    for (Index k = 0; k < n_nan; ++k)
        values(k / 3, k % 3) = std::numeric_limits<Scalar>::quiet_NaN();
    std::string bytes = write_npy(values);
    bytes.replace(bytes.find("(6, 3), }"), 14, "(2, 3, 3), }  ");
    return bytes;
}

}  // namespace

TEST_CASE("new recorded: a study refers to the file beside it, and has its tokens") {
    const TemporaryFolder folder;
    const std::string file = folder.with("attention", recording()),
                      tokens = folder.with("words", "The cat sat"),
                      study = folder.file("a.headlight");
    const Ran ran = headlight_run({"new", "recorded", file, "--tokens", tokens, "-o", study});
    CHECK(ran.code == kExitDone);
    CHECK(ran.out == "");
    CHECK(ran.err == "");
    CHECK(contains(read_file(study), "\"file\": \"attention\""));
    const Ran cell = headlight_run({"explain", study, kPattern, "sat", "The"});
    CHECK(cell.code == kExitDone);
    CHECK(contains(cell.out, "as it was recorded"));
}

TEST_CASE("recordings: pictures show spaces and breaks as faint signs, files keep them") {
    const TemporaryFolder folder;
    const std::string file = folder.with("attention", recording()),
                      tokens = folder.with("words.json", R"(["The", "Ġcat", "Ċ"])"),
                      study = folder.file("a.headlight"), csv = folder.file("a.csv"),
                      svg = folder.file("a.svg");
    REQUIRE(headlight_run({"new", "recorded", file, "--tokens", tokens, "-o", study}).code ==
            kExitDone);
    CHECK(headlight_run({"export", study, "--tensor", kPattern, "-o", csv}).code == kExitDone);
    CHECK(contains(read_file(csv), "query \\ key,The,Ġcat,Ċ\r\n"));
    CHECK(headlight_run({"export", study, "--tensor", kPattern, "-o", svg}).code == kExitDone);
    const std::string drawn = read_file(svg);
    CHECK(contains(drawn, "<tspan fill-opacity=\"0.6\">␣</tspan>cat</text>"));
    CHECK(contains(drawn, "><tspan fill-opacity=\"0.6\">⏎</tspan></text>"));
    CHECK_FALSE(contains(drawn, "Ġ"));
    CHECK(contains(headlight_run({"explain", study, kPattern, "Ċ", "Ġcat"}).out, "recorded"));
}

TEST_CASE("recordings: every command accepts the file itself, whatever its name") {
    const TemporaryFolder folder;
    const std::string file = folder.with("attention.headlight", recording());
    const Ran list = headlight_run({"list", file});
    CHECK(list.code == kExitDone);
    CHECK(contains(list.out, kPattern));
    CHECK(contains(list.err, "note: "));
    CHECK(contains(list.err, "no tokens were recorded: they are numbered"));
    const std::string csv = folder.file("a.csv");
    CHECK(headlight_run({"export", file, "--tensor", kPattern, "-o", csv}).code == kExitDone);
    CHECK(read_file(csv) == "query \\ key,0,1,2\r\n0,1,0,0\r\n1,1,0,0\r\n2,1,0,0\r\n");
    const Ran compared = headlight_run(
        {"compare", file, file, "--tensor", kPattern, "--with", "blocks.0.attn.heads.0.pattern"});
    CHECK(contains(compared.out, "largest A − B\t1"));
}

TEST_CASE("recordings: metrics are computed from the patterns") {
    const TemporaryFolder folder;
    const std::string file = folder.with("attention", recording()), csv = folder.file("a.csv");
    CHECK(headlight_run({"export", file, "--tensor", "metrics.first", "-o", csv}).code ==
          kExitDone);
    CHECK(read_file(csv) == "attention \\ head,0,1\r\nblocks.0.attn,0,1\r\n");
    CHECK(headlight_run({"export", file, "--tensor", "metrics.norm", "-o", csv}).code ==
          kExitError);
}

TEST_CASE("recordings: heads counts what each of the texts has, and takes no others") {
    const TemporaryFolder folder;
    const std::string file = folder.with("attention", recording());
    const Ran ran = headlight_run({"heads", file, "--metric", "sink: mean(on_first(pattern))"});
    CHECK(ran.code == kExitDone);
    CHECK(contains(ran.err, "note: 1 text\n"));
    CHECK(contains(ran.out, "\nblocks.0.attn,0,first,1,0,,0,0\n"));
    CHECK(contains(ran.out, "\nblocks.0.attn,1,first,1,1,,1,1\n"));
    CHECK(contains(ran.out, "\nblocks.0.attn,1,sink,1,1,,1,1\n"));
    const std::string corpus = folder.with("corpus.txt", "a b c\n");
    const Ran refused = headlight_run({"heads", file, corpus});
    CHECK(refused.code == kExitError);
    CHECK(contains(refused.err, "is a recording, which has texts of its own"));
}

TEST_CASE("recordings: a pattern with NaN has no metrics, and its head and text do not count") {
    const TemporaryFolder folder;
    for (const Index n_nan : {1, 9}) {
        INFO(n_nan);
        const std::string file = folder.with("attention", recording(n_nan));
        const Ran ran = headlight_run({"heads", file, "--metric", "sink: mean(on_first(pattern))"});
        CHECK(ran.code == kExitDone);
        CHECK(contains(ran.err,
                       "text 1: does not count for 1 of 2 heads, whose patterns have NaN or "
                       "infinity: “blocks.0.attn.heads.0.pattern”"));
        CHECK(contains(ran.err, "the result is not a number (NaN)"));
        CHECK_FALSE(contains(ran.err, "of one token"));
        CHECK(contains(ran.out, "\nblocks.0.attn,0,entropy,0,,,,\n"));
        CHECK(contains(ran.out, "\nblocks.0.attn,0,first,0,,,,\n"));
        // One text has no deviation.
        CHECK(contains(ran.out, "\nblocks.0.attn,1,first,1,1,,1,1\n"));
        CHECK(contains(ran.err, "no number: sink of text 1: 1 of 2 heads: "));
        CHECK(contains(ran.out, "\nblocks.0.attn,0,sink,0,,,,\n"));
        CHECK(contains(ran.out, "\nblocks.0.attn,1,sink,1,1,,1,1\n"));
        const std::string csv = folder.file("a.csv");
        const Ran table = headlight_run({"export", file, "--what", "heads", "-o", csv});
        CHECK(contains(table.err,
                       "the metrics of 1 of 2 heads are not defined, since their "
                       "patterns have NaN or infinity: “blocks.0.attn.heads.0.pattern”"));
        CHECK(contains(read_file(csv), "\nblocks.0.attn,0,,,,,,,,,,,\n"));
        const Ran compared = headlight_run({"compare", file, file, "--heads"});
        CHECK(contains(compared.err, "the metrics of 1 of 2 heads of B are not defined"));
        REQUIRE(headlight_run({"export", file, "--tensor", "metrics.first", "-o", csv}).code == 0);
        CHECK(read_file(csv) == "attention \\ head,0,1\r\nblocks.0.attn,nan,1\r\n");
    }
    const Ran none = headlight_run({"heads", folder.with("attention", recording(18))});
    CHECK(none.code == kExitError);
    CHECK(contains(none.err, "left out: text 1: [heads] all its patterns have NaN or infinity"));
    CHECK(contains(none.err, "has no text that could be counted"));
}

TEST_CASE("recordings: rollout and flow equal those of the recorded study") {
    const TemporaryFolder folder;
    const std::string study = folder.file("two layers.headlight");
    REQUIRE(headlight_run({"new", "sentence", kSentence, "--layers", "2", "--heads", "2",
                           "--residual", "on", "-o", study})
                .err == "");
    const Trace trace = trace_of(study);
    Matrix all(20, 5);  // 2 layers × 2 heads × 5 tokens
    for (Index k = 0; k < 4; ++k)
        all.middleRows(5 * k, 5) = *trace
                                        .at("blocks." + std::to_string(k / 2) + ".attn.heads." +
                                            std::to_string(k % 2) + ".pattern")
                                        .value;
    std::string bytes = write_npy(all);
    bytes.replace(bytes.find("(20, 5), }"), 16, "(2, 2, 5, 5), } ");
    const std::string file = folder.with("attention", bytes);
    const auto exported = [&](const std::string& of, const std::string& path) {
        const std::string npy = folder.file("a.npy");
        REQUIRE(headlight_run({"export", of, "--tensor", path, "-o", npy}).code == kExitDone);
        return read_file(npy);
    };
    for (const std::string path : {"across.mean.1", "across.rollout", "across.flow"}) {
        INFO(path);
        CHECK(exported(file, path) == exported(study, path));
    }
    CHECK(headlight_run({"list", file}).out.find("across.gradient") == std::string::npos);
}

TEST_CASE("recordings: for a large file, oddities of the heads that were read are reported") {
    const TemporaryFolder folder;
    Matrix values = Matrix::Zero(5000, 1000);  // 5 heads of 1,000 tokens
    values(2 * 1000 + 7, 3) = Scalar(0.5);
    std::string bytes = write_npy(values);
    bytes.replace(bytes.find("(5000, 1000), }"), 21, "(5, 1000, 1000), }   ");
    const std::string file = folder.with("attention", bytes), output = folder.file("a.npz"),
                      said = "note: layer 0, head 2: rows sum to 0.5 instead of 1";
    const auto exported = [&](const std::string& glob) {
        const Ran ran = headlight_run({"export", file, "--tensor", glob, "-o", output});
        CHECK(ran.code == kExitDone);
        return ran.err;
    };
    CHECK(contains(exported("blocks.0.attn.heads.2.pattern"), said));
    CHECK_FALSE(contains(exported("blocks.0.attn.heads.1.pattern"), "sum"));
    const Ran run = headlight_run({"run", file, "--tensor", "metrics.first", "-o", output});
    CHECK(run.code == kExitDone);
    CHECK(contains(run.err, said));
}

TEST_CASE("recordings: --sentence chooses one of several texts") {
    const TemporaryFolder folder;
    folder.with("a.safetensors", shard_bytes(0, {{"p", {1, 2, 2, 2}}, {"p1", {1, 2, 3, 3}}}));
    const std::string index = folder.with("a.attention.json", R"({"attention": 1,
        "texts": [{"tokens": ["a", "b"]}, {"tokens": ["c", "d", "e"]}],
        "attentions": [{"kind": "self", "layers": 1, "heads": 2}], "shards": ["a.safetensors"],
        "arrays": [{"shard": 0, "text": 0, "kind": "self", "layers": [0, 1], "heads": [0, 2],
                    "pattern": "p"},
                   {"shard": 0, "text": 1, "kind": "self", "layers": [0, 1], "heads": [0, 2],
                    "pattern": "p1"}]})");
    const std::string csv = folder.file("a.csv");
    const auto exported = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"export", index, "--tensor", kPattern, "-o", csv};
        arguments.insert(arguments.end(), more.begin(), more.end());
        REQUIRE(headlight_run(arguments).code == kExitDone);
        return read_file(csv);
    };
    CHECK(exported({}).starts_with("query \\ key,a,b\r\n"));
    CHECK(exported({"--sentence", "2"}).starts_with("query \\ key,c,d,e\r\n"));
    CHECK(contains(headlight_run({"list", index, "--sentence", "2"}).out, "3\t"));
    CHECK(contains(headlight_run({"explain", index, kPattern, "d", "e", "--sentence", "2"}).out,
                   "as it was recorded"));
    const Ran compared = headlight_run(
        {"compare", index, index, "--tensor", kPattern, "--sentence", "1", "--with-sentence", "1"});
    CHECK(contains(compared.out, "largest A − B\t0"));
    const std::vector<std::string> scaled{"--sentence", "2", "--set", kPattern + "[1,0]=0.5"};
    CHECK(exported(scaled) != exported({"--sentence", "2"}));
    const Ran counted = headlight_run({"heads", index});
    CHECK(contains(counted.err, "2 texts"));
    CHECK(contains(counted.out, "\nblocks.0.attn,0,entropy,2,"));
    const Ran missing = headlight_run({"list", index, "--sentence", "3"});
    CHECK(missing.code == kExitError);
    CHECK(contains(missing.err, "there is no text 3; the recording has 2"));
    const std::string study = folder.file("a.headlight");
    CHECK(headlight_run({"new", "recorded", index, "-o", study}).code == kExitDone);
    CHECK(contains(read_file(study), "\"text_number\": 1"));
    CHECK(headlight_run({"new", "recorded", index, "--tokens", csv, "-o", study}).code ==
          kExitError);
}

TEST_CASE("--limit: raises the limit, and must be a size") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    CHECK(headlight_run({"--limit", "much", "list", study}).code == kExitUsage);
    const Ran small = headlight_run({"--limit", "100", "list", study});
    const Ran large = headlight_run({"--limit", "1G", "list", study});
    ::unsetenv("HEADLIGHT_LIMIT");
    CHECK(small.code == kExitError);
    CHECK(contains(small.err, "at most 100 are read; raise the limit, as with --limit 4G"));
    CHECK(large.code == kExitDone);
}

TEST_CASE("recordings: the views of one part read the patterns of that part alone") {
    const TemporaryFolder folder;
    folder.with("a.safetensors", shard_bytes(1, {{"p", {2, 1, 2, 2}}, {"e", {2, 1, 2, 1}}}));
    const auto recording = [&](const char* name, const std::string& text, const std::string& kind) {
        return folder.with(
            name, R"({"attention": 1, "texts": [)" + text + R"(], "attentions": [{"kind": ")" +
                      kind +
                      R"(", "layers": 2, "heads": 1}], "shards": ["a.safetensors"], )"
                      R"("arrays": [{"shard": 0, "text": 0, "kind": ")" +
                      kind + R"(", "layers": [0, 2], "heads": [0, 1], "pattern": ")" +
                      (kind == "self" ? "p" : "e") + R"("}]})");
    };
    const std::string words = recording("w.json", R"({"tokens": ["a", "b"]})", "self"),
                      graph = recording("g.json", R"({"nodes": 2, "edges": [[0, 1], [1, 0]]})",
                                        "edges");
    // Each pattern that is read is odd, and is told so.
    for (const auto& [file, view] : {std::pair(words, "words"), std::pair(words, "flow"),
                                     std::pair(graph, "graph"), std::pair(graph, "flow")}) {
        CAPTURE(view);
        const Ran ran = headlight_run({"export", file, "--what", view, "-o", folder.file("a.svg")});
        CHECK(ran.code == kExitDone);
        CHECK(contains(ran.err, "layer 0, head 0: "));
        CHECK(!contains(ran.err, "layer 1"));
    }
    const Ran other = headlight_run({"export", graph, "--what", "graph", "--tensor",
                                     "blocks.1.attn.heads.0.pattern", "-o", folder.file("a.svg")});
    CHECK(contains(other.err, "layer 1, head 0: "));
    CHECK(!contains(other.err, "layer 0"));
}

}  // namespace headlight::recorded_command_test
