// How long it takes to write figures to files.
#include <benchmark/benchmark.h>

#include "figure/tensor_figure.h"
#include "io/pictures/figure_pdf.h"
#include "io/pictures/figure_svg.h"
#include "io/pictures/figure_text.h"
#include "io/pictures/png_image.h"
#include "traces.h"

using namespace headlight;

namespace {

/// A heatmap of a pattern: each row is a softmax.
HeatmapInput heatmap(Index side) {
    Matrix values = (Scalar(4) * Matrix::Random(side, side).array()).exp().matrix();
    for (Index i = 0; i < side; ++i) values.row(i) /= values.row(i).sum();
    std::vector<std::string> names;
    for (Index i = 0; i < side; ++i) names.push_back("w" + std::to_string(i));
    Plan plan;
    plan.lists[0].names = shared_names(std::move(names));
    plan.add({.path = "blocks.0.attn.heads.0.pattern",
              .symbol = "A",
              .equation = "A = softmax(S)",
              .rows = {AxisKind::Query, side},
              .columns = {AxisKind::Key, side},
              .quantity = Quantity::Probability});
    const Trace trace = trace_with(std::move(plan), {values});
    return heatmap_input(trace, trace[0], theme_named(ThemeName::Light));
}

/// Times the way from the matrix to the bytes of the file.
template <typename Write>
void write_heatmap(benchmark::State& state, Write write) {
    const HeatmapInput input = heatmap(state.range(0));
    const MeasureText measure = pango_measure();
    const Color background = theme_named(ThemeName::Light).card;
    for (auto _ : state) {
        const Figure figure = tensor_picture(input, {}, measure);
        benchmark::DoNotOptimize(write(figure, sheet_for(figure, {}, background)));
    }
}

template <std::string (*write)(const Figure&, const FigureSheet&, const Steps&)>
std::string written(const Figure& figure, const FigureSheet& sheet) {
    return write(figure, sheet, {});
}

}  // namespace

BENCHMARK_CAPTURE(write_heatmap, png, written<write_png>)
    ->Arg(32)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_heatmap, svg, written<write_svg>)
    ->Arg(32)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_heatmap, pdf, written<write_pdf>)
    ->Arg(32)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
