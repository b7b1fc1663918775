// headlight new model, logits and sweep.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <filesystem>
#include <functional>

#include "../io/models/golden_model.h"
#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/files/file.h"

namespace headlight::readout_command_test {
TEST_CASE("a model's folder becomes a study, and is one") {
    const GoldenModel golden("gpt2");
    const TemporaryFolder folder;
    const std::string study = folder.file("a.headlight");
    const Ran made =
        headlight_run({"new", "model", golden.folder().native(), "The cat", "-o", study});
    CHECK(made.code == 0);
    CHECK(made.err == "");
    CHECK(headlight_run({"words", study}).out == "T\the\t␣ca\tt\n");
    const Ran listed = headlight_run({"list", golden.folder().native()});
    CHECK(listed.code == 0);
    CHECK(listed.out.find("blocks.1.attn.heads.3.pattern") != std::string::npos);
    CHECK(headlight_run({"new", "model", folder.file("nothing")})
              .err.find("is not a model's folder") != std::string::npos);
}

TEST_CASE("a folder that is no model's says why") {
    const TemporaryFolder folder;
    const Ran ran = headlight_run({"logits", folder.file("")});
    CHECK(ran.code != 0);
    CHECK(contains(ran.err, "nor is it a model's folder, since it has no config.json"));
}

TEST_CASE("a token is named as it is printed, and a masked one is asked of by itself") {
    const GoldenModel golden("gpt2"), bert("bert");
    const TemporaryFolder folder;
    const std::string study = folder.file("a.headlight"), masked = folder.file("b.headlight");
    headlight_run({"new", "model", golden.folder().native(), "The cat", "-o", study});
    const std::string raw = headlight_run({"logits", study, "--row", "Ġca"}).out;
    CHECK(raw.starts_with("place"));
    CHECK(headlight_run({"logits", study, "--row", " ca"}).out == raw);
    CHECK(headlight_run({"logits", study, "--row", "␣ca"}).out == raw);
    headlight_run({"new", "model", bert.folder().native(), "the [MASK] cat", "-o", masked});
    const std::string of_mask = headlight_run({"logits", masked, "--row", "[MASK]"}).out;
    CHECK(of_mask.starts_with("place"));
    CHECK(headlight_run({"logits", masked}).out == of_mask);
}

TEST_CASE("a model of graphs reads the graph of a file, with its features") {
    const GoldenModel golden("gat");
    const std::string model = golden.folder().native();
    const TemporaryFolder folder;
    const std::string study = folder.file("a.headlight");
    CHECK(headlight_run({"new", "model", model, golden.file("graph.json"), "-o", study}).code == 0);
    CHECK(headlight_run({"list", study}).out.find("gat.0.heads.2.pattern") != std::string::npos);
    CHECK(headlight_run({"new", "model", model}).err.find("give the file of a graph") !=
          std::string::npos);
    CHECK(headlight_run({"list", model}).err.find("is a model of graphs, and needs one") !=
          std::string::npos);
    const std::string edges = folder.with("a.edges", "a b\nb c 2\n");
    CHECK(headlight_run({"new", "model", model, edges})
              .err.find("the nodes of the graph have none") != std::string::npos);
    const std::string features =
        folder.with("a.csv", "a,1,2,3,4,5,6\nb,1,1,1,1,1,1\nc,0,0,0,0,0,1\n");
    const Ran made = headlight_run(
        {"new", "model", model, edges, "--features", features, "--directed", "-o", study});
    CHECK(made.code == 0);
    CHECK(made.err.find("the model reads no weights of edges") != std::string::npos);
    const GoldenModel text("gpt2");
    CHECK(headlight_run({"new", "model", text.folder().native(), "a", "--directed"})
              .err.find("are for models of graphs") != std::string::npos);
}

TEST_CASE("a second text makes a pair, where the model reads pairs") {
    const GoldenModel bert("bert"), gpt2("gpt2");
    const TemporaryFolder folder;
    const std::string study = folder.file("a.headlight");
    const std::string model = bert.folder().native();
    CHECK(headlight_run({"new", "model", model, "the cat", "it", "-o", study}).code == 0);
    const std::string pair = headlight_run({"words", study}).out;
    headlight_run({"new", "model", model, "the cat [SEP] it", "-o", study});
    CHECK(pair == headlight_run({"words", study}).out);
    CHECK(pair.find("[SEP]\t") != pair.rfind("[SEP]"));
    CHECK(headlight_run({"new", "model", gpt2.folder().native(), "a", "b"})
              .err.find("reads no pairs of texts") != std::string::npos);
}

TEST_CASE("a word that is no token is told by the tokens of its text") {
    const GoldenModel golden("gpt2");
    const std::string model = golden.folder().native();
    const std::string error = headlight_run({"logits", model, "--of", " cats"}).err;
    CHECK(error.find("has no word ' cats'; as text it is ") != std::string::npos);
    CHECK(error.find("tokens: ␣ca, t") != std::string::npos);
}

TEST_CASE("a model with a decoder reads a source and a target") {
    const GoldenModel golden("t5");
    const std::string model = golden.folder().native();
    const TemporaryFolder folder;
    const std::string study = folder.file("a.headlight");
    CHECK(headlight_run({"new", "model", model, "The cat", "--target", "Le chat", "-o", study})
              .code == 0);
    const std::string words = headlight_run({"words", study}).out;
    CHECK(words == "<unk>\th\te\t␣cat\t</s>\n<unk>\te\t␣c\th\tat\n");
    CHECK(headlight_run({"list", study}).out.find("decoder.blocks.1.cross.heads.1.pattern") !=
          std::string::npos);
    CHECK(headlight_run({"list", model}).code == 0);
    const std::vector<std::string> first =
        lines_of(headlight_run({"logits", study, "--row", "<start>", "--lens", "--of", "at"}).out);
    CHECK(cells_of(first[0], '\t')[1] == "at after <start>");
    CHECK(headlight_run({"logits", study, "--of", "at", "--row", "<start>"}).out ==
          headlight_run({"logits", study, "--of", "at", "--row", "0"}).out);
    const std::string parts = headlight_run({"logits", study, "--parts"}).out;
    CHECK(parts.find("\nhead 1.1\t") != std::string::npos);
    CHECK(parts.find("\ncross 1.1\t") != std::string::npos);
    const std::vector<std::string> swept = lines_of(headlight_run({"sweep", study}).out);
    REQUIRE(swept.size() == 5);
    CHECK(swept[1].starts_with("self 0,"));
    CHECK(swept[2].starts_with("cross 0,"));
    const GoldenModel text("gpt2");
    CHECK(headlight_run({"new", "model", text.folder().native(), "a", "--target", "b"})
              .err.find("writes no target") != std::string::npos);
}

TEST_CASE("headlight logits prints the likeliest words, the lens, and parts that add up") {
    const GoldenModel golden("gpt2");
    const std::string model = golden.folder().native();
    const std::vector<std::string> top =
        lines_of(headlight_run({"logits", model, "--top", "3"}).out);
    REQUIRE(top.size() == 4);
    CHECK(top[0] == "place\tword\tlogit\tprobability");
    CHECK(cells_of(top[1], '\t')[0] == "1");
    const std::string best = cells_of(top[1], '\t')[1], logit = cells_of(top[1], '\t')[2];

    const std::vector<std::string> lens =
        lines_of(headlight_run({"logits", model, "--lens", "--top", "1"}).out);
    REQUIRE(lens.size() == 4);
    CHECK(lens[1].starts_with("input\t"));
    CHECK(cells_of(lens[3], '\t')[1] == best);

    const std::vector<std::string> parts =
        lines_of(headlight_run({"logits", model, "--parts"}).out);
    double sum = 0;
    for (std::size_t k = 1; k + 1 < parts.size(); ++k)
        sum += std::stod(cells_of(parts[k], '\t')[1]);
    CHECK(cells_of(parts.back(), '\t') == std::vector<std::string>{"sum", logit});
    CHECK(sum == doctest::Approx(std::stod(logit)).epsilon(1e-4));

    const std::vector<std::string> largest =
        lines_of(headlight_run({"logits", model, "--parts", "--top", "2"}).out);
    REQUIRE(largest.size() == 5);
    std::vector<double> sizes;
    for (std::size_t k = 1; k + 1 < parts.size(); ++k)
        sizes.push_back(std::abs(std::stod(cells_of(parts[k], '\t')[1])));
    std::ranges::sort(sizes, std::ranges::greater{});
    double rest = std::stod(logit);
    for (std::size_t k = 0; k < 2; ++k) {
        const double part = std::stod(cells_of(largest[k + 1], '\t')[1]);
        CHECK(std::abs(part) == sizes[k]);
        rest -= part;
    }
    CHECK(cells_of(largest[3], '\t')[0] == "the others");
    CHECK(std::stod(cells_of(largest[3], '\t')[1]) == doctest::Approx(rest).epsilon(1e-3));
    CHECK(largest[4] == parts.back());

    const Ran other = headlight_run({"logits", model, "--of", "zebra"});
    CHECK(other.code == 1);
    CHECK(other.err.find("the vocabulary has no word 'zebra'") != std::string::npos);
    const GoldenModel silent("bert-base");
    CHECK(headlight_run({"logits", silent.folder().native()}).err.find("has no logits") !=
          std::string::npos);
}

TEST_CASE("headlight logits asks of any of several sentences") {
    const TemporaryFolder folder;
    const auto study = [&](const char* name, const std::vector<std::string>& texts) {
        std::vector<std::string> command{"new", "sentence"};
        command.insert(command.end(), texts.begin(), texts.end());
        command.insert(command.end(), {"--unembedding", "tied", "-o", folder.file(name)});
        REQUIRE(headlight_run(command).code == 0);
        return folder.file(name);
    };
    const std::string both = study("both", {"the cat saw the moon", "the moon saw"});
    const auto asked = [&](const std::vector<std::string>& more) {
        std::vector<std::string> command{"logits", both, "--of", "moon"};
        command.insert(command.end(), more.begin(), more.end());
        return cells_of(lines_of(headlight_run(command).out)[1], '\t')[2];
    };
    CHECK(asked({"--sentence", "2"}) == asked({}));
    CHECK(asked({"--sentence", "1"}) != asked({}));
    CHECK(asked({"--sentence", "1"}) == asked({"--row", "4"}));
    const Ran none = headlight_run({"logits", both, "--sentence", "3"});
    CHECK(contains(none.err, "there is no sentence 3; the study has 2"));
}

TEST_CASE("headlight logits prints one table") {
    const GoldenModel golden("gpt2");
    const Ran ran = headlight_run({"logits", golden.folder().native(), "--lens", "--parts"});
    CHECK(ran.code == 1);
    CHECK(ran.err.find("--lens and --parts are two tables") != std::string::npos);
}

TEST_CASE("tables of heads and logits are printed as JSON on request") {
    const GoldenModel golden("gpt2");
    const std::string model = golden.folder().native();
    const auto printed = [](const std::vector<std::string>& words) {
        const Ran ran = headlight_run(words);
        INFO(ran.err);
        CHECK(ran.code == kExitDone);
        return ran.out;
    };
    const std::string logits = printed({"logits", model, "--top", "2", "--json"});
    CHECK(contains(logits, "[\n  {\"place\": 1, \"word\": \""));
    CHECK(contains(logits, "  {\"place\": 2, "));
    CHECK(contains(printed({"logits", model, "--lens", "--json"}), "{\"after\": \"input\", "));
    const std::string sweep = printed({"sweep", model, "--do", "zero", "--json"});
    CHECK(contains(sweep, "{\"layer\": 0, \"head 0\": "));
    CHECK(contains(sweep, "{\"layer\": 1, "));
    CHECK(contains(printed({"heads", model, "--json"}),
                   "{\"attention\": \"blocks.0.attn\", \"head\": 0, \"metric\": \"entropy\""));
    CHECK(contains(printed({"composition", model, "--json"}), "{\"earlier\": \"0.0\", "));
    CHECK(contains(printed({"compare", model, model, "--heads", "--json"}),
                   "{\"attention\": \"blocks.0.attn\", \"head\": 0, "));
    const Ran looks = headlight_run({"sweep", model, "--do", "zero", "--width", "85mm"});
    CHECK(contains(looks.err, "how pictures look is without effect: no picture is written"));
    const Ran both = headlight_run({"heads", model, "--json", "-o", "heads.csv"});
    CHECK(both.code == kExitError);
    CHECK(contains(both.err, "a file is JSON by its name: -o FILE.json"));
}

TEST_CASE("a model without a text says which one it reads") {
    const GoldenModel golden("gpt2"), vit("vit");
    const TemporaryFolder folder;
    const std::string study = folder.file("a.headlight");
    const Ran made = headlight_run({"new", "model", golden.folder().native(), "-o", study});
    CHECK(made.code == 0);
    CHECK(contains(made.err,
                   "no text is given; it reads \"" + document_of(study).sentence()->text + "\""));
    CHECK(contains(headlight_run({"new", "model", vit.folder().native(), "-o", study}).err,
                   "no picture is given; it reads the built-in one"));
}

TEST_CASE("headlight sweep prints a row a layer and a column a head") {
    const GoldenModel golden("llama");
    const std::string model = golden.folder().native();
    const Ran swept = headlight_run({"sweep", model, "--do", "zero"});
    const std::vector<std::string> rows = lines_of(swept.out);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0] == "layer,head 0,head 1,head 2,head 3");
    CHECK(cells_of(rows[2], ',').size() == 5);
    CHECK(swept.err.find("each head's output replaced by 0") != std::string::npos);
    CHECK(headlight_run({"sweep", model, "--do", "patch"}).err.find("needs one --from") !=
          std::string::npos);
}

