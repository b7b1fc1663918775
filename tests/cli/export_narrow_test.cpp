// Figures as narrow as a journal's column: nothing is cut without being told, and nothing is too
// small to be read.
#include <algorithm>
#include <doctest/doctest.h>

#include "../io/models/golden_model.h"
#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/files/file.h"

namespace headlight::export_narrow_test {
namespace {

const char* const kTwelve = "The animal did not cross the street because it was too tired";
const char* const kOthers = "The animal did not cross the street because it was too wide";

std::string made(const TemporaryFolder& folder, const char* name, const char* text) {
    const std::string study = folder.file(name);
    REQUIRE(headlight_run({"new", "sentence", text, "--layers", "2", "--heads", "3", "--d-model",
                           "12", "--unembedding", "tied", "-o", study})
                .code == kExitDone);
    return study;
}

struct Narrow {
    std::string svg, note, caption;

    float number(const std::string& before, std::size_t at) const {
        return std::stof(svg.substr(svg.find(before, at) + before.size()));
    }
    float scale() const {
        return number(" width=\"", svg.find("<svg")) / number("viewBox=\"0 0 ", 0);
    }
    float smallest_type() const {
        float smallest = 1000;
        for (std::size_t at = 0; (at = svg.find("<text", at)) != std::string::npos; ++at)
            smallest = std::min(smallest, number("font-size=\"", at) * scale());
        return smallest;
    }
    bool is_cut() const { return svg.find("…</text>") != std::string::npos; }
    std::size_t count(const std::string& part) const {
        std::size_t n = 0;
        for (std::size_t at = 0; (at = svg.find(part, at)) != std::string::npos; ++at) ++n;
        return n;
    }
};

Narrow exported(const std::string& study, const TemporaryFolder& folder,
                const std::vector<std::string>& more) {
    const std::string file = folder.file("narrow.svg");
    std::vector<std::string> all{"export", study, "-o", file, "--caption"};
    if (std::ranges::count(more, "--width") == 0) all.insert(all.end(), {"--width", "88mm"});
    all.insert(all.end(), more.begin(), more.end());
    const Ran ran = headlight_run(all);
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    return {read_file(file), ran.err, read_file(file + ".txt")};
}

}  // namespace

TEST_CASE("narrow panels of a comparison have whole titles and names of axes") {
    const TemporaryFolder folder;
    const std::string a = made(folder, "a.headlight", kTwelve),
                      b = made(folder, "b.headlight", kOthers);
    const Narrow panels = exported(
        a, folder, {"--panel", "blocks.1.attn.heads.0.pattern", "--with", b, "--type", "7pt"});
    CHECK_FALSE(panels.is_cut());
    CHECK_FALSE(contains(panels.note, "whole"));
    CHECK(panels.count(">reads key →</text>") + panels.count(">key →</text>") > 0);
    CHECK(panels.smallest_type() > 4.5f);
}

TEST_CASE("a narrow picture tells what it has cut, and so does its caption") {
    const TemporaryFolder folder;
    const std::string study = made(
        folder, "a.headlight", "Donaudampfschifffahrtsgesellschaftskapitän raucht Zigarren heute");
    const Narrow matrix = exported(
        study, folder,
        {"--tensor", "blocks.0.attn.heads.0.pattern", "--type", "10pt", "--theme", "light"});
    REQUIRE(matrix.is_cut());
    CHECK(contains(matrix.note, "whole row labels"));
    CHECK(contains(matrix.caption, "whole row labels"));
}

TEST_CASE("the narrow picture of composition has its formulas in type that can be read") {
    const TemporaryFolder folder;
    const Narrow composition =
        exported(made(folder, "a.headlight", kTwelve), folder, {"--what", "composition"});
    CHECK(composition.smallest_type() > 4.5f);
    CHECK(contains(composition.svg, "norms of both"));
}

TEST_CASE("the cards of a narrow picture of logits lie inside it, and have whole words") {
    const TemporaryFolder folder;
    const GoldenModel golden("gpt2");
    const Narrow logits = exported(golden.folder().native(), folder, {"--what", "logits"});
    std::size_t n_cards = 0;
    for (std::size_t at = 0; (at = logits.svg.find("<rect", at)) != std::string::npos; ++at) {
        const std::size_t end = logits.svg.find('>', at);
        if (!contains(logits.svg.substr(at, end - at), "stroke=")) continue;
        ++n_cards;
        CHECK(logits.number("x=\"", at) >= 0.5f);
        CHECK(logits.number("y=\"", at) >= 0.5f);
    }
    CHECK(n_cards >= 3);
    CHECK(logits.is_cut() == contains(logits.note, "whole"));
    CHECK(logits.smallest_type() > 4);
}

TEST_CASE("the sides of a narrow comparison of words stand below each other, with whole headings") {
    const TemporaryFolder folder;
    const std::string a = made(folder, "a.headlight", kTwelve),
                      b = made(folder, "b.headlight", kOthers);
    const Narrow words = exported(a, folder, {"--what", "words", "--with", b});
    CHECK(words.count(">query: it reads</text>") == 3);
    CHECK(words.count(">key: it is read</text>") == 3);
    CHECK(contains(words.svg, ">tired / wide</text>"));
}

TEST_CASE("words of several heads have a legend of their colours") {
    const TemporaryFolder folder;
    const std::string study = made(folder, "a.headlight", kTwelve);
    const Narrow one = exported(study, folder, {"--what", "words"});
    CHECK_FALSE(contains(one.svg, ">head 0</text>"));
    const Narrow two = exported(study, folder, {"--what", "words", "--heads", "0,2"});
    CHECK(contains(two.svg, ">head 0</text>"));
    CHECK(contains(two.svg, ">head 2</text>"));
    CHECK_FALSE(contains(two.svg, ">head 1</text>"));
}

TEST_CASE("the difference of the words of several heads has the numbers of each, and their names") {
    const TemporaryFolder folder;
    const std::string a = made(folder, "a.headlight", kTwelve),
                      b = made(folder, "b.headlight", kOthers);
    const auto of_heads = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"--what", "words",   "--heads",    "0,1,2",   "--with",
                                       b,        "--sides", "difference", "--width", "300mm"};
        words.insert(words.end(), more.begin(), more.end());
        return exported(a, folder, words);
    };
    const Narrow all = of_heads({}), of_row = of_heads({"--row", "tired"});
    CHECK(all.count("<circle") == 0);
    CHECK(contains(all.svg, "in head 0, head 1, head 2"));
    CHECK_FALSE(contains(of_row.svg, "of several heads the largest"));
    CHECK(of_row.count("<circle") >= 6);  // in the legend, and over the numbers
    CHECK(contains(of_row.svg, ">head 1</text>"));
}

