// headlight sweep over tokens, and over the prompts of a file.
#include <doctest/doctest.h>
#include <filesystem>

#include "../io/models/golden_model.h"
#include "core/analyses/head_metrics.h"
#include "headlight_run.h"
#include "io/files/file.h"

namespace headlight::sweep_command_test {
TEST_CASE("headlight sweep over tokens has a row a layer and a column a token") {
    const GoldenModel golden("gpt2");
    const std::string model = golden.folder().native();
    const std::string first = "The animal didn't cross the street because it was too tired.",
                      other = "The animal didn't cross the street because it was too tired;";
    const auto sweep = [&](const std::string& from) {
        return headlight_run({"sweep", model, "--over", "tokens", "--do", "patch", "--from", from});
    };
    const std::vector<std::string> same = lines_of(sweep(first).out);
    REQUIRE(same.size() == 4);
    CHECK(same[0].starts_with("layer,"));
    CHECK(same[1].starts_with("input,0,0"));
    CHECK(same[3].starts_with("after layer 1,0,0"));
    // Behind the last layer only the asked token counts, and its stream is all that counts.
    const std::vector<std::string> last = cells_of(lines_of(sweep(other).out)[3], ',');
    for (std::size_t k = 1; k + 1 < last.size(); ++k) CHECK(last[k] == "0");
    const std::string of = cells_of(lines_of(headlight_run({"logits", model}).out)[1], '\t')[1];
    const TemporaryFolder folder;
    const std::string b = folder.file("b.headlight");
    REQUIRE(headlight_run({"new", "model", model, other, "-o", b}).code == 0);
    const auto logit = [&](const std::string& study) {
        return std::stod(
            cells_of(lines_of(headlight_run({"logits", study, "--of", of}).out)[1], '\t')[2]);
    };
    CHECK(std::stod(last.back()) == doctest::Approx(logit(b) - logit(model)).epsilon(1e-3));
}

TEST_CASE("headlight sweep averages over prompts what each prompt changes alone") {
    const GoldenModel golden("gpt2");
    const std::string model = golden.folder().native();
    const TemporaryFolder folder;
    const std::vector<std::string> texts = {"The cat was tired", "It was too wide.", "a dog"};
    std::string lines;
    for (const std::string& text : texts) lines += text + "\n\n";
    write_file(folder.file("prompts.txt"), lines);
    for (const char* quantity : {"logit", "probability", "divergence", "loss"}) {
        CAPTURE(quantity);
        const Ran ran = headlight_run({"sweep", model, "--do", "zero", "--quantity", quantity,
                                       "--prompts", folder.file("prompts.txt")});
        REQUIRE(ran.code == 0);
        const std::vector<std::string> rows = lines_of(ran.out);
        REQUIRE(rows.size() == 9);
        CHECK(rows[0] == "row,column,prompts,mean,deviation,lowest,highest");
        CHECK(ran.err.find("mean over 3 prompts") != std::string::npos);
        Moments moments;
        for (const std::string& text : texts) {
            const std::string study = folder.file("one.headlight");
            REQUIRE(headlight_run({"new", "model", model, text, "-o", study}).code == 0);
            const Ran one = headlight_run({"sweep", study, "--do", "zero", "--quantity", quantity});
            moments.add(std::stod(cells_of(lines_of(one.out)[2], ',')[3]));
        }
        const std::vector<std::string> cells = cells_of(rows[7], ',');
        CHECK(cells[0] == "layer 1");
        CHECK(cells[1] == "head 2");
        CHECK(cells[2] == "3");
        CHECK(std::stod(cells[3]) == doctest::Approx(moments.mean).epsilon(1e-4));
        CHECK(std::stod(cells[4]) == doctest::Approx(moments.deviation()).epsilon(1e-4));
        CHECK(std::stod(cells[5]) == doctest::Approx(moments.low).epsilon(1e-4));
        CHECK(std::stod(cells[6]) == doctest::Approx(moments.high).epsilon(1e-4));
        CHECK(moments.deviation() > 0);
    }
    write_file(folder.file("prompts.txt"), texts[0]);
    const Ran one = headlight_run({"sweep", model, "--do", "zero", "--quantity", "logit",
                                   "--prompts", folder.file("prompts.txt")});
    REQUIRE(one.code == 0);
    CHECK(cells_of(lines_of(one.out)[1], ',')[4] == "");
}

TEST_CASE("prompts of a table have their words and texts to patch from") {
    const GoldenModel golden("gpt2");
    const std::string model = golden.folder().native();
    const std::string a = "The animal didn't cross the street because it was too tired.",
                      b = "The animal didn't cross the street because it was too tired;";
    const TemporaryFolder folder;
    const std::string table = folder.file("prompts.csv"), out = folder.file("mean.csv");
    const auto sweep = [&](std::vector<std::string> more) {
        std::vector<std::string> words = {"sweep", model, "--do", "patch", "--prompts", table};
        words.insert(words.end(), more.begin(), more.end());
        return headlight_run(words);
    };
    const std::string of = cells_of(lines_of(headlight_run({"logits", model}).out)[3], '\t')[1];
    write_file(table, "text,from,of\n\"" + a + "\",\"" + b + "\",\"" + of + "\"\n\"" + a +
                          "\",a,\"" + of + "\"\n");
    const Ran ran = sweep({"-o", out});
    REQUIRE(ran.code == 0);
    CHECK(ran.err.find("left out: line 3: [sweep] the other text must have as many tokens") !=
          std::string::npos);
    CHECK(ran.err.find("the logit of each prompt's word") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(out + ".part"));
    const std::vector<std::string> one =
        lines_of(headlight_run({"sweep", model, "--do", "patch", "--from", b, "--of", of}).out);
    const std::vector<std::string> mean = lines_of(read_file(out));
    CHECK(cells_of(mean[1], ',')[3] == cells_of(one[1], ',')[1]);
    CHECK(cells_of(mean[8], ',')[3] == cells_of(one[2], ',')[4]);
    CHECK(cells_of(mean[1], ',')[2] == "1");

    const auto error = [&](const std::string& text) {
        write_file(table, text);
        return sweep({}).err;
    };
    const auto has = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    CHECK(has(error("text,word\na,b\n"), "prompts.csv:1: 'word' is no column of prompts"));
    CHECK(has(error("of\nthe\n"), "prompts.csv:1: there is no column text"));
    CHECK(has(error("text,from\n,b\n"), "prompts.csv:2: this line has no text"));
    CHECK(has(error("text\na,b\n"), "prompts.csv:2: this line has 2 cells, the first 1"));
    CHECK(has(error("text\n\n"), "there is no prompt"));
    CHECK(has(error("text\na\n"), "has no prompt that could be swept: line 2: "));
    write_file(table, "text,from\na," + std::string("b b b b\n"));
    CHECK(sweep({"-o", out}).code == 1);
    CHECK_FALSE(std::filesystem::exists(out + ".part"));
}

TEST_CASE("prompts that are no one quantity are refused, or said") {
    const GoldenModel golden("gpt2");
    const std::string model = golden.folder().native();
    const TemporaryFolder folder;
    const std::string of = cells_of(lines_of(headlight_run({"logits", model}).out)[1], '\t')[1],
                      minus = cells_of(lines_of(headlight_run({"logits", model}).out)[2], '\t')[1];
    const std::string file =
        folder.with("prompts.csv", "text,of,minus\nThe cat was,\"" + of + "\",\"" + minus +
                                       "\"\nIt was too,\"" + of + "\",\n");
    const Ran mixed = headlight_run({"sweep", model, "--prompts", file});
    CHECK(mixed.code != 0);
    CHECK(contains(mixed.err,
                   "line 3 has no minus, line 2 has one: a mean of logits and of "
                   "differences of two says nothing"));
    CHECK(headlight_run({"sweep", model, "--prompts", file, "--minus", minus}).code == 0);
    const Ran loss = headlight_run({"sweep", model, "--prompts", file, "--quantity", "loss"});
    CHECK_FALSE(contains(loss.err, "says nothing"));
    const std::string words =
        folder.with("words.csv", "text,of\nThe cat was,\"" + of + "\"\nIt was too,\n");
    CHECK(contains(headlight_run({"sweep", model, "--prompts", words}).err,
                   "each prompt's word, where it names none its likeliest one"));
}

TEST_CASE("a sweep over prompts goes on where it stopped, with the same numbers") {
    const GoldenModel golden("gpt2");
    const std::string model = golden.folder().native();
    const TemporaryFolder folder;
    const std::string prompts = folder.file("prompts.txt"), out = folder.file("mean.csv");
    write_file(prompts, "The cat was tired\nIt was too wide.\n");
    const std::vector<std::string> command = {"sweep",     model,   "--do", "zero",
                                              "--prompts", prompts, "-o",   out};
    REQUIRE(headlight_run(command).code == 0);
    const std::string whole = read_file(out);
    std::filesystem::remove(out);
    std::vector<std::string> first = command;
    first.insert(first.end(), {"--texts", "1"});
    REQUIRE(headlight_run(first).code == 0);
    CHECK(read_file(out) != whole);
    const std::string part = read_file(out + ".part");
    const Ran again = headlight_run(command);
    REQUIRE(again.code == 0);
    CHECK(again.err.find("goes on after 1 prompt, with 1 swept before") != std::string::npos);
    CHECK(read_file(out) == whole);
    CHECK_FALSE(std::filesystem::exists(out + ".part"));
    const auto run_with = [&](const std::string& kept, std::vector<std::string> words) {
        write_file(out + ".part", kept);
        const Ran ran = headlight_run(words);
        CHECK(ran.code == 0);
        CHECK(read_file(out + ".part~") == kept);
        return ran.err;
    };
    std::string damaged = part;
    damaged[damaged.find("\"0.") + 3] ^= 1;
    CHECK(contains(run_with(damaged, command), "is damaged, or was counted by another version"));
    CHECK(read_file(out) == whole);
    std::vector<std::string> other = command;
    other[3] = "mean";
    CHECK(contains(run_with(part, other),
                   "was counted of another study, other prompts or other options: it is not used"));
}

}  // namespace headlight::sweep_command_test
