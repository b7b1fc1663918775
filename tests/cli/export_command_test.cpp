#include <doctest/doctest.h>
#include <fmt/format.h>
#include <map>
#include <set>

#include "cli/command_line.h"
#include "figure/heatmap_figure.h"
#include "figure/tensor_figure.h"
#include "headlight_run.h"
#include "io/arrays/npy.h"
#include "io/arrays/npz.h"
#include "io/files/file.h"
#include "io/pictures/figure_pdf.h"
#include "io/pictures/figure_svg.h"
#include "io/pictures/figure_text.h"
#include "io/pictures/png_image.h"
#include "io/studies/study.h"
#include "io/text/csv.h"
#include "long_checks.h"
#include "views/view_figure.h"

namespace headlight::export_command_test {
namespace {

const std::string kPattern = "blocks.0.attn.heads.0.pattern";
const std::string kUntrained = "untrained: weights drawn from seed 1";

/// Tensors that differ in nothing but the number of their layer or head are of one kind.
std::string kind_of(const Tensor& tensor) {
    std::string kind = tensor.path();
    for (char& c : kind)
        if (c >= '0' && c <= '9') c = '*';
    return kind;
}

}  // namespace

TEST_CASE("export: CSV and NPY have the same bytes as their writers give") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    const Trace trace = trace_of(study);
    for (const std::string& path : {kPattern, std::string("blocks.0.attn.heads.1.result")}) {
        const std::string csv = folder.file("a b.csv"), npy = folder.file("a b.NPY");
        REQUIRE(headlight_run({"export", study, "--tensor", path, "-o", csv}).code == kExitDone);
        REQUIRE(headlight_run({"export", study, "--tensor", path, "-o", npy}).code == kExitDone);
        CHECK(read_file(csv) == write_csv(trace, trace.at(path)));
        CHECK(read_file(npy) == write_npy(*trace.at(path).value));
    }
}

TEST_CASE("export: only a glob that names the probe means its tensors") {
    const TemporaryFolder folder;
    const std::string study = folder.file("s.headlight"), output = folder.file("all.json");
    REQUIRE(headlight_run({"new", "induction", "-o", study}).code == kExitDone);
    const auto exported = [&](const std::string& glob) {
        REQUIRE(headlight_run({"export", study, "--tensor", glob, "-o", output}).code == kExitDone);
        return read_file(output);
    };
    CHECK(!contains(exported("*.pattern"), "probe."));
    CHECK(contains(exported("probe.*.pattern"), "probe."));
}

TEST_CASE("export: one of several sentences, or all stacked") {
    const TemporaryFolder folder;
    const std::string study = folder.file("two.headlight"), output = folder.file("a.npy");
    REQUIRE(headlight_run({"new", "sentence", "the cat slept", "it woke", "-o", study}).code ==
            kExitDone);
    const auto exported = [&](std::vector<std::string> more) {
        std::vector<std::string> args{"export", study, "--tensor", kPattern, "-o", output};
        args.insert(args.end(), more.begin(), more.end());
        const Ran run = headlight_run(args);
        return run.code == kExitDone ? read_npy(read_file(output), output) : Matrix{};
    };
    const Matrix all = exported({}), second = exported({"--sentence", "2"});
    CHECK(all.rows() == 6);
    REQUIRE(second.rows() == 3);
    CHECK(second == all.bottomRows(3));
    const Ran beyond =
        headlight_run({"export", study, "--tensor", kPattern, "-o", output, "--sentence", "3"});
    CHECK(beyond.code == kExitError);
    CHECK(beyond.err.find("there is no sentence 3; the study has 2") != std::string::npos);
}

TEST_CASE("export: over several sentences a column is a place, in one of them it is a word") {
    const TemporaryFolder folder;
    const std::string study = folder.file("ms.headlight"), path = "blocks.0.attn.heads.0.pattern";
    REQUIRE(headlight_run({"new", "sentence", "the cat", "a b", "-o", study}).code == kExitDone);
    const auto exported = [&](const std::string& name, std::vector<std::string> more = {}) {
        std::vector<std::string> args{"export", study, "--tensor", path, "-o", folder.file(name)};
        args.insert(args.end(), more.begin(), more.end());
        REQUIRE(headlight_run(args).code == kExitDone);
        return read_file(folder.file(name));
    };
    CHECK(exported("all.csv").starts_with("query \\ key,key 0,key 1\r\n"));
    CHECK(exported("all.md").starts_with("| query / key | key 0 | key 1 |\n"));
    CHECK(exported("one.csv", {"--sentence", "2"}).starts_with("query \\ key,a,b\r\n"));
    const std::string svg = exported("all.svg");
    CHECK(contains(svg, "key 0"));
    CHECK(contains(exported("one.svg", {"--sentence", "2"}), ">b<"));
}