TEST_CASE("a range that values go beyond is told at the colour bar and in the caption") {
    const TemporaryFolder folder;
    const std::string study = made(folder, "a.headlight", kTwelve);
    const std::vector<std::string> of = {"--tensor", "blocks.0.attn.heads.0.pattern", "--range"};
    const auto ranged = [&](const char* range) {
        return exported(study, folder, {of[0], of[1], of[2], range});
    };
    const Narrow clipped = ranged("0:0.05"), whole = ranged("0:1");
    CHECK(contains(clipped.svg, ">≥ 0.05</text>"));
    CHECK(contains(clipped.caption, "colours: values above 0.05 look like 0.05"));
    CHECK_FALSE(contains(whole.svg, "≥"));
    CHECK_FALSE(contains(whole.caption, "colours: values"));
    const Narrow heads =
        exported(study, folder, {"--what", "heads", "--range", "probability:0:0.05"});
    CHECK(contains(heads.svg, ">≥ 0.05</text>"));
    CHECK(contains(heads.caption, "colours: values above 0.05 look like 0.05"));
}

TEST_CASE("of several bars the caption names the one that values go beyond, and what differs is") {
    const TemporaryFolder folder;
    const std::string a = made(folder, "a.headlight", kTwelve),
                      b = made(folder, "b.headlight", kOthers);
    const auto with_b = [&](std::vector<std::string> more) {
        more.insert(more.end(), {"--with", b});
        return exported(a, folder, more);
    };
    const std::string ends = ": values below −0.001 look like −0.001, above 0.001 look like 0.001";
    for (const char* what : {"heads", "compared"}) {
        CAPTURE(what);
        const Narrow all = with_b({"--what", what, "--range", "difference:-0.001:0.001"});
        CHECK(contains(all.caption, "colours of A − B" + ends));
        CHECK_FALSE(contains(all.caption, "colours: "));
    }
    const Narrow heads = with_b({"--what", "heads"});
    CHECK(contains(heads.caption, "differs: ½ Σ |A − B| of each row, the total variation"));
    const Narrow both =
        with_b({"--what", "heads", "--sides", "both", "--range", "difference:-0.001:0.001"});
    CHECK(contains(both.note, "--range: without effect, --sides both draws no A − B"));
    CHECK_FALSE(contains(heads.note, "without effect"));
    CHECK_FALSE(contains(both.caption, "differs: "));
}