TEST_CASE("headlight sweep measures losses, sweeps layers, resamples and patches along a path") {
    const GoldenModel golden("gpt2");
    const std::string model = golden.folder().native();
    const auto sweep = [&](std::vector<std::string> more) {
        std::vector<std::string> words = {"sweep", model};
        words.insert(words.end(), more.begin(), more.end());
        return headlight_run(words);
    };
    const Ran layers = sweep({"--over", "layers", "--quantity", "loss"});
    CHECK(lines_of(layers.out)[0] == "layer,attention,MLP");
    CHECK(layers.err.find("change of the loss, the mean of the text's own next tokens in nats") !=
          std::string::npos);
    const Ran resampled = sweep({"--do", "resample", "--seed", "4", "--draws", "3"});
    CHECK(resampled.err.find("its rows at other tokens (seed 4, mean of 3 draws)") !=
          std::string::npos);
    CHECK(sweep({"--do", "resample", "--seed", "4", "--draws", "3"}).out == resampled.out);
    CHECK(sweep({"--do", "resample", "--seed", "5", "--draws", "3"}).out != resampled.out);
    const std::string first = "The animal didn't cross the street because it was too tired.",
                      other = "The animal didn't cross the street because it was too tired;";
    const Ran same = sweep({"--do", "patch", "--from", first, "--to", "1.2"});
    CHECK(same.out == "layer,head 0,head 1,head 2,head 3\n0,0,0,0,0\n");
    const Ran by_values =
        sweep({"--do", "patch", "--from", other, "--to", "1.2", "--through", "v"});
    CHECK(by_values.err.find("only head 1.2's values see it") != std::string::npos);
    CHECK(lines_of(by_values.out).size() == 2);
    CHECK(by_values.out != same.out);
    CHECK(lines_of(sweep({"--do", "patch", "--from", other, "--to", "logits"}).out).size() == 3);
}

