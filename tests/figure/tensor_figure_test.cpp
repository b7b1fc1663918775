#include "figure/tensor_figure.h"

#include <doctest/doctest.h>
#include <limits>

#include "core/analyses/influence.h"
#include "core/compute.h"
#include "core/mechanisms/graph_attention.h"
#include "core/mechanisms/transformer.h"
#include "figure/color_scale.h"
#include "figure/heatmap_figure.h"
#include "figure/marks.h"

namespace headlight::tensor_figure_test {
namespace {

const std::string kPattern = "blocks.0.attn.heads.1.pattern";

Trace sentence(const Interventions& interventions = {}) {
    StackSettings settings;
    settings.d_model = 6;
    settings.attention.n_heads = 2;
    settings.attention.d_k = settings.attention.d_v = {{3}};
    return compute(plan_sentences({{"the", "cat", "sat"}}, settings, 1), interventions,
                   {.everything = true, .globs = {}}, nullptr);
}

Trace path_of_nodes(Index n) {
    std::vector<std::string> names;
    std::vector<EdgeEnds> edges;
    for (Index i = 0; i < n; ++i) names.push_back("n" + std::to_string(i));
    for (Index i = 0; i + 1 < n; ++i) edges.push_back({i + 1, i});
    const GraphSettings settings{.n_heads = {{1}}, .d_in = 2, .d_out = {{2}}};
    const GraphNodes nodes{.names = names, .keys = names};
    return compute(plan_graph_attention(nodes, make_edges(n, edges), settings, 1), {},
                   {.everything = true, .globs = {}}, nullptr);
}

HeatmapInput input_of(const Trace& trace, const std::string& path) {
    return heatmap_input(trace, trace.at(path), theme_named(ThemeName::Light));
}

}  // namespace

TEST_CASE("tensor figure: title, formula and caption name the axes") {
    const Trace trace = sentence();
    const HeatmapInput pattern = input_of(trace, kPattern);
    CHECK(pattern.title == "A · head 1 · " + kPattern);
    CHECK(pattern.formula == trace.at(kPattern).equation());
    CHECK(pattern.caption == "query ↓ reads key →");
    CHECK(pattern.legend_name == scale_name(trace.at(kPattern)));
    CHECK(input_of(trace, "blocks.0.attn.heads.0.W_Q").caption == "d_model ↓ d_k →");
    CHECK(input_of(trace, "embed").title == "E · embed");
    CHECK(input_of(trace, "embed").caption == "token ↓ d_model →");
}

TEST_CASE("tensor figure: a matrix of derivatives does not say that a query reads a key") {
    const Trace trace = sentence();
    CHECK_FALSE(is_reading(trace.at("influence")));
    CHECK(input_of(trace, "influence").caption == "output ↓ moved by input →");
    CHECK(is_reading(trace.at(kPattern)));
    const Trace graph = path_of_nodes(3);
    CHECK(input_of(graph, "influence").caption == "output ↓ moved by input →");
    CHECK(is_reading(graph.at("gat.0.heads.0.pattern")));
}

TEST_CASE("tensor figure: labels, values and colours come from the tensor") {
    const Trace trace = sentence();
    const Tensor& tensor = trace.at(kPattern);
    const HeatmapInput input = input_of(trace, kPattern);
    CHECK(input.row_labels == std::vector<std::string>{"the", "cat", "sat"});
    CHECK(input.column_labels == input.row_labels);
    CHECK(input.values == tensor.value);
    const ColorScale scale = standard_scale(tensor, 1, theme_named(ThemeName::Light));
    CHECK(input.scale.colors == scale.colors);
    CHECK(input.scale.high == 1);
}

TEST_CASE("tensor figure: NaN is counted in the title, since its colour could be a head's") {
    Trace trace = sentence();
    Tensor& pattern = trace.tensors()[trace.id_at(kPattern)];
    Matrix values = *pattern.value;
    values(1, 2) = std::numeric_limits<Scalar>::quiet_NaN();
    pattern.value = std::make_shared<const Matrix>(values);
    CHECK(input_of(trace, kPattern).title == "A · head 1 · " + kPattern + " · 1 cell is NaN");
}

TEST_CASE(
    "tensor figure: a tensor with one row per edge names both ends, and its column has no label") {
    const Trace trace = path_of_nodes(3);
    const HeatmapInput input = input_of(trace, "gat.0.heads.0.pattern");
    CHECK(input.caption == "reader ← read ↓");
    CHECK(input.row_labels == std::vector<std::string>{"n1 ← n0", "n2 ← n1"});
    CHECK(input.column_labels.empty());
    CHECK(input_of(trace, "gat.0.heads.0.a_src").caption == "d_out ↓");
}

TEST_CASE("tensor figure: ranks are whole numbers, the first in the head's colour") {
    const Trace trace = path_of_nodes(5);
    HeatmapInput input = input_of(trace, "gat.0.heads.0.ranking");
    CHECK(input.legend_name == "rank of key for query; 0 is first");
    CHECK(input.caption == "query ↓ reads key →");
    CHECK(input.scale.high == 4);
    input.width = input.height = 240;
    input.decimals = 2;
    const HeatmapFigure picture =
        heatmap_figure(input, theme_named(ThemeName::Light), test::fake_measure);
    for (const char* rank : {"0", "1", "2", "3", "4"}) CHECK(test::has_text(picture.figure, rank));
    CHECK(test::texts_of(picture.figure).size() >= 25);
}

TEST_CASE("tensor figure: decimals are those of the matrix's kind") {
    const Trace trace = path_of_nodes(3);
    PictureScales scales;
    scales.of(Quantity::Probability).decimals = 1;
    const Theme& theme = theme_named(ThemeName::Light);
    const auto decimals = [&](const char* path) {
        return heatmap_input(trace, trace.at(path), theme, scales).decimals;
    };
    CHECK(decimals("gat.0.heads.0.pattern") == 1);
    CHECK_FALSE(decimals("gat.0.heads.0.scores"));
}

TEST_CASE("tensor figure: with more rows than can be labelled there are no labels") {
    const Trace trace = path_of_nodes(9000);
    const HeatmapInput input = input_of(trace, "gat.0.heads.0.pattern");
    CHECK(input.row_labels.empty());
    const HeatmapFigure picture =
        heatmap_figure(input, theme_named(ThemeName::Light), test::fake_measure);
    CHECK(picture.grid.rows == 8999);
    CHECK(test::outside_mark(picture.figure) == "");
}

TEST_CASE("tensor figure: cells set by hand have marks; a tensor set as a whole says so instead") {
    Interventions interventions;
    interventions[kPattern].set(1, 0, Scalar(0.5));
    interventions[kPattern].set(7, 7, Scalar(0.5));  // dormant: the study has three words
    interventions["embed"] = intervene_on_all(Matrix::Zero(3, 6));
    interventions["blocks.0.attn.heads.0.pattern"] = intervene_on_all(Matrix::Identity(3, 3));
    const Trace trace = sentence(interventions);
    CHECK(input_of(trace, kPattern).pinned == std::vector<CellIndex>{{1, 0}});
    CHECK(input_of(trace, kPattern).title == "A · head 1 · " + kPattern);
    CHECK(input_of(trace, "embed").pinned.empty());
    CHECK(input_of(trace, "embed").title == "E · embed · 18 cells set by hand");
    CHECK(input_of(trace, "blocks.0.attn.heads.0.pattern").title ==
          "A · head 0 · blocks.0.attn.heads.0.pattern · 9 cells pinned");
}

TEST_CASE("tensor figure: without values only the title is drawn") {
    const Trace trace(plan_sentences({{"cat"}}, {}, 1));
    const HeatmapInput input = input_of(trace, "embed");
    CHECK(input.title == "E · embed");
    CHECK(!input.values);
    CHECK(input.row_labels.empty());
}

}  // namespace headlight::tensor_figure_test
