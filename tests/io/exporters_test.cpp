#include "io/exporters.h"

#include <cmath>
#include <doctest/doctest.h>

#include "broken_input.h"
#include "example_trace.h"
#include "figure/color_scale.h"
#include "io/arrays/npy.h"

namespace headlight::exporters_test {
namespace {

Figure small_figure() {
    Figure figure{.width = 10, .height = 5, .marks = {}};
    figure.add(RectMark{.box = {0, 0, 10, 5}, .fill = {255, 0, 0, 255}});
    return figure;
}

}  // namespace

TEST_CASE("exporters: every exporter writes bytes that begin as its format does") {
    const Trace trace = example_trace();
    const Figure figure = small_figure();
    const ExportRequest request{.trace = trace, .tensors = {&trace.at("scores")}, .figure = figure};
    const auto bytes = [&](const char* file) { return export_bytes(exporter_for(file), request); };
    CHECK(bytes("a.png").starts_with("\x89PNG\r\n"));
    CHECK(bytes("a.svg").starts_with("<?xml"));
    CHECK(bytes("a.pdf").starts_with("%PDF-"));
    CHECK(bytes("a.tsv").starts_with("query \\ key\t"));
    CHECK(bytes("a.tex").starts_with("% scores: "));
    CHECK(bytes("a.md").starts_with("| query / key | "));
    CHECK(bytes("a.npz").starts_with("PK"));
    CHECK(bytes("a.gif").starts_with("GIF89a"));
    CHECK(bytes("a.csv").starts_with("query \\ key,"));
    CHECK(same_values(read_npy(bytes("a.npy"), "a"), *trace.at("scores").value));
    for (const Exporter& exporter : exporters()) CHECK(!exporter.write(request).empty());
}

TEST_CASE(
    "exporters: they are found by extension in either case; unknown ones are refused with a list") {
    CHECK(&exporter_for("folder.csv/Figure 3.PNG") == &exporters()[0]);
    CHECK(error_of([] { exporter_for("a.tiff"); }) ==
          "[a.tiff] the extension must be one of .png, .svg, .pdf, .gif, .csv, .tsv, .npy, .tex, "
          ".md, "
          ".npz, .safetensors, .json");
    CHECK(contains(error_of([] { exporter_for("png"); }), "the extension must be one of"));
    CHECK(contains(error_of([] { archive_format_for("a.pt"); }),
                   "the extension must be one of .npz, .safetensors, .json"));
}

TEST_CASE("exporters: a tensor without values is refused by name") {
    const Trace trace = example_trace();
    const Figure figure = small_figure();
    const ExportRequest request{.trace = trace, .tensors = {&trace.at("unkept")}, .figure = figure};
    for (const Exporter& exporter : exporters())
        CHECK(contains(error_of([&] { export_bytes(exporter, request); }),
                       "unkept has no values in this trace"));
    for (const ArchiveFormat& format : archive_formats())
        CHECK(contains(error_of([&] { write_archive(format, {&trace.at("unkept")}); }),
                       "unkept has no values in this trace"));
}

TEST_CASE("archives: every format reads back what it wrote, bit for bit") {
    const Trace trace = example_trace();
    for (const ArchiveFormat& format : archive_formats()) {
        INFO(format.extension);
        const NamedMatrices again =
            format.read(write_archive(format, {&trace.at("scores"), &trace.at("W")}), "input");
        REQUIRE(again.size() == 2);
        for (const auto& [path, values] : again) CHECK(same_values(values, *trace.at(path).value));
    }
}

TEST_CASE("exporters: every format reports progress within a file, and can be cancelled there") {
    constexpr Index kSide = 200;  // drawn as an image
    Plan plan;
    plan.lists[0].names = shared_names(std::vector<std::string>(std::size_t{kSide}, "a"));
    plan.add({.path = "A",
              .symbol = "A",
              .equation = "A",
              .rows = {AxisKind::Query, kSide},
              .columns = {AxisKind::Key, kSide}});
    const Trace trace = trace_with(std::move(plan), {Matrix::Random(kSide, kSide)});
    const Tensor& tensor = trace[0];
    Figure figure = small_figure();
    figure.add(HeatmapMark{.box = {0, 0, 10, 5},
                           .values = tensor.value,
                           .scale = diverging_scale(theme_named(ThemeName::Light), 1)});
    for (const Exporter& exporter : exporters()) {
        INFO(exporter.extension);
        Progress progress;
        progress.begin(2);
        const ExportRequest request{trace, {&tensor}, figure, {}, Steps(progress, 1)};
        const std::string bytes = export_bytes(exporter, request);
        CHECK(bytes == export_bytes(exporter, {trace, {&tensor}, figure}));
        CHECK(progress.share() > 0.45);
        CHECK(progress.share() < 0.55);
        progress.cancel();
        CHECK_THROWS_AS(export_bytes(exporter, request), Cancelled);
    }
}

}  // namespace headlight::exporters_test
