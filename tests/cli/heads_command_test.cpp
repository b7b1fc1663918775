// headlight heads: the metrics of every head over many texts.
#include <cmath>
#include <csignal>
#include <doctest/doctest.h>
#include <filesystem>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "../io/models/golden_model.h"
#include "core/analyses/head_metrics.h"
#include "headlight_run.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/studies/ready_studies.h"
#include "io/studies/study.h"
#include "model/changes.h"
#include "model/evaluate.h"

namespace headlight::heads_command_test {
namespace {

constexpr const char* kCorpus = "k f q b k f q b\n\nz m a t\nq b z k f q b z k f\na k f\n";

struct Corpus {
    Corpus() {
        headlight_run({"new", "induction", "-o", study});
        write_file(texts, kCorpus);
    }
    TemporaryFolder folder;
    std::string study = folder.file("i.headlight"), texts = folder.file("corpus.txt");
    std::string csv = folder.file("heads.csv"), part = csv + ".part";
};

/// What is before the fourth comma, and the numbers after it.
std::map<std::string, std::vector<double>> rows_of(const std::string& csv) {
    std::map<std::string, std::vector<double>> rows;
    std::size_t at = csv.find('\n') + 1;
    while (at < csv.size()) {
        const std::size_t end = csv.find('\n', at);
        std::string line = csv.substr(at, end - at);
        std::size_t comma = 0;
        for (int k = 0; k < 3; ++k) comma = line.find(',', comma + 1);
        std::vector<double>& numbers = rows[line.substr(0, comma)];
        while (comma != std::string::npos) {
            const std::string cell = line.substr(comma + 1, line.find(',', comma + 1) - comma - 1);
            if (!cell.empty()) numbers.push_back(std::stod(cell));
            comma = line.find(',', comma + 1);
        }
        at = end + 1;
    }
    return rows;
}

/// The command in a process of its own, to which the interruption has come when it begins. Threads
/// of libraries, which could take it in this process, are not in that one. `said` is a file.
Ran run_interrupted(const std::vector<std::string>& words, const std::string& said) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        sigset_t interruption;
        sigemptyset(&interruption);
        sigaddset(&interruption, SIGINT);
        pthread_sigmask(SIG_BLOCK, &interruption, nullptr);  // the command alone hears it
        kill(getpid(), SIGINT);
        const Ran ran = headlight_run(words);
        write_file(said, ran.err);
        _exit(ran.code);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", read_file(said)};
}

}  // namespace

TEST_CASE("heads counts what the metrics of each text are") {
    Corpus corpus;
    const Ran ran = headlight_run({"heads", corpus.study, corpus.texts});
    CHECK(ran.code == 0);
    CHECK(ran.err.find("4 texts") != std::string::npos);
    const auto rows = rows_of(ran.out);
    Moments previous, entropy;
    for (const char* text : {"k f q b k f q b", "z m a t", "q b z k f q b z k f", "a k f"}) {
        Document document = trained_study(task_named("induction"));
        set_text(document, text);
        const Trace trace =
            evaluate(document, nullptr, {.everything = false, .globs = {"*.metrics"}});
        const Matrix& metrics = *trace.at("blocks.0.attn.heads.1.metrics").value;
        entropy.add(static_cast<double>(metrics(0, Index(HeadMetric::Entropy))));
        previous.add(static_cast<double>(metrics(0, Index(HeadMetric::Previous))));
    }
    const auto check = [&](const std::string& key, const Moments& expected) {
        CAPTURE(key);
        REQUIRE(rows.contains(key));
        const std::vector<double>& row = rows.at(key);
        REQUIRE(row.size() == 5);
        CHECK(row[0] == static_cast<double>(expected.n));
        CHECK(row[1] == doctest::Approx(expected.mean).epsilon(1e-6));
        CHECK(row[2] == doctest::Approx(expected.deviation()).epsilon(1e-5));
        CHECK(row[3] == doctest::Approx(expected.low));
        CHECK(row[4] == doctest::Approx(expected.high));
    };
    check("blocks.0.attn,1,entropy", entropy);
    check("blocks.0.attn,1,previous", previous);
}