TEST_CASE("export: options without effect are noted") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), csv = folder.file("a.csv");
    const Ran numbers = headlight_run({"export", study, "--tensor", kPattern, "-o", csv, "--theme",
                                       "dark", "--dpi", "300", "--sentence", "1"});
    CHECK(numbers.code == kExitDone);
    CHECK(contains(numbers.err, "--dpi"));
    CHECK(contains(numbers.err, "--theme"));
    CHECK(contains(numbers.err, ": without effect, only pictures are changed by it"));
    CHECK(!contains(numbers.err, "--sentence"));
    CHECK(headlight_run({"export", study, "--tensor", kPattern, "-o", csv}).err == "");
    CHECK(contains(headlight_run({"export", study, "--what", "heads", "--tensor", "embed", "-o",
                                  folder.file("h.svg")})
                       .err,
                   "--tensor embed: without effect, it is of no head; the view shows all"));
    CHECK(headlight_run({"export", study, "--tensor", kPattern, "-o", folder.file("a.svg"),
                         "--theme", "dark"})
              .err == "");
}

namespace {

/// Arguments that give an option, and those beside which it must be given.
struct GivenOption {
    std::vector<std::string> beside, option;
};

std::vector<GivenOption> given_options(const std::string& other) {
    const std::string pattern = "blocks.0.attn.heads.1.pattern";
    const std::vector<std::string> with{"--with", other}, row{"--row", "3"};
    return {{{}, {"--part", "blocks.1.attn"}},
            {{}, row},
            {row, {"--column", "1"}},
            {row, {"--held", pattern}},
            {{}, {"--held", pattern}},
            {{}, {"--rows", "1..2"}},
            {{}, {"--columns", "0..1"}},
            {{}, {"--sort-heads", "entropy"}},
            {{}, {"--sort-heads", "held-word"}},
            {{}, {"--metric-rows", "all-but-first"}},
            {{"--sort-heads", "distance"}, {"--metric-rows", "all-but-first"}},
            {{"--sort-heads", "held-word"}, row},
            {{}, {"--top", "2"}},
            {{}, {"--against", "blocks.0.attn.heads.0.q"}},
            {{}, {"--across", "1"}},
            {{"--panel", pattern}, {"--panel-title", "Title"}},
            {{}, {"--heads", "1,0"}},
            {{}, {"--words-in", "line"}},
            {{}, {"--strongest", "10"}},
            {{}, {"--leave-out", "first-token"}},
            {{}, {"--left-out", "shared"}},
            {{"--leave-out", "first-token"}, {"--left-out", "shared"}},
            {{}, {"--word", "moon"}},
            {{}, {"--minus", "cat"}},
            {{"--row", "3", "--row", "4"}, {"--rows-as", "mean"}},
            {{}, {"--edges", "strongest:1"}},
            {{}, {"--nodes", "group"}},
            {{}, {"--graph-zoom", "4:0.5:0.25"}},
            {{}, with},
            {with, {"--names", "u|v"}},
            {{}, {"--names", "u|v"}},
            {with, {"--sides", "difference"}},
            {{}, {"--sides", "difference"}},
            {{}, {"--colors", "Viridis"}},
            {{}, {"--steps", "log"}},
            {{}, {"--range", "probability:0:0.2"}},
            {{}, {"--far-out", "mean"}},
            {{}, {"--numbers", "never"}},
            {{}, {"--decimals", "1"}},
            {{}, {"--zoom", "2:1:1"}},
            {{}, {"--dpi", "300"}},
            {{}, {"--title", "off"}},
            {row, {"--selection", "off"}}};
}

}  // namespace