TEST_CASE("headlight sweep says which options go together") {
    const GoldenModel golden("gpt2");
    const auto error = [&](std::vector<std::string> more) {
        std::vector<std::string> words = {"sweep", golden.folder().native()};
        words.insert(words.end(), more.begin(), more.end());
        return headlight_run(words).err;
    };
    const auto has = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    CHECK(has(error({"--do", "zero", "--from", "a"}), "nothing else does"));
    CHECK(has(error({"--do", "patch", "--from", "a", "--from", "b"}), "needs one --from"));
    CHECK(has(error({"--do", "zero", "--draws", "5"}), "--draws is of --do resample"));
    CHECK(has(error({"--do", "mean", "--seed", "3"}), "--seed is of --do resample"));
    CHECK(has(error({"--draws", "1"}), "--draws is of --do resample"));
    CHECK(has(error({"--quantity", "loss", "--of", "a"}), "are of a logit"));
    CHECK(has(error({"--through", "q"}), "an input of the head that --to names"));
    CHECK(has(error({"--through", "q", "--to", "logits"}), "an input of the head that --to names"));
    CHECK(has(error({"--quantity", "divergence", "--of", "a"}), "is of all words"));
    CHECK(has(error({"--over", "tokens", "--to", "logits"}), "paths begin at heads"));
    CHECK(has(error({"--to", "1"}), "names no receiver"));
    CHECK(has(error({"--to", "0.1"}), "is in the first layer"));
    CHECK(has(error({"--to", "1.9"}), "there is no head 1.9"));
    const GoldenModel masked("bert");
    CHECK(has(headlight_run({"sweep", masked.folder().native(), "--quantity", "loss"}).err,
              "which this network does not say: it says a word in place of [MASK]"));
}

