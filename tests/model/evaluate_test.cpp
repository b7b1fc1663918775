#include "model/evaluate.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include "core/error.h"
#include "core/operations/recurrent_operations.h"
#include "graph/built_in_graphs.h"
#include "model/session.h"

namespace headlight::evaluate_test {
namespace {

Document sentence(const std::string& text) {
    return {.study = SentenceStudy{.text = text, .layer = {}}, .seed = 1, .interventions = {}};
}

Document graph(Graph graph, Switch self_loops) {
    return {.study = GraphStudy{.graph = std::move(graph), .layer = {}, .self_loops = self_loops},
            .seed = 1,
            .interventions = {}};
}

std::string error_of(const Document& document) {
    try {
        evaluate(document, nullptr, {});
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

template <typename Change>
std::string error_after(Document document, Change change) {
    change(document);
    return error_of(document);
}

Graph nodes(int n) {
    Graph graph;
    for (int i = 0; i < n; ++i) graph.add_node(std::to_string(i), 0, 0);
    return graph;
}

}  // namespace

TEST_CASE("evaluate: the built-in studies can be evaluated") {
    const Trace words = evaluate(built_in_sentence(), nullptr, {});
    CHECK(words.at("blocks.0.resid_post").value->rows() == 12);
    CHECK(words.items().at(2) == "didn't");
    const Trace club = evaluate(built_in_graph(), nullptr, {});
    CHECK(club.at("gat.0.out").value->rows() == 34);
    CHECK(club.edges()->size() == 2 * 78 + 34);
    CHECK(club.at("gat.0.heads.0.pattern").value->allFinite());
}

TEST_CASE("evaluate: one word, emoji, right-to-left text and many words work") {
    CHECK(evaluate(sentence("it"), nullptr, {}).at("blocks.0.attn.heads.0.pattern").value->sum() ==
          1);
    CHECK(evaluate(sentence("👩‍👩‍👧 مرحبا بالعالم"), nullptr, {})
              .items()
              .size() == 3);
    std::string text;
    for (int i = 0; i < 2000; ++i) text += "word ";
    const Trace trace = evaluate(sentence(text), nullptr, {});
    CHECK(trace.at("blocks.0.resid_post").value->allFinite());
    CHECK(trace.at("blocks.0.resid_post").value->rows() == 2000);
}

TEST_CASE("evaluate: the same document gives the same bits; another seed gives others") {
    const Document document = built_in_sentence();
    Document other = document;
    other.seed = 2;
    const auto out = [](const Document& d) {
        return *evaluate(d, nullptr, {}).at("blocks.0.resid_post").value;
    };
    CHECK(out(document) == out(document));
    CHECK(out(document) != out(other));
}

TEST_CASE("evaluate: a sentence without words, or text that is not UTF-8, is an error") {
    const std::string nothing = "[sentence] there is no word to attend to; type a sentence";
    CHECK(error_of(sentence("")) == nothing);
    CHECK(error_of(sentence(" \n\t ")) == nothing);
    CHECK(error_of(sentence("it \xff was")) ==
          "[text] byte 3 is not valid UTF-8; save the text as UTF-8");
}

TEST_CASE("evaluate: too many words are an error") {
    std::string text;
    for (int i = 0; i < 4097; ++i) text += "a ";
    CHECK(error_of(sentence(text)) == "[text] 4097 words, at most 4096 fit; shorten the text");
}

TEST_CASE("evaluate: settings out of their range are errors that name them") {
    const auto with = [](auto change) {
        return error_after(sentence("it was"), [&](Document& d) { change(d.sentence()->layer); });
    };
    CHECK(with([](auto& s) { s.n_layers = 257; }) == "[study] n_layers is 257, it can be 1 to 256");
    CHECK(with([](auto& s) { s.attention.n_heads = 0; }) ==
          "[study] n_heads is 0, it can be 1 to 256");
    CHECK(with([](auto& s) { s.d_model = 100001; }) ==
          "[study] d_model is 100001, it can be 1 to 100000");
    CHECK(with([](auto& s) { s.attention.d_k = {{-3}}; }) ==
          "[study] d_k is -3, it can be 0 to 100000");
    CHECK(with([](auto& s) {
              s.attention.d_v = {{4, 0}};
          }) == "[study] d_v is 4, 0, it can be 1 to 100000");
}

TEST_CASE("evaluate: graph settings out of their range are errors that name them") {
    const auto with = [](auto change) {
        return error_after(built_in_graph(), [&](Document& d) { change(d.graph()->layer); });
    };
    CHECK(with([](auto& s) { s.n_heads = {{257}}; }) ==
          "[study] n_heads is 257, it can be 1 to 256");
    CHECK(with([](auto& s) { s.d_in = 0; }) == "[study] d_in is 0, it can be 1 to 100000");
    CHECK(with([](auto& s) { s.d_out = {{200000}}; }) ==
          "[study] d_out is 200000, it can be 1 to 100000");
    CHECK(with([](auto& s) { s.slope = -0.5f; }) == "[study] slope is -0.5, it can be 0 to 1");
    CHECK(with([](auto& s) { s.slope = std::nanf(""); }) ==
          "[study] slope is nan, it can be 0 to 1");
    CHECK(with([](auto& s) { s.slope = 1; }) == "");
}

TEST_CASE("evaluate: a graph without nodes is an error, one without edges is not") {
    CHECK(error_of(graph({}, Switch::On)) == "[graph] there is no node to attend to; add a node");
    for (const Switch self_loops : {Switch::Off, Switch::On}) {
        const Trace trace = evaluate(graph(nodes(3), self_loops), nullptr, {});
        const bool reads = self_loops == Switch::On;
        CHECK(trace.at("gat.0.heads.0.pattern").value->sum() == (reads ? 3 : 0));
        CHECK(trace.at("gat.0.out").value->isZero(0) == !reads);
    }
}

TEST_CASE("evaluate: self-edges and repeated edges count once") {
    Graph doubled = nodes(2);
    doubled.edges = {{0, 0}, {0, 1}, {1, 0}, {0, 1}};
    const Trace trace = evaluate(graph(doubled, Switch::On), nullptr, {});
    CHECK(trace.edges()->size() == 4);
    Graph outside = nodes(2);
    outside.edges = {{0, 2}};
    CHECK(error_of(graph(outside, Switch::Off)) == "[edges] edge 0 ← 2 names a node outside 0 … 1");
}

TEST_CASE("evaluate: in a directed graph only the target reads") {
    Graph directed = nodes(2);
    directed.directed = true;
    directed.edges = {{0, 1}};
    const Trace trace = evaluate(graph(directed, Switch::Off), nullptr, {});
    CHECK(trace.edges()->row == std::vector<Index>{1});
    CHECK(trace.edges()->neighbour == std::vector<Index>{0});
}

TEST_CASE("evaluate: any layer width and huge cell values work") {
    Document document = sentence("it was");
    StackSettings& layer = document.sentence()->layer;
    layer.n_layers = 4;
    layer.d_model = 1;
    layer.attention.n_heads = 16;
    layer.attention.d_k = layer.attention.d_v = {{1}};
    document.interventions["blocks.0.attn.heads.0.W_Q"].set(0, 0,
                                                            std::numeric_limits<Scalar>::max());
    CHECK(error_of(document) == "");
}

TEST_CASE("session: a pin in the stacked tensor reaches each step, unless it is off") {
    Document document = built_in_alignment();
    document.alignment()->mechanism = AlignmentMechanism::Recurrent;
    const Watched all{.everything = true, .globs = {}};
    const Trace before = evaluate(document, nullptr, all);
    const Tensor* stacked = nullptr;
    for (const Tensor& tensor : before.tensors())
        if (tensor.operation() == &operations::stack_rows && tensor.path().ends_with("pattern"))
            stacked = &tensor;
    REQUIRE(stacked);
    document.interventions[stacked->path()].set(0, 0, 0.875f);
    const std::string step = before[stacked->inputs()[0]].path();
    Session session(document);
    session.watch(all);
    session.wait();
    CHECK((*session.trace()->at(step).value)(0, 0) == 0.875f);
    session.apply({.label = "off", .change = [&](Document& d) {
                       d.interventions.at(stacked->path()).is_on = false;
                   }});
    session.wait();
    CHECK(*session.trace()->at(step).value == *before.at(step).value);
}

}  // namespace headlight::evaluate_test