TEST_CASE("the deviation is that of the numbers") {
    Moments moments;
    for (const double x : {1.0, 2.0, 4.0, 9.0}) moments.add(x);
    moments.add(std::nan(""));
    CHECK(moments.n == 4);
    CHECK(moments.mean == doctest::Approx(4));
    CHECK(moments.deviation() == doctest::Approx(std::sqrt(38.0 / 3)));
    CHECK(moments.low == 1);
    CHECK(moments.high == 9);
    Moments one;
    CHECK(std::isnan(one.deviation()));
    one.add(4);
    CHECK(std::isnan(one.deviation()));
}

TEST_CASE("heads goes on where it stopped, to the same bytes") {
    Corpus corpus;
    const std::string all = headlight_run({"heads", corpus.study, corpus.texts}).out;
    REQUIRE(headlight_run({"heads", corpus.study, corpus.texts, "--texts", "2", "-o", corpus.csv})
                .code == 0);
    CHECK(std::filesystem::exists(corpus.part));
    CHECK(read_file(corpus.csv) != all);
    const Ran rest = headlight_run({"heads", corpus.study, corpus.texts, "-o", corpus.csv});
    CHECK(rest.code == 0);
    CHECK(rest.err.find("goes on after line 3, with 2 texts counted before") != std::string::npos);
    CHECK(read_file(corpus.csv) == all);
    CHECK_FALSE(std::filesystem::exists(corpus.part));
}

TEST_CASE("heads does not count texts in which a metric has no row") {
    Corpus corpus;
    write_file(corpus.texts, "k f k f\n   \t\nk\nz m a t\n");
    const Ran ran = headlight_run({"heads", corpus.study, corpus.texts});
    CHECK(ran.err.find("3 texts") != std::string::npos);
    CHECK(ran.err.find("left out") == std::string::npos);
    CHECK(ran.err.find("duplicate counts 1 of 3 texts: not those that repeat no word") !=
          std::string::npos);
    for (const char* metric : {"previous", "sparsity"}) {
        CAPTURE(metric);
        CHECK(ran.err.find(std::string(metric) + " counts 2 of 3 texts: not those of one token") !=
              std::string::npos);
    }
    const auto rows = rows_of(ran.out);
    CHECK(rows.at("blocks.0.attn,1,duplicate")[0] == 1);
    CHECK(rows.at("blocks.0.attn,1,previous")[0] == 2);
    CHECK(rows.at("blocks.0.attn,1,first")[0] == 2);
    CHECK(rows.at("blocks.0.attn,1,entropy")[0] == 3);
    write_file(corpus.texts, "k f k f\n");
    CHECK(rows_of(headlight_run({"heads", corpus.study, corpus.texts}).out)
              .at("blocks.0.attn,1,duplicate")[1] ==
          doctest::Approx(rows.at("blocks.0.attn,1,duplicate")[1]));
}

TEST_CASE("an interruption keeps what heads has counted, and the next call goes on") {
    Corpus corpus;
    std::string texts;
    for (int k = 0; k < 20'000; ++k) texts += "k f q b k f q b\n";
    write_file(corpus.texts, texts);
    const Ran ran = run_interrupted({"heads", corpus.study, corpus.texts, "-o", corpus.csv},
                                    corpus.folder.file("said"));
    CHECK(ran.code == 1);
    CHECK(ran.err.find("[heads] interrupted after line ") != std::string::npos);
    CHECK(ran.err.find("heads.csv.part, and the same command goes on from there") !=
          std::string::npos);
    CHECK(std::filesystem::exists(corpus.part));
    CHECK(headlight_run({"heads", corpus.study, corpus.texts, "--texts", "1", "-o", corpus.csv})
              .err.find("goes on after line ") != std::string::npos);
}

TEST_CASE("heads does not go on with other options, and names them") {
    Corpus corpus;
    headlight_run({"heads", corpus.study, corpus.texts, "--texts", "2", "-o", corpus.csv});
    const auto refusal = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words = {"heads", corpus.study, corpus.texts, "-o", corpus.csv};
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = headlight_run(words);
        CHECK(ran.code == 1);
        CHECK(std::filesystem::exists(corpus.part));
        return ran.err;
    };
    CHECK(refusal({"--without-first"}).find("was counted without --without-first; give the same") !=
          std::string::npos);
    CHECK(refusal({"--metric", "special"}).find("was counted without --metric") !=
          std::string::npos);
}