TEST_CASE("headlight composition prints pairs of heads, and what is reached by chance") {
    const GoldenModel golden("llama");
    const std::string model = golden.folder().native();
    const Ran all = headlight_run({"composition", model});
    const std::vector<std::string> rows = lines_of(all.out);
    REQUIRE(rows.size() == 17);
    CHECK(rows[0] == "earlier,later,Q,K,V");
    CHECK(rows[1].starts_with("0.0,1.0,0."));
    CHECK(all.err.find("norms' gains folded in; random directions reach about 0.25") !=
          std::string::npos);
    const std::vector<std::string> top =
        lines_of(headlight_run({"composition", model, "--head", "1.2", "--top", "2"}).out);
    REQUIRE(top.size() == 3);
    CHECK(cells_of(top[1], ',')[1] == "1.2");
    CHECK(headlight_run({"composition", model, "--head", "0.1"})
              .err.find("there is no head 0.1 after the first layer") != std::string::npos);
    const GoldenModel normed("qwen3");
    const std::vector<std::string> by_value =
        lines_of(headlight_run({"composition", normed.folder().native()}).out);
    CHECK(cells_of(by_value[1], ',')[2] == "");
    CHECK(cells_of(by_value[1], ',')[4] != "");
    const TemporaryFolder folder;
    const std::string graph = folder.file("g.headlight");
    headlight_run({"new", "gat", "-o", graph});
    CHECK(headlight_run({"composition", graph})
              .err.find("no heads of two layers that read one residual stream") !=
          std::string::npos);
}

