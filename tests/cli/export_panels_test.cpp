// Figures of several matrices: as a paper's editor would measure them, and made again by their
// captions.
#include <algorithm>
#include <doctest/doctest.h>

#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/files/file.h"

namespace headlight::export_panels_test {
namespace {

const std::string kHead = "blocks.0.attn.heads.";

/// Two layers of three heads.
std::string six_heads(const TemporaryFolder& folder) {
    const std::string study = folder.file("six.headlight");
    REQUIRE(headlight_run({"new", "sentence", kSentence, "--layers", "2", "--heads", "3",
                           "--d-model", "6", "-o", study})
                .err == "");
    return study;
}

std::vector<std::string> arguments(const std::string& study, const std::string& file,
                                   const std::vector<std::string>& more) {
    std::vector<std::string> all{"export", study, "-o", file};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::string exported(const std::string& study, const std::string& file,
                     const std::vector<std::string>& more) {
    const Ran ran = headlight_run(arguments(study, file, more));
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    return read_file(file);
}

std::string refused(const std::string& study, const TemporaryFolder& folder,
                    const std::vector<std::string>& more) {
    const std::string file = folder.file("refused.svg");
    const Ran ran = headlight_run(arguments(study, file, more));
    CHECK(ran.code != kExitDone);
    CHECK(!std::filesystem::exists(file));
    return ran.err;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
    return n;
}

}  // namespace

TEST_CASE("export panels: a glob, several globs and matrices are the same figure") {
    const TemporaryFolder folder;
    const std::string study = six_heads(folder), file = folder.file("a.svg");
    const std::string by_glob = exported(study, file, {"--panel", kHead + "*.pattern"});
    const std::vector<std::string> each{kHead + "0.pattern", kHead + "1.pattern",
                                        kHead + "2.pattern"};
    CHECK(by_glob ==
          exported(study, file, {"--panel", each[0], "--panel", each[1], "--panel", each[2]}));
    CHECK(by_glob == exported(study, file,
                              {"--what", "panels", "--tensor", each[0], "--tensor", each[1],
                               "--tensor", each[2]}));
    CHECK(by_glob == exported(study, file, {"--what", "panels", "--tensor", kHead + "*.pattern"}));
    // Another order is another figure.
    CHECK(by_glob != exported(study, file, {"--panel", each[1], "--panel", kHead + "*.pattern"}));
}

TEST_CASE("export panels: a letter and a title each, one bar, the formula and the origin once") {
    const TemporaryFolder folder;
    const std::string study = six_heads(folder);
    const std::string svg =
        exported(study, folder.file("a.svg"),
                 {"--panel", "*.pattern", "--width", "178mm", "--type", "8pt", "--across", "3"});
    for (const char* letter : {"(a)", "(b)", "(c)", "(d)", "(e)", "(f)"})
        CHECK(count(svg, std::string(">") + letter + "<") == 1);
    CHECK(count(svg, ">(g)<") == 0);
    for (const int layer : {0, 1})
        for (const int head : {0, 1, 2})
            CHECK(count(svg, ">Layer " + std::to_string(layer) + " · head " + std::to_string(head) +
                                 "<") == 1);
    CHECK(count(svg, ">probability, linear<") == 1);
    CHECK(count(svg, "untrained: weights drawn from seed 1") == 1);
    const std::string bare =
        exported(study, folder.file("a.svg"), {"--panel", "*.pattern", "--title", "off"});
    CHECK(count(bare, ">(a)<") == 1);
    CHECK(count(bare, "head") == 0);
    CHECK(count(bare, "untrained") == 0);
}

TEST_CASE("export panels: the chosen heads of the chosen matrix, or all of its attention") {
    const TemporaryFolder folder;
    const std::string study = six_heads(folder), file = folder.file("a.svg");
    const std::string scores = "blocks.1.attn.heads.1.scores";
    const std::string two = exported(
        study, file,
        {"--what", "panels", "--panel", scores, "--panel", "blocks.1.attn.heads.2.scores"});
    CHECK(count(two, "Layer 1 · head") == 2);
    CHECK(count(two, ">signed, linear<") == 1);
    CHECK(count(exported(study, file, {"--what", "panels"}), "Layer 0 · head") == 3);
    CHECK(count(exported(study, file, {"--what", "panels", "--heads", "1,2"}), "Layer 0 · head") ==
          2);
}

TEST_CASE(
    "export panels: titles of one's own stand above the panels, and in the caption's command") {
    const TemporaryFolder folder;
    const std::string study = six_heads(folder), file = folder.file("a.svg");
    const std::vector<std::string> more = {"--panel",       kHead + "*.pattern",
                                           "--panel-title", "Layer of names",
                                           "--panel-title", "",
                                           "--panel-title", "Backup",
                                           "--width",       "178mm",
                                           "--type",        "8pt"};
    std::vector<std::string> with_caption = more;
    with_caption.push_back("--caption");
    const std::string svg = exported(study, file, with_caption);
    CHECK(count(svg, ">Layer of names<") == 1);
    CHECK(count(svg, ">Layer 0 · head 1<") == 1);
    CHECK(count(svg, ">Backup<") == 1);
    CHECK(count(svg, ">Layer 0 · head 0<") == 0);
    const std::string caption = read_file(file + ".txt");
    CHECK(caption.find("--panel-title 'Layer of names' --panel-title '' --panel-title Backup") !=
          std::string::npos);
    const Ran ran = headlight_run({"export", study, "-o", file, "--panel", kHead + "0.pattern",
                                   "--panel-title", "a", "--panel-title", "b"});
    CHECK(ran.err.find("[--panel-title] there are 2 titles, and --panel names 1 matrix") !=
          std::string::npos);
}

TEST_CASE("export panels: a fitted range is that of all panels together") {
    const TemporaryFolder folder;
    const std::string study = six_heads(folder), file = folder.file("a.svg");
    const Trace trace = trace_of(study);
    const auto largest = [&](int head) {
        return trace.at(kHead + std::to_string(head) + ".scores").value->cwiseAbs().maxCoeff();
    };
    int strongest = 0;
    for (const int head : {1, 2})
        if (largest(head) > largest(strongest)) strongest = head;
    // The bar over all is that of the head with the largest score, in whatever order.
    const std::string alone =
        exported(study, file, {"--panel", kHead + std::to_string(strongest) + ".scores"});
    const std::string all = exported(study, file, {"--panel", kHead + "*.scores"});
    const auto last_tick = [](const std::string& svg) {
        const std::size_t name = svg.find(">signed, linear<");
        const std::size_t end = svg.rfind("</text>", name);
        return svg.substr(svg.rfind('>', end - 1) + 1, end - svg.rfind('>', end - 1) - 1);
    };
    CHECK(last_tick(alone) == last_tick(all));
    CHECK(last_tick(alone) != "");
}

TEST_CASE("export panels: two kinds of values have two bars, three are refused") {
    const TemporaryFolder folder;
    const std::string study = six_heads(folder);
    const std::string svg =
        exported(study, folder.file("a.svg"),
                 {"--panel", kHead + "*.scores", "--panel", kHead + "*.pattern"});
    CHECK(count(svg, ">probability, linear<") == 1);
    CHECK(count(svg, ">signed, linear<") == 1);
    CHECK(count(svg, ">(f)<") == 1);
    CHECK(contains(
        refused(study, folder,
                {"--panel", kHead + "*.scores", "--panel", kHead + "*.pattern", "--panel", "mask"}),
        "[--panel] the values of the panels are of 3 kinds; a figure has bars for at "
        "most 2"));
}

TEST_CASE("export panels: A, B and A − B are panels, the difference with a bar of its own") {
    const TemporaryFolder folder;
    const std::string study = six_heads(folder), other = folder.file("other.headlight");
    REQUIRE(headlight_run({"new", "sentence", "the dog saw the moon", "--layers", "2", "--heads",
                           "3", "--d-model", "6", "-o", other})
                .err == "");
    const std::string svg =
        exported(study, folder.file("a.svg"),
                 {"--panel", kHead + "0.pattern", "--panel", kHead + "1.pattern", "--with", other});
    CHECK(count(svg, ">(f)<") == 1);
    CHECK(count(svg, "A − B") >= 3);  // of two panels, and of the bar
    CHECK(count(svg, ">A − B, linear<") == 1);
    CHECK(count(svg, ">probability, linear<") == 1);
    const std::string difference =
        exported(study, folder.file("a.svg"),
                 {"--panel", kHead + "*.pattern", "--with", other, "--sides", "difference"});
    CHECK(count(difference, ">(c)<") == 1);
    CHECK(count(difference, ">(d)<") == 0);
    CHECK(count(difference, "probability") == 0);
}

TEST_CASE("export panels: the command in the caption makes the same bytes") {
    const TemporaryFolder folder;
    const std::string study = six_heads(folder);
    const std::vector<std::vector<std::string>> looks = {
        {"--panel", "*.pattern", "--width", "178mm", "--type", "7pt"},
        {"--panel", "*.pattern", "--width", "85mm", "--across", "2", "--title", "off"},
        {"--what", "panels", "--tensor", "*.scores", "--colors", "RdBu", "--range", "-3:3"},
        {"--what", "panels", "--heads", "2,0", "--row", "1", "--column", "0", "--dpi", "200"},
        {"--panel", "*.pattern", "--size", "500x300", "--theme", "dark", "--colors", "Cividis"},
        {"--panel", kHead + "*.pattern", "--with", "2x"},
        {"--panel", kHead + "*.pattern", "--with", "2x", "--sides", "difference", "--range",
         "-0.25:0.25"}};
    for (const char* extension : {".svg", ".png", ".pdf"})
        for (std::vector<std::string> look : looks) {
            const std::string file = folder.file(std::string("a") + extension);
            std::ranges::replace(look, "2x", study);
            look.emplace_back("--caption");
            const std::string before = exported(study, file, look);
            const std::string caption = read_file(file + ".txt");
            INFO(caption.substr(0, caption.find("of this study")));
            CHECK(contains(caption, "--what panels --tensor "));
            write_file(file, "");
            CHECK(headlight_run(command_in(caption)).code == kExitDone);
            CHECK(read_file(file) == before);
        }
}

TEST_CASE("export: colours of values with signs lie evenly about 0, and a range says so") {
    const TemporaryFolder folder;
    const std::string study = six_heads(folder), svg = folder.file("a.svg");
    const auto drawn = [&](std::vector<std::string> more) {
        std::vector<std::string> words = {"export", study, "-o", svg};
        words.insert(words.end(), more.begin(), more.end());
        return headlight_run(words);
    };
    const std::string refusal = "write -0.2:0.2 in place of 0:0.2";
    CHECK(contains(drawn({"--what", "panels", "--tensor", "*.scores", "--range", "0:0.2"}).err,
                   refusal));
    for (const char* what : {"heads", "panels", "words", "compared"}) {
        CAPTURE(what);
        const std::vector<std::string> difference = {"--what",  what,         "--with", study,
                                                     "--sides", "difference", "--range"};
        std::vector<std::string> lopsided = difference, even = difference;
        lopsided.emplace_back("0:0.2"), even.emplace_back("-0.2:0.2");
        CHECK(contains(drawn(lopsided).err, refusal));
        REQUIRE(drawn(even).code == kExitDone);
        const std::string picture = read_file(svg);
        CHECK((contains(picture, ">0.2</text>") || contains(picture, "0 to 0.20")));
    }
}

TEST_CASE("export panels: numbers have no panels, and a note says so") {
    const TemporaryFolder folder;
    const std::string study = six_heads(folder);
    const Ran ran = headlight_run(
        {"export", study, "-o", folder.file("a.npz"), "--panel", kHead + "*.pattern"});
    CHECK(ran.code == kExitDone);
    CHECK(contains(ran.err, "--panel: without effect, only pictures are changed by it"));
}

TEST_CASE("export panels: a saved view has its panels") {
    const TemporaryFolder folder;
    const std::string study = six_heads(folder);
    const std::string wanted =
        exported(study, folder.file("a.svg"),
                 {"--panel", kHead + "2.pattern", "--panel", kHead + "0.pattern", "--across", "1"});
    std::string text = read_file(study);
    const std::size_t end = text.rfind('}');
    text.insert(end, R"(, "view": {"what": "panels", "panel": ["blocks.0.attn.heads.2.pattern",
                       "blocks.0.attn.heads.0.pattern"], "across": "1",
                       "tensor": "blocks.0.attn.heads.2.pattern"})");
    write_file(study, text);
    CHECK(exported(study, folder.file("b.svg"), {}) == wanted);
}