TEST_CASE("a count that is damaged or of something else is set aside, and all is counted anew") {
    Corpus corpus;
    headlight_run({"heads", corpus.study, corpus.texts, "--texts", "2", "-o", corpus.csv});
    const std::string part = read_file(corpus.part);
    std::string why = "is damaged, or was counted by another version of Headlight";
    SUBCASE("a number became another number") {
        std::string damaged = part;
        damaged[damaged.find("\"0.") + 3] ^= 1;
        write_file(corpus.part, damaged);
    }
    SUBCASE("there are more texts than lines") {
        std::string damaged = part;
        const std::size_t at = damaged.find("\"texts\": 2");
        REQUIRE(at != std::string::npos);
        write_file(corpus.part, damaged.replace(at, 10, "\"texts\": 9"));
    }
    SUBCASE("the end is missing") {
        write_file(corpus.part, part.substr(0, part.size() / 2));
    }
    SUBCASE("there is no checksum") {
        write_file(corpus.part, part.substr(part.find('\n') + 1));
    }
    SUBCASE("it is empty") {
        write_file(corpus.part, "");
    }
    SUBCASE("the corpus is another one") {
        why = "was counted of another study or corpus";
        write_file(corpus.texts, "other words\n" + std::string(kCorpus));
    }
    SUBCASE("the study is another one") {
        why = "was counted of another study or corpus";
        headlight_run({"new", "copy", "-o", corpus.study});
    }
    const std::string before = read_file(corpus.part);
    const std::string expected = headlight_run({"heads", corpus.study, corpus.texts}).out;
    const Ran ran = headlight_run({"heads", corpus.study, corpus.texts, "-o", corpus.csv});
    CHECK(ran.code == 0);
    CHECK(ran.err.find(why + ": it is not used, and is called heads.csv.part~") !=
          std::string::npos);
    CHECK(ran.err.find("goes on") == std::string::npos);
    CHECK(read_file(corpus.csv) == expected);
    CHECK(read_file(corpus.part + "~") == before);
    CHECK_FALSE(std::filesystem::exists(corpus.part));
}

TEST_CASE("heads says which lines it leaves out, and what is no corpus") {
    Corpus corpus;
    write_file(corpus.texts, "k f q b\nbad \xff bytes\nz m a t\n");
    const Ran ran = headlight_run({"heads", corpus.study, corpus.texts});
    CHECK(ran.code == 0);
    CHECK(ran.err.find("left out: line 2: ") != std::string::npos);
    CHECK(ran.err.find("2 texts, 1 left out") != std::string::npos);
    write_file(corpus.texts, "\n\n");
    CHECK(headlight_run({"heads", corpus.study, corpus.texts}).err.find("has no text") !=
          std::string::npos);
    CHECK(headlight_run({"heads", corpus.study, corpus.folder.file("none")})
              .err.find("cannot be read") != std::string::npos);
    const std::string graph = corpus.folder.file("g.headlight");
    headlight_run({"new", "karate", "-o", graph});
    CHECK(headlight_run({"heads", graph, corpus.texts}).err.find("is no sentence") !=
          std::string::npos);
}

TEST_CASE("heads counts own metrics beside the others, of the texts that have them") {
    Corpus corpus;
    const Ran ran =
        headlight_run({"heads", corpus.study, corpus.texts, "--metric",
                       "one before: mean(on_previous(pattern))", "--metric", "same word"});
    CHECK(ran.code == 0);
    const auto rows = rows_of(ran.out);
    const std::vector<double>&own = rows.at("blocks.0.attn,1,one before"),
          &previous = rows.at("blocks.0.attn,1,previous");
    REQUIRE(own.size() == previous.size());
    for (std::size_t k = 0; k < own.size(); ++k)
        CHECK(own[k] == doctest::Approx(previous[k]).epsilon(1e-5));
    CHECK(rows.at("blocks.0.attn,1,same word")[0] == 2);  // two texts have no word twice
    CHECK(ran.err.find("no number: same word of line 3") != std::string::npos);
}

