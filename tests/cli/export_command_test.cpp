#include <doctest/doctest.h>

#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/csv.h"
#include "io/figure_png.h"
#include "io/file.h"
#include "io/npy.h"
#include "paint/heatmap_figure.h"
#include "paint/tensor_figure.h"

using namespace headlight;

namespace {

const std::string kPattern = "blocks.0.attn.heads.0.pattern";

}  // namespace

TEST_CASE("export: CSV and NPY have the bytes of their writers") {
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

TEST_CASE("export: of several sentences one, or all below each other") {
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

TEST_CASE("export: PNG is the tensor's figure, in the size, scale and theme asked for") {
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
    input.height = 300;
    CHECK(bytes == png_of(heatmap_figure(input, theme, pango_measure()).figure, 1.5f, theme.card));
}

TEST_CASE("export: every tensor of a sentence and of a graph has a picture") {
    const TemporaryFolder folder;
    const std::string output = folder.file("a.png");
    for (const std::string& study : {small_sentence(folder), small_graph(folder)}) {
        const Trace trace = trace_of(study);
        for (const Tensor& tensor : trace.tensors()) {
            const Ran ran = headlight_run({"export", study, "--tensor", tensor.path, "-o", output});
            INFO(tensor.path, ran.err);
            CHECK(ran.code == kExitDone);
            const PngSize size = png_size(read_file(output));
            CHECK(size.width <= 1800);
            CHECK(size.height <= 1440);
        }
    }
}

TEST_CASE("export: without a size the picture has no empty room beside a narrow matrix") {
    const TemporaryFolder folder;
    const std::string output = folder.file("a.png");
    REQUIRE(headlight_run({"export", small_graph(folder), "--tensor", "gat.0.heads.0.a_src", "-o",
                           output, "--scale", "1"})
                .code == kExitDone);
    const PngSize size = png_size(read_file(output));
    CHECK(size.width < 450);
    CHECK(size.height < 450);
}

TEST_CASE("export: an unknown path and an unknown extension are errors that say what there is") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    const Ran path = headlight_run(
        {"export", study, "--tensor", "blocks.0.attn.heads.0.patern", "-o", folder.file("a.png")});
    CHECK(path.code == kExitError);
    CHECK(contains(path.err, "did you mean '" + kPattern + "'?"));
    const Ran extension =
        headlight_run({"export", study, "--tensor", kPattern, "-o", folder.file("a.gif")});
    CHECK(extension.code == kExitError);
    CHECK(contains(extension.err, "the extension must be one of .png, .csv, .npy"));
    CHECK(!std::filesystem::exists(folder.file("a.png")));
}