TEST_CASE("export: an option that changes nothing is noted, and no other") {
    const TemporaryFolder folder;
    const auto make = [&](const char* name, const char* text) {
        std::string study = folder.file(name);
        REQUIRE(headlight_run({"new", "sentence", text, "--layers", "2", "--heads", "3",
                               "--d-model", "6", "--unembedding", "tied", "-o", study})
                    .code == kExitDone);
        return study;
    };
    const std::string study = make("a.headlight", kSentence),
                      other = make("b.headlight", "the dog saw the moon");
    const auto exported = [&](std::vector<std::string> words,
                              const std::vector<std::string>& more) {
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = headlight_run(words);
        INFO(ran.err);
        REQUIRE(ran.code == kExitDone);
        return std::pair(read_file(folder.file("a.svg")), ran.err);
    };
    for (const std::string view :
         {"matrix", "words", "compared", "panels", "heads", "logits", "next", "lens", "attribution",
          "composition", "flow", "layer", "step", "row", "plane"}) {
        std::vector<std::string> words{"export", study, "--what", view, "-o", folder.file("a.svg")};
        if (view == "plane") words.insert(words.end(), {"--tensor", "blocks.0.attn.heads.1.q"});
        if (view == "matrix") words.insert(words.end(), {"--tensor", kPattern});
        if (view == "compared") words.insert(words.end(), {"--with", other});
        int n_idle = 0;
        std::map<std::vector<std::string>, std::string> without;
        for (const GivenOption& given : given_options(other)) {
            const std::string& name = given.option.front();
            if (name == "--with" && view == "compared") continue;
            CAPTURE(view);
            CAPTURE(name);
            std::vector<std::string> all = given.beside;
            all.insert(all.end(), given.option.begin(), given.option.end());
            if (view == "compared") std::erase(all, "--with"), std::erase(all, other);
            const auto [figure, note] = exported(words, all);
            const bool is_idle = contains(note, name + ": without effect");
            n_idle += is_idle;
            all = given.beside;
            if (view == "compared") std::erase(all, "--with"), std::erase(all, other);
            if (!without.contains(all)) without[all] = exported(words, all).first;
            // Pixels that cover several cells are those of larger matrices; a word that is held in
            // one matrix is held in others.
            const bool may_change_nothing =
                contains(note, name + ": ") || name == "--far-out" || name == "--held";
            CHECK((figure == without[all] ? is_idle || may_change_nothing : !is_idle));
        }
        CHECK(n_idle > 8);
    }
    const std::vector<std::string> lines{"export", study, "--what",
                                         "words",  "-o",  folder.file("a.svg")};
    const std::string note = exported(lines, {"--rows", "4..4", "--columns", "1..2"}).second;
    CHECK(contains(note, "--rows: without effect, it is of the views matrix, compared"));
    CHECK(contains(note, "--columns: without effect"));
    CHECK(contains(exported(lines, {"--frames", "4"}).second, "it needs --motion"));
}

TEST_CASE("export: what the matrix or the study does not take of an option is noted") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), graph = small_graph(folder);
    const auto said = [&](std::vector<std::string> words) {
        const bool has_file = std::ranges::find(words, "-o") != words.end();
        if (!has_file) words.insert(words.end(), {"-o", folder.file("a.svg")});
        words.insert(words.begin(), "export");
        const Ran ran = headlight_run(words);
        REQUIRE(ran.code == kExitDone);
        return ran.err;
    };
    CHECK(contains(said({study, "--what", "row", "--tensor", kPattern, "--part", "input"}),
                   "--part: without effect, " + kPattern + " is of blocks.0.attn"));
    CHECK(contains(said({study, "--what", "step", "--tensor", kPattern, "--heads", "1"}),
                   "--heads: " + kPattern + " is of head 0, which is the chosen one"));
    CHECK(contains(said({graph, "--what", "graph", "--nodes", "feature:99"}),
                   "and the last one is drawn, not 99"));
    CHECK(contains(said({graph, "--what", "step", "--numbers", "never"}),
                   "--numbers: without effect, the picture is a graph, which has no cells"));
    CHECK(contains(said({study, "--what", "compared", "--tensor", kPattern, "--with",
                         "blocks.0.attn.heads.1.pattern", "--names", "u|v"}),
                   "--names: without effect, only a study that is B is named"));
    CHECK(contains(said({study, "--what", "step", "--tensor", kPattern, "--heads", "0,1"}),
                   "--heads: only the first one is shown by the view step"));
    CHECK(contains(said({study, "--what", "heads", "--with", "blocks.0.attn.heads.1.pattern"}),
                   "--with: without effect, a head is no side of the view heads"));
    // Values with signs have no such range, but no colours are drawn.
    const std::string row = said({study, "--what", "row", "--tensor", "blocks.0.attn.heads.0.q",
                                  "--row", "1", "--range", "0:0.5"});
    CHECK(row.find("--range: without effect, it is of ") == row.rfind("--range"));
    CHECK(contains(row, "--range: without effect"));
    // Tables say what pictures say.
    CHECK(contains(said({study, "--what", "heads", "--word", "cat", "-o", folder.file("a.csv")}),
                   "--word: without effect, it is of the views"));
    const Ran logits =
        headlight_run({"export", study, "--what", "logits", "-o", folder.file("a.svg")});
    CHECK(contains(logits.err, "the study has no logits"));
    const Ran sentence = headlight_run({"export", study, "--what", "compared", "--tensor", kPattern,
                                        "--with", "2", "-o", folder.file("a.svg")});
    CHECK(contains(sentence.err, "there is no sentence 2: the study has 1 sentence"));
}