TEST_CASE("heads without a file counts each line of the study's own text") {
    Corpus corpus;
    const std::string study = corpus.folder.file("own.headlight");
    headlight_run({"new", "sentence", "a b a , c", "c d", "-o", study});
    const auto rows = rows_of(headlight_run({"heads", study, "--metric", "punctuation"}).out);
    CHECK(rows.at("blocks.0.attn,0,entropy")[0] == 2);
    CHECK(rows.at("blocks.0.attn,0,punctuation")[0] == 1);
    const std::string csv = corpus.folder.file("own.csv");
    CHECK(headlight_run({"heads", study, "-o", csv}).code == 0);
    CHECK(read_file(csv).starts_with("attention,head,metric"));
}

TEST_CASE("an own metric that is none is refused by what it is") {
    Corpus corpus;
    const auto error = [&](const std::string& metric) {
        const Ran ran = headlight_run({"heads", corpus.study, corpus.texts, "--metric", metric});
        CHECK(ran.code == 1);
        return ran.err;
    };
    CHECK(error("pattern[").find("[--metric] column") != std::string::npos);
    CHECK(
        error("x: pattern").find("[--metric] a metric is one number for each head; 'pattern' is") !=
        std::string::npos);
    const Ran ran =
        headlight_run({"heads", corpus.study, corpus.texts, "--metric", "mean(patern)"});
    CHECK(ran.err.find("nothing is called 'patern'") != std::string::npos);
}