TEST_CASE("a sweep is a table, or a picture by its file's name; other names are refused") {
    const TemporaryFolder folder;
    const std::string study = folder.file("a.headlight"), picture = folder.file("a.svg");
    headlight_run({"new", "induction", "-o", study});
    const Ran drawn = headlight_run({"sweep", study, "-o", picture, "--width", "3.25in"});
    CHECK(drawn.code == 0);
    const std::string svg = read_file(picture);
    CHECK(svg.find("width=\"234") != std::string::npos);
    const auto rows = lines_of(headlight_run({"sweep", study}).out);
    REQUIRE(rows.size() == 3);
    const std::string first = cells_of(rows[1], ',')[1];
    CHECK(svg.find(">" + first.substr(0, 4)) != std::string::npos);
    for (const std::string command : {"composition", "heads"}) {
        CAPTURE(command);
        CHECK(headlight_run({command, study, "-o", folder.file("a.pdf")})
                  .err.find("this is a table; the extension must be one of .csv, .tsv,") !=
              std::string::npos);
        CHECK_FALSE(std::filesystem::exists(folder.file("a.pdf")));
        REQUIRE(headlight_run({command, study, "-o", folder.file("a.json")}).code == 0);
        CHECK(read_file(folder.file("a.json")).starts_with("[\n  {\""));
    }
    CHECK(headlight_run({"sweep", study, "-o", folder.file("a.txt")}).code == 1);
    CHECK_FALSE(std::filesystem::exists(folder.file("a.txt")));
}

TEST_CASE("an own metric has a name of its own") {
    const TemporaryFolder folder;
    const std::string study = folder.file("a.headlight");
    headlight_run({"new", "induction", "-o", study});
    CHECK(headlight_run({"heads", study, "--metric", "entropy: mean(pattern)"})
              .err.find("there is a metric 'entropy' already") != std::string::npos);
}

}  // namespace headlight::readout_command_test