TEST_CASE("export: PNG is the tensor's figure in the requested size, scale and theme") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), output = folder.file("a.png");
    REQUIRE(headlight_run({"export", study, "--tensor", kPattern, "-o", output, "--size", "400x300",
                           "--scale", "1.5", "--theme", "dark"})
                .code == kExitDone);
    const std::string bytes = read_file(output);
    CHECK(png_size(bytes).width == 600);
    CHECK(png_size(bytes).height == 450);

    const Trace trace = trace_of(study);
    const Theme& theme = theme_named(ThemeName::Dark);
    HeatmapInput input = heatmap_input(trace, trace.at(kPattern), theme);
    input.width = 400;
    input.height = 300 - origin_height(1);
    Figure figure = heatmap_figure(input, theme, pango_measure()).figure;
    add_origin(figure, kUntrained, theme, pango_measure());
    CHECK(bytes == write_png(figure, {.scale = 1, .dpi = 108, .background = theme.card}));
}

TEST_CASE("export: every tensor of a sentence and of a graph has a picture") {
    const TemporaryFolder folder;
    const std::string output = folder.file("a.png");
    for (const std::string& study : {small_sentence(folder), small_graph(folder)}) {
        const Trace trace = trace_of(study);
        std::set<std::string> kinds;
        for (const Tensor& tensor : trace.tensors()) {
            const bool is_first = kinds.insert(kind_of(tensor)).second;
            if (!is_first && !is_long_check()) continue;
            const Ran ran =
                headlight_run({"export", study, "--tensor", tensor.path(), "-o", output});
            INFO(tensor.path(), ran.err);
            CHECK(ran.code == kExitDone);
            const PngSize size = png_size(read_file(output));
            CHECK(size.width <= 1800);
            CHECK(size.height <= 1440 + origin_height(2));
        }
    }
}

TEST_CASE("export: without a size, a narrow matrix has no empty space beside it") {
    const TemporaryFolder folder;
    const std::string output = folder.file("a.png");
    REQUIRE(headlight_run({"export", small_graph(folder), "--tensor", "gat.0.heads.0.a_src", "-o",
                           output, "--scale", "1"})
                .code == kExitDone);
    const PngSize size = png_size(read_file(output));
    CHECK(size.width < 450);
    CHECK(size.height < 450);
}

TEST_CASE("export: a figure says that its weights are untrained, unless titles are off") {
    const TemporaryFolder folder;
    const std::string output = folder.file("a.svg");
    for (const std::string& study : {small_sentence(folder), small_graph(folder)})
        for (const char* view : {"heads", "flow", "step"}) {
            const auto exported = [&](const char* title) {
                const Ran ran = headlight_run(
                    {"export", study, "--what", view, "-o", output, "--title", title});
                INFO(ran.err);
                REQUIRE(ran.code == kExitDone);
                return read_file(output);
            };
            INFO(view);
            CHECK(contains(exported("on"), "untrained: weights drawn from seed"));
            if (view != std::string("step"))
                CHECK(!contains(exported("off"), "untrained: weights drawn from seed"));
        }
}

TEST_CASE("export: all heads say what their colours stand for, where it is not the usual") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), svg = folder.file("a.svg");
    const auto drawn = [&](std::vector<std::string> more) {
        std::vector<std::string> words = {"export", study, "--what", "heads", "-o", svg};
        words.insert(words.end(), more.begin(), more.end());
        REQUIRE(headlight_run(words).code == kExitDone);
        return read_file(svg);
    };
    CHECK_FALSE(contains(drawn({}), "0 to 0.3"));
    CHECK(contains(drawn({"--range", "0:0.3"}), "probability, linear, 0 to 0.3"));
}