TEST_CASE("a metric that is none is refused at the first text, not after the last") {
    Corpus corpus;
    std::string texts;
    for (int k = 0; k < 200'000; ++k) texts += "k f q b k f q b\n";  // minutes
    write_file(corpus.texts, texts);
    const Ran ran = headlight_run({"heads", corpus.study, corpus.texts, "--metric", "x: pattern"});
    CHECK(ran.code == 1);
    CHECK(ran.err.find("say mean(…) of it") != std::string::npos);
}

TEST_CASE("a metric whose name is nothing in the study is refused before the texts") {
    Corpus corpus;
    const auto error = [&](const char* metric) {
        const Ran ran = headlight_run({"heads", corpus.study, corpus.texts, "--metric", metric});
        CHECK(ran.code == 1);
        CHECK(ran.out.empty());
        return ran.err;
    };
    CHECK(error("x: mean(patern)")
              .find("column 6 of 'mean(patern)': nothing is called 'patern', "
                    "and a text stands in quotes; did you mean 'pattern'") != std::string::npos);
    CHECK(error("mean(b.pattern)").find("nothing is compared here") != std::string::npos);
    CHECK(error("patern[0, 1] > 0").find("nothing is called 'patern'") != std::string::npos);
    CHECK(headlight_run(
              {"heads", corpus.study, corpus.texts, "--metric", "argmax(pattern[0]) = nothing"})
              .code == 0);  // a word of some text
}

TEST_CASE("a metric that is spelt like a ready one is told its name") {
    Corpus corpus;
    const auto error = [&](const char* metric) {
        const Ran ran = headlight_run({"heads", corpus.study, "--metric", metric});
        CHECK(ran.code == 1);
        return ran.err;
    };
    CHECK(contains(error("specials"), "nothing is called 'specials'; did you mean 'special'?"));
    CHECK(contains(error("punctuations"), "did you mean 'punctuation'?"));
}

TEST_CASE("a metric of no matrix is refused, and one that is infinite has no number") {
    Corpus corpus;
    for (const char* constant : {"1/0", "x: 2", "exp(1000)"}) {
        const Ran ran = headlight_run({"heads", corpus.study, "--metric", constant});
        CHECK(ran.code == 1);
        CHECK(contains(ran.err, "reads no matrix of a head, so it measures none"));
    }
    const Ran ran =
        headlight_run({"heads", corpus.study, "--metric", "x: log(0 * sum(pattern[1]))"});
    CHECK(ran.code == 0);
    CHECK(contains(ran.err, "no number for any text, its cells are empty: x of line 1: "));
    CHECK(contains(ran.err, "is infinite, which no mean can count"));
    CHECK(contains(ran.out, "\nblocks.0.attn,1,x,0,,,,\n"));
}

TEST_CASE("a metric without a number for any text is noted, and the others are written") {
    Corpus corpus;
    const std::string without = headlight_run({"heads", corpus.study, corpus.texts}).out;
    const Ran ran = headlight_run({"heads", corpus.study, corpus.texts, "--metric", "special"});
    CHECK(ran.code == 0);
    CHECK(ran.err.find("no number for any text, its cells are empty: special of line 1: ") !=
          std::string::npos);
    CHECK(ran.err.find("there is no special token") != std::string::npos);
    CHECK(ran.err.find("no number: ") == std::string::npos);
    CHECK(ran.out.find("\nblocks.0.attn,1,special,0,,,,\n") != std::string::npos);
    CHECK(rows_of(ran.out).at("blocks.0.attn,1,entropy") ==
          rows_of(without).at("blocks.0.attn,1,entropy"));
}

TEST_CASE("heads over other texts keeps ablations and weights, and names the pins it leaves out") {
    Corpus corpus;
    Document document = trained_study(task_named("induction"));
    const std::string of_document = headlight_run({"heads", corpus.study, corpus.texts}).out;
    const std::string pinned = "blocks.0.attn.heads.1.pattern";
    document.interventions[pinned].set(1, 0, 1);
    document.interventions["blocks.0.attn.heads.0.z"].ablation = Ablation::Zero;
    document.interventions["blocks.0.attn.heads.0.W_V"].set(0, 0, 3);
    save_document(corpus.study, document, Backup::Keep);
    const Ran ran = headlight_run({"heads", corpus.study, corpus.texts});
    CHECK(ran.code == 0);
    CHECK(ran.err.find("set by hand in cells of the study's own text, and left out: “" + pinned +
                       "”\n") != std::string::npos);
    const auto rows = rows_of(ran.out), plain = rows_of(of_document);
    CHECK(rows.at("blocks.0.attn,1,entropy") == plain.at("blocks.0.attn,1,entropy"));
    CHECK(rows.at("blocks.1.attn,1,entropy") != plain.at("blocks.1.attn,1,entropy"));
    const Ran own = headlight_run({"heads", corpus.study});
    CHECK(own.err.find("left out") == std::string::npos);
}

TEST_CASE("heads: the metrics of words are those of the study that joins their pieces") {
    const GoldenModel golden("bert");
    const TemporaryFolder folder;
    const std::string pieces = folder.file("pieces.headlight"),
                      words = folder.file("words.headlight");
    headlight_run({"new", "model", golden.folder().string(),
                   "The cat didn't cross the street because it was too tired.", "-o", pieces});
    CHECK(headlight_run({"new", "joined", pieces, "-o", words}).code == 0);
    const Ran of_words = headlight_run({"heads", words}),
              of_pieces = headlight_run({"heads", pieces}),
              joined = headlight_run({"heads", pieces, "--join-pieces"});
    CHECK(joined.out == of_words.out);
    CHECK(rows_of(joined.out).at("blocks.0.attn,0,distance") !=
          rows_of(of_pieces.out).at("blocks.0.attn,0,distance"));
    const Ran cell = headlight_run({"explain", words, "blocks.0.attn.heads.0.pattern", "1", "1"});
    CHECK(contains(cell.out, "mean of the pieces' sums"));
    // What is set by hand in the pieces is said of the words, too.
    const std::string pinned = folder.file("pinned.headlight");
    Document document = document_of(pieces);
    set_cell(document, "blocks.0.attn.heads.0.pattern", 1, 0, Scalar(0.75));
    save_document(pinned, document);
    headlight_run({"new", "joined", pinned, "-o", words});
    CHECK(contains(headlight_run({"heads", words}).err, "1 matrix is set by hand"));
    // A text whose tokens are words counts as it is; a study of such alone is not made.
    const std::string plain = folder.file("plain.headlight");
    headlight_run({"new", "sentence", "The cat sat", "-o", plain});
    CHECK(headlight_run({"heads", plain, "--join-pieces"}).code == 0);
    const Ran refused = headlight_run({"new", "joined", plain});
    CHECK(refused.code == 1);
    CHECK(contains(refused.err, "no token goes on another one"));
    // What was counted of pieces is not gone on with.
    const std::string texts = folder.with("texts.txt", "a b\nc d\ne f\n"),
                      csv = folder.file("heads.csv");
    headlight_run({"heads", plain, texts, "--texts", "1", "-o", csv});
    const Ran other = headlight_run({"heads", plain, texts, "--join-pieces", "-o", csv});
    CHECK(other.code == 1);
    CHECK(contains(other.err, "was counted without --join-pieces"));
}

}  // namespace headlight::heads_command_test