TEST_CASE("export panels: what cannot stand beside each other is refused by name") {
    const TemporaryFolder folder;
    const std::string study = six_heads(folder);
    CHECK(contains(refused(study, folder, {"--panel", "*.patern"}),
                   "no tensor is called '*.patern'"));
    CHECK(contains(
        refused(study, folder, {"--panel", kHead + "0.pattern", "--panel", kHead + "0.W_Q"}),
        "[--panel] panels have one shape: blocks.0.attn.heads.0.pattern is 5 × 5, "
        "blocks.0.attn.heads.0.W_Q is 6 × 2"));
    CHECK(contains(
        refused(study, folder,
                {"--panel", "*.pattern", "--width", "60mm", "--type", "8pt", "--across", "6"}),
        "[--across] 6 panels beside each other have no room at this width; "));
    CHECK(contains(refused(study, folder, {"--panel", "*", "--across", "25"}),
                   "'25' is not a number from 1 to 24"));
    CHECK(contains(refused(small_graph(folder), folder, {"--panel", "*.pattern"}),
                   "has a number for each edge, and is no matrix; panels are matrices"));
    CHECK(contains(refused(small_graph(folder), folder, {"--panel", "*.score_src"}),
                   "is a vector; panels are matrices"));
}

TEST_CASE("export panels: more panels than the paper has room for are counted") {
    const TemporaryFolder folder;
    const std::string study = folder.file("many.headlight");
    REQUIRE(headlight_run({"new", "sentence", kSentence, "--layers", "12", "--heads", "12",
                           "--d-model", "24", "-o", study})
                .err == "");
    const std::string error =
        refused(study, folder, {"--panel", "blocks.*.pattern", "--width", "60mm", "--type", "8pt"});
    CHECK(contains(error, "[--panel] 144 panels have no room at this width; at most "));
    CHECK(contains(error, "make the figure wider, or its type smaller"));
    const std::string svg = exported(study, folder.file("a.svg"), {"--panel", "blocks.*.pattern"});
    CHECK(count(svg, ">(en)<") == 1);  // the 144th
}

}  // namespace headlight::export_panels_test