TEST_CASE("export: heads are sorted by the number that is asked for, in pictures and tables") {
    const TemporaryFolder folder;
    const std::string study = folder.file("a.headlight");
    REQUIRE(headlight_run({"new", "sentence", kSentence, "--layers", "2", "--heads", "3",
                           "--d-model", "6", "-o", study})
                .code == kExitDone);
    const auto exported = [&](const char* file, std::vector<std::string> more) {
        more.insert(more.begin(), {"export", study, "--what", "heads", "-o", folder.file(file)});
        const Ran ran = headlight_run(more);
        INFO(ran.err);
        REQUIRE(ran.code == kExitDone);
        CHECK(ran.err == "");
        return read_file(folder.file(file));
    };
    const Trace trace = trace_of(study);
    for (const std::string measure : {"entropy", "mean(pattern[*, 0])", "held-word"}) {
        CAPTURE(measure);
        std::vector<std::string> order{"--sort-heads", measure};
        if (measure == "held-word") order.insert(order.end(), {"--row", "0"});
        // The first column of the table has the attention, the second the head.
        const std::string table = exported("a.csv", order);
        std::vector<std::string> places;
        for (std::size_t at = 0; (at = table.find("blocks.", at)) != std::string::npos; ++at)
            places.push_back(fmt::format("{}.{}", table[at + 7], table[at + 14]));
        REQUIRE(places.size() == 6);
        const std::string svg = exported("a.svg", order);
        CHECK(contains(svg, "sorted by "));
        for (const std::string& place : places) CHECK(contains(svg, ">" + place + "</text>"));
        if (measure == "entropy") continue;
        Scalar last = 1;  // both of the others are the mean weight on the first word
        for (const std::string& place : places) {
            const Scalar weight =
                trace
                    .at(fmt::format("blocks.{}.attn.heads.{}.pattern", place.front(), place.back()))
                    .value->col(0)
                    .mean();
            CHECK(weight <= last + Scalar(1e-6));
            last = weight;
        }
    }
    const auto refused = [&](const char* what, const char* measure) {
        return headlight_run(
            {"export", study, "--what", what, "-o", folder.file("b.svg"), "--sort-heads", measure});
    };
    const Ran misspelt = refused("heads", "entropie");
    CHECK(misspelt.code == kExitError);
    CHECK(contains(misspelt.err, "did you mean 'entropy'?"));
    CHECK(refused("heads", "mean(patern)").code == kExitError);
    const Ran idle = refused("words", "entropie");
    CHECK(idle.code == kExitDone);
    CHECK(contains(idle.err, "--sort-heads: without effect, it is of the views heads"));
    exported("d.svg", {"--sort-heads", "mean(pattern[*, 0])", "--caption"});
    const std::string caption = read_file(folder.file("d.svg.txt"));
    CHECK(contains(caption, "sorted by mean(pattern[*, 0]), the highest first"));
    CHECK(contains(caption, "--sort-heads 'mean(pattern[*, 0])'"));
}

TEST_CASE("export: an unknown path or extension is an error that lists the known ones") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    const Ran path = headlight_run(
        {"export", study, "--tensor", "blocks.0.attn.heads.0.patern", "-o", folder.file("a.png")});
    CHECK(path.code == kExitError);
    CHECK(contains(path.err, "did you mean '" + kPattern + "'?"));
    const Ran extension =
        headlight_run({"export", study, "--tensor", kPattern, "-o", folder.file("a.tiff")});
    CHECK(extension.code == kExitError);
    CHECK(contains(extension.err, "the extension must be one of .png, .svg, .pdf, .gif, .csv"));
    CHECK(!std::filesystem::exists(folder.file("a.png")));
}