TEST_CASE("the picture of all heads has a colour bar, which shows their colours and no others") {
    const TemporaryFolder folder;
    const std::string study = made(folder, "a.headlight", kTwelve);
    const Narrow heads = exported(study, folder, {"--what", "heads"});
    CHECK(contains(heads.svg, "a colour for each head"));
    CHECK(contains(heads.svg, ">1</text>"));
    const Narrow blue = exported(study, folder, {"--what", "heads", "--colors", "Blues"});
    CHECK(contains(blue.svg, "probability, linear"));
    CHECK_FALSE(contains(blue.svg, "own colour"));
    // Three heads: the bar of their own colours has two stripes of 128 colours more.
    CHECK(heads.count("<rect") >= blue.count("<rect") + 200);
}

TEST_CASE("a figure of A − B names words once for all three, and has all labels of 12 words") {
    const TemporaryFolder folder;
    const std::string study = made(folder, "a.headlight", kTwelve);
    const std::string other = made(folder, "b.headlight", kOthers);
    const std::vector<std::string> panels{
        "--panel", "blocks.0.attn.heads.0.pattern", "--with", other, "--names", "now|before"};
    for (const char* width : {"178mm", "120mm"}) {
        CAPTURE(width);
        std::vector<std::string> words = panels;
        words.insert(words.end(), {"--width", width});
        const Narrow shown = exported(study, folder, words);
        CHECK_FALSE(contains(shown.note, "labels"));
        CHECK(shown.count(">animal</text>") == 4);  // one row, and a column of each panel
        CHECK(contains(shown.svg, ">tired / wide</text>"));
    }
    std::vector<std::string> words = panels;
    words.insert(words.end(), {"--width", "178mm", "--title", "names"});
    const Narrow names = exported(study, folder, words);
    CHECK(contains(names.svg, ">A  ·  now</text>"));
    CHECK(contains(names.svg, ">B  ·  before</text>"));
    CHECK_FALSE(contains(names.svg, "head 0"));
    CHECK_FALSE(contains(names.svg, "cell by cell"));
    CHECK_FALSE(contains(names.svg, "untrained"));
    for (const auto& [title, has_names] : {std::pair("names", true), std::pair("off", false)}) {
        CAPTURE(title);
        const Narrow sides =
            exported(study, folder,
                     {"--what", "compared", "--tensor", "blocks.0.attn.heads.0.pattern", "--with",
                      other, "--names", "now|before", "--title", title});
        CHECK(contains(sides.svg, "now</text>") == has_names);
        CHECK_FALSE(contains(sides.svg, "cell by cell"));
    }
}

TEST_CASE("a long text is thinned to a page, and a picture that looks blank says so") {
    const TemporaryFolder folder;
    std::string text;
    for (int k = 0; k < 600; ++k) text += "w" + std::to_string(k % 7) + " ";
    const std::string study = made(folder, "long.headlight", text.c_str());
    const Narrow words = exported(study, folder, {"--what", "words"});
    constexpr float kPage = 230 / 25.4f * 72, kOriginLine = 30;
    CHECK(words.number("height=\"", 0) < kPage + kOriginLine);
    CHECK(contains(words.note, "of 1,200 words"));
    for (const char* what : {"matrix", "heads", "panels"}) {
        CAPTURE(what);
        const std::vector<std::string> view{"--what", what, "--tensor",
                                            "blocks.0.attn.heads.0.pattern"};
        const Narrow blank = exported(study, folder, view);
        CHECK(contains(blank.svg, "blank on a scale of"));
        CHECK(contains(blank.note, "the range fitted, or logarithmic steps, show more"));
        std::vector<std::string> fitted = view;
        fitted.insert(fitted.end(), {"--range", "fitted"});
        CHECK_FALSE(contains(exported(study, folder, fitted).note, "blank"));
    }
}

}  // namespace headlight::export_narrow_test