TEST_CASE("export: SVG and PDF show the same figure as PNG") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    const Trace trace = trace_of(study);
    const Theme& theme = theme_named(ThemeName::Light);
    FigureLook look;
    look.width = {FigureLength::Unit::Millimetres, 85};
    look.type = {FigureLength::Unit::Points, 7};
    look.dpi = 300;
    Figure figure =
        tensor_picture(heatmap_input(trace, trace.at(kPattern), theme), look, pango_measure());
    add_origin(figure, kUntrained, theme, pango_measure());
    const FigureSheet sheet = sheet_for(figure, look, theme.card);
    const auto exported = [&](const char* name) {
        const std::string file = folder.file(name);
        const Ran ran = headlight_run({"export", study, "--tensor", kPattern, "-o", file, "--width",
                                       "85mm", "--type", "7pt", "--dpi", "300"});
        const bool has_pixels = file.ends_with(".png");
        REQUIRE(contains(ran.err, "--dpi: without effect") != has_pixels);
        return read_file(file);
    };
    CHECK(exported("a.png") == write_png(figure, sheet));
    CHECK(exported("a.svg") == write_svg(figure, sheet));
    CHECK(exported("a.pdf") == write_pdf(figure, sheet));
    CHECK(png_size(exported("a.png")).width == 1004);
}

TEST_CASE("export: a glob makes one file for each matrix, and the folders for them") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    const auto run = [&](const std::string& output, const std::string& glob) {
        return headlight_run({"export", study, "--tensor", glob, "-o", folder.file(output)});
    };
    CHECK(run("fig/one/{path}.svg", "blocks.*.pattern").err == "");
    CHECK(std::filesystem::exists(folder.file("fig/one/" + kPattern + ".svg")));
    CHECK(run("fig/{layer}/{head}-{name}.npy", "blocks.*.pattern").err == "");
    CHECK(read_npy(read_file(folder.file("fig/0/1-pattern.npy")), "a").rows() == 5);
    const Ran same = run("fig/{name}.npy", "blocks.*.pattern");
    CHECK(same.code == kExitError);
    CHECK(contains(same.err,
                   "blocks.0.attn.heads.0.pattern and blocks.0.attn.heads.1.pattern "
                   "would both be '"));
    CHECK(contains(same.err, "put {path} into the name"));
    CHECK(!std::filesystem::exists(folder.file("fig/pattern.npy")));
    CHECK(contains(run("{what}.npy", kPattern).err, "'{what}' means nothing; there are {path}"));
}

TEST_CASE("export: an archive holds all matrices, or those of a glob") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), output = folder.file("a.npz");
    REQUIRE(headlight_run({"export", study, "-o", output}).err == "");
    CHECK(read_npz(read_file(output), output).size() == trace_of(study).tensors().size());
    REQUIRE(headlight_run({"export", study, "--tensor", "blocks.*.pattern", "-o", output}).err ==
            "");
    CHECK(read_npz(read_file(output), output).size() == 2);
}

TEST_CASE(
    "export: every view of every kind of study has a figure, or an error says that it has none") {
    const TemporaryFolder folder;
    const std::string image = folder.file("image.headlight");
    REQUIRE(headlight_run({"new", "image", "-o", image}).err == "");
    const auto exit_code = [&](const std::string& study, const std::string& view) {
        return headlight_run({"export", study, "--what", view, "-o", folder.file("v.svg")}).code;
    };
    const std::string sentence = small_sentence(folder), graph = small_graph(folder);
    for (const char* view : {"heads", "flow", "layer"})
        for (const std::string& study : {sentence, graph, image})
            CHECK(exit_code(study, view) == kExitDone);
    CHECK(exit_code(sentence, "words") == kExitDone);
    CHECK(exit_code(graph, "graph") == kExitDone);
    CHECK(exit_code(image, "image") == kExitDone);
    CHECK(exit_code(sentence, "graph") == kExitError);
    CHECK(exit_code(graph, "image") == kExitError);
    CHECK(exit_code(image, "words") == kExitError);
    CHECK(exit_code(image, "pie") == kExitUsage);
    const Ran numbers =
        headlight_run({"export", graph, "--what", "graph", "-o", folder.file("v.csv")});
    CHECK(contains(numbers.err,
                   "this view is a picture; .csv is a format of numbers: use --tensor, or"));
}

TEST_CASE("export: the command in the caption makes the same figure, byte for byte") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), output = folder.file("a.svg");
    const std::vector<std::string> asked = {
        "export",     study,     "--tensor",   kPattern,  "-o",       output,         "--row",
        "cat",        "--row",   "moon",       "--theme", "dark",     "--size",       "400x300",
        "--steps",    "log",     "--range",    "0:0.5",   "--colors", "Lagoon",       "--zoom",
        "2:2.5:1.25", "--title", "off",        "--width", "60.5mm",   "--background", "white",
        "--numbers",  "small",   "--decimals", "3",       "--caption"};
    const Ran ran = headlight_run(asked);
    REQUIRE(ran.code == kExitDone);
    const std::string caption = read_file(output + ".txt"), before = read_file(output);
    write_file(output, "");
    CHECK(headlight_run(command_in(caption)).err == ran.err);
    CHECK(read_file(output) == before);
    CHECK(contains(caption, "Headlight " HEADLIGHT_VERSION));
    CHECK(contains(caption, read_file(study)));
}

TEST_CASE("export: held items are marked; unknown ones are refused by name") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), output = folder.file("a.svg");
    const auto exported = [&](std::vector<std::string> more) {
        std::vector<std::string> args{"export", study, "--tensor", kPattern, "-o", output};
        args.insert(args.end(), more.begin(), more.end());
        const Ran ran = headlight_run(args);
        return ran.code == kExitDone ? read_file(output) : ran.err;
    };
    const std::string plain = exported({}), held = exported({"--row", "cat"});
    CHECK(plain != held);
    CHECK(exported({"--row", "cat", "--column", "the"}) != held);
    CHECK(exported({"--row", "cat", "--selection", "off"}) == plain);
    CHECK(contains(exported({"--row", "dog"}), "[--row] " + kPattern + " has no row 'dog'"));
    CHECK(exported({"--row", "cat", "--row", "moon"}) != held);
    const std::string key = exported({"--column", "cat"});
    CHECK(key != plain);
    CHECK(key != held);
    CHECK(contains(exported({"--column", "1", "--held", "blocks.0.attn.heads.0.W_Q"}),
                   "give the row, too"));
}

TEST_CASE("export: an error names a folder that cannot be made") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), file = folder.with("file", "not a folder");
    const Ran ran = headlight_run({"export", study, "--tensor", "embed", "-o", file + "/a.csv"});
    CHECK(ran.code == kExitError);
    CHECK(contains(ran.err, "[" + file + "] this folder cannot be made: "));
}

TEST_CASE("export: a picture without options is of the view that was saved with the study") {
    const TemporaryFolder folder;
    const std::string study = folder.file("a.headlight"), usual = small_sentence(folder);
    const ViewWords view = {
        {"tensor", "blocks.0.attn.heads.1.pattern"}, {"row", "1"}, {"colors", "Lagoon"}};
    const auto save = [&](const ViewWords& words) {
        write_file(study, write_study(read_study(read_file(usual), usual), {}, words));
    };
    const auto exported = [&](std::vector<std::string> options, const std::string& ending) {
        const std::string output = folder.file("figure" + ending);
        std::vector<std::string> args{"export", study, "-o", output};
        args.insert(args.end(), options.begin(), options.end());
        const Ran run = headlight_run(args);
        CHECK(run.code == kExitDone);
        return std::pair(run.err, run.code == kExitDone ? read_file(output) : "");
    };
    save(view);
    const std::vector<std::string> said = {"--tensor", view[0].value, "--row", "1"};
    const auto with = [&](std::vector<std::string> more) {
        std::vector<std::string> all = said;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const auto shown = exported({}, ".svg");
    CHECK(shown.first == "");
    CHECK(shown == exported(with({"--colors", "Lagoon"}), ".svg"));
    CHECK(exported({"--theme", "dark", "--colors", "Ember"}, ".svg") ==
          exported(with({"--theme", "dark", "--colors", "Ember"}), ".svg"));
    const auto other = exported({"--tensor", kPattern}, ".svg");
    const auto numbers = exported({}, ".npz");
    save({});
    CHECK(other == exported({"--tensor", kPattern}, ".svg"));  // nothing of it is mixed in
    CHECK(numbers == exported({}, ".npz"));                    // all of them
    save({{"what", "heads"}});
    const auto heads = exported({}, ".svg");
    CHECK(heads == exported({"--what", "heads"}, ".svg"));
    save({{"tensor", kPattern}, {"row", "99"}});
    const Ran run = headlight_run(
        {"export", study, "--theme", "dark", "-o", folder.file("{head}-{name}-{path}.svg")});
    CHECK(contains(run.err, "the view that was saved with the study is not shown: "));
    CHECK(contains(run.err, "99"));
}

}  // namespace headlight::export_command_test
